// One run: a point of an experiment becomes a result row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "host/controller/plan_controller.hpp"
#include "host/rtl/waveform.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/engine/profile.hpp"
#include "testbed/engine/run_watch.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

struct RunOptions {
  std::string version;                         ///< of lightloop, for the row
  Progress* progress = nullptr;                ///< may be left out; may throw to end the run
  std::function<void()> pause;                 ///< the same, for long ways of a device without time-warp
  std::function<void(const Event&)> on_event;  ///< sees the whole event log; may be left out
  /// Sees each reservation of a switch that has ended, with its plane; may be left out.
  std::function<void(const Carried&)> on_carried{};
  /// Where the point's nodes are; left out or nullptr: in threads. Jobs that run at once have different seats, from 0.
  std::function<NodeRunner*(const Point&, std::size_t seat)> runner;
  /// Sees the device of each plane before it is driven; may be left out.
  std::function<void(Device&, std::size_t plane)> on_device{};
  /// Records the device of each plane, outlives the run; may be left out.
  std::function<rtl::Waveform*(std::size_t plane)> waveform{};
  Profile* profile = nullptr;  ///< started; learns where the wall time goes. Left out, it costs nothing
  RunWatch* watch = nullptr;   ///< sees ports, plans, transfers and nodes; left out, it costs nothing
};

/// What of a row is known before the run.
Row requested_row(const Point& point);

/// Places the job, makes the device, drives it until the job is done, and reads its counters.
/// @throws Error (input) when the policy can't place the job or the device can't be built so; Error (run) as run_job().
Row run_point(const Point& point, const RunOptions& options);

}  // namespace ocs
