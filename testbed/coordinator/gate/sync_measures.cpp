// Samples, and what is said of them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/gate/sync_measures.hpp"

#include <algorithm>
#include <utility>

namespace ocs {

Spread spread_of(std::vector<std::int64_t> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  Spread spread;
  for (const std::int64_t sample : samples) spread.sum += sample;
  spread.count = static_cast<std::int64_t>(samples.size());
  spread.mean = (spread.sum + spread.count / 2) / spread.count;
  spread.p99 = samples[(samples.size() * 99 + 99) / 100 - 1];
  spread.max = samples.back();
  return spread;
}

void SyncMeasures::pushed(std::size_t worker, Picos now) {
  if (now > until_) return;
  const Picos before = std::exchange(last_push_[worker], now);
  if (before == never<Picos>) return;
  iteration_.push_back((now - before).n);
  if (worker == 0) result_.iteration_last = now - before;
}

void SyncMeasures::granted(Picos asked, Picos now) {
  if (now <= until_) blocked_.push_back((now - asked).n);
}

void SyncMeasures::applied(std::uint64_t stale, Picos now) {
  if (now > until_) return;
  ++result_.updates;
  staleness_.push_back(static_cast<std::int64_t>(stale));
}

SyncResult SyncMeasures::result() const {
  SyncResult result = result_;
  result.iteration = spread_of(iteration_);
  result.blocked = spread_of(blocked_);
  result.staleness = spread_of(staleness_);
  return result;
}

}  // namespace ocs
