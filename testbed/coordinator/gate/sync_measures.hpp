// What is measured of a synchronisation scheme in a job: iteration times, waits at the gate, staleness.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// Mean rounded to a whole unit; quantile by nearest rank; all 0 without a sample.
struct Spread {
  std::int64_t mean = 0, p99 = 0, max = 0;
  std::int64_t count = 0, sum = 0;
};
Spread spread_of(std::vector<std::int64_t> samples);

/// docs/results.md defines them. With a duration, only what came until then counts.
struct SyncResult {
  std::int64_t updates = 0, dropped = 0;  ///< pushes applied to the model; late pushes that weren't
  std::int64_t steps = 0;                 ///< iterations computed whose push was applied; local steps
  Spread iteration, blocked;              ///< ps
  Picos iteration_last;                   ///< of the first worker: up to its last push
  Spread staleness;                       ///< updates of others
  std::uint32_t clock_gap = 0;            ///< pushes by which a worker was ahead of the slowest when it was released
  std::uint32_t left = 0;                 ///< workers that didn't stay to the end
};

class SyncMeasures {
 public:
  /// @param until what comes later doesn't count
  SyncMeasures(std::size_t workers, Picos until) : until_(until), last_push_(workers, never<Picos>) {}

  void pushed(std::size_t worker, Picos now);
  void granted(Picos asked, Picos now);
  void applied(std::uint64_t stale, Picos now);
  void dropped(Picos now) { result_.dropped += now <= until_; }
  void step(Picos now) { result_.steps += now <= until_; }
  void left() { ++result_.left; }
  void gap(std::uint32_t pushes) { result_.clock_gap = pushes > result_.clock_gap ? pushes : result_.clock_gap; }
  SyncResult result() const;

 private:
  Picos until_;
  std::vector<Picos> last_push_;
  std::vector<std::int64_t> iteration_, blocked_, staleness_;
  SyncResult result_;
};

}  // namespace ocs
