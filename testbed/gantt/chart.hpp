// A Gantt chart of a switch: what each output does when, as planned or as a device did it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/controller/control_times.hpp"
#include "host/controller/plan_controller.hpp"
#include "host/core/policy.hpp"
#include "host/core/switch.hpp"

namespace ocs {

/// What fills a stretch of an output's time. `control`: its ports are taken, but neither mirrors nor data move: lead,
/// fibre, guard. `lost`: words for it came and didn't pass.
enum class GanttKind : std::uint8_t { control, tuning, locking, data, lost };
inline constexpr int gantt_kinds = 5;

struct GanttBar {
  std::uint16_t out, in;
  GanttKind kind;
  Cycles from, to;  ///< [from, to), not empty
};

struct GanttChart {
  std::string title;
  Picos cycle;
  std::vector<GanttBar> bars = {};                       ///< later ones lie above earlier ones
  std::optional<std::pair<Cycles, Cycles>> window = {};  ///< what is drawn; none: from the first to the last bar

  Cycles begin() const;  ///< of what is drawn; 0 without bars
  Cycles end() const;
  std::vector<std::uint16_t> rows() const;  ///< outputs with a bar, ascending
};

/// Adds what a plan means: of a circuit that is set up the mirrors move, then the receiver locks, so that light is
/// there as long before the data as `times` says.
void add_plan(GanttChart& chart, const Plan& plan, const ControlTimes& times, int ports);

/// Draws what a device does, from its events and from the reservations that were executed.
class ExecutedChart {
 public:
  ExecutedChart(std::string title, Picos cycle) : chart_{.title = std::move(title), .cycle = cycle} {}

  void on(const Event& event);
  /// Called after the events of its burst.
  void on(const Carried& carried);

  /// Data and losses lie above tuning and locking.
  GanttChart finish() &&;

 private:
  struct Dark {
    GanttKind kind;
    Cycles from;
  };
  struct SentRun {
    std::uint16_t out;
    WordRun words;
    Cycles end;
  };
  GanttChart chart_;
  std::map<std::uint16_t, Dark> dark_;       ///< outputs that are tuning or locking
  std::map<Id, std::vector<SentRun>> runs_;  ///< of bursts whose reservation hasn't ended
  std::vector<GanttBar> words_;
};

}  // namespace ocs
