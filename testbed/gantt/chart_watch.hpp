// Charts of what the planes of a run did, and of a kept event log.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "testbed/engine/run_watch.hpp"
#include "testbed/gantt/chart.hpp"

namespace ocs {

class ChartWatch final : public RunWatch {
 public:
  void begin(const RunShape& shape) override {
    shape_ = shape;
    events_.resize(shape.planes);
    carried_.resize(shape.planes);
  }
  void on(const Event& event) override { events_.at(index(event.plane)).push_back(event); }
  void carried(const Carried& carried) override { carried_.at(index(carried.planned.plane)).push_back(carried); }

  const RunShape& shape() const { return shape_; }
  /// One of each plane. @param title of all
  std::vector<GanttChart> finish(const std::string& title) const;

 private:
  RunShape shape_;
  std::vector<std::vector<Event>> events_;
  std::vector<std::vector<Carried>> carried_;
};

/// What a log alone says, where a word takes one cycle. The input of a burst is known from its end, its outputs from
/// the words that they passed: a burst of which nothing passed is not drawn.
std::vector<GanttChart> charts_of_log(std::span<const Event> log, Picos cycle, const std::string& title);

/// Gives all charts one time axis: of [from, to), or of everything in them where these are not given. Bars are cut.
void align(std::span<GanttChart> charts, std::optional<Picos> from, std::optional<Picos> to);

}  // namespace ocs
