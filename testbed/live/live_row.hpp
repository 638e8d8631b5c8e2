// A row while it runs, for the page: what its outputs do, how far it is, and how fast.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "testbed/engine/progress.hpp"
#include "testbed/engine/run_watch.hpp"
#include "testbed/live/live_page.hpp"

namespace ocs {

/// Sees the run, counts, and says on the page what it has counted, five times a second at most.
class LiveRow final : public RunWatch, public Progress {
 public:
  /// @param progress is told of everything, too. @param number of the row, from 1. All outlive it.
  LiveRow(LivePage& page, Progress& progress, std::size_t number, std::string name);
  ~LiveRow() override;

  void begin(const RunShape& shape) override;
  OutputWatcher* outputs(std::size_t plane) override;
  void on(const Event&) override { ++events_; }
  void planned(const WatchedPlan&) override { ++plans_; }
  void delivered(const Delivery& delivery) override { transfers_ += delivery.final ? 1U : 0U; }

  /// @throws what `progress` throws
  void tick(const Report& report) override;

 private:
  using Clock = std::chrono::steady_clock;
  class Outputs;
  void say(const Report& report, Clock::time_point wall);

  LivePage& page_;
  Progress& progress_;
  std::size_t number_;
  std::string name_;
  std::vector<std::unique_ptr<Outputs>> outputs_;
  std::uint64_t events_ = 0, plans_ = 0, transfers_ = 0, said_events_ = 0;
  double events_per_second_ = 0;
  bool circuits_ = false;  ///< begin() has said that there are outputs
  Answered slowest_;       ///< since the page was last told
  Clock::time_point said_ = Clock::now(), next_{};
};

}  // namespace ocs
