// Warm and cold receivers: two samples of locking times, and the time between them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "testbed/characterize/measure.hpp"
#include "testbed/characterize/rounds.hpp"

namespace ocs::characterize {
namespace {

using Return = Rounds::Return;
using Returns = std::vector<Return>;

/// RECEIVER.WARM_TIME is less than this.
constexpr Cycles forgotten{std::int64_t{1} << 30};
/// A sample's quantiles are those of the switch's table unless a rank is off by a 32nd of it: 5 standard deviations.
constexpr std::size_t sample_size = 8192, least_rounds = 256;

class ReceiverTest {
 public:
  ReceiverTest(Switch& plane, const MeasureOptions& options)
      : rounds_(plane, options), options_(options), cycle_(plane.clock().cycle()) {
    outputs_.resize(static_cast<std::size_t>(plane.constants().ports));
    std::iota(outputs_.begin(), outputs_.end(), std::uint16_t{0});
  }

  /// @return whether each output locks as `all` says when its circuit comes back at once; false, too, if one doesn't.
  bool same_at_once(const std::vector<CircuitSetUp>& all) {
    for (const Return& one : rounds_.again(outputs_, Cycles{0})) {
      const auto known = std::ranges::find(all, one.out, &CircuitSetUp::out);
      if (!one.up || to_picos(one.locking, cycle_) != known->locking) return false;
    }
    return true;
  }

  std::optional<MeasuredReceivers> measure() {
    if (!sample()) return std::nullopt;
    find_least();
    MeasuredReceivers found;
    for (const Cycles least : least_) found.locking.push_back(to_picos(least, cycle_));
    found.times = {.warm_time = {}, .warm = {Picos{0}}, .cold = quantiles_of(beyond(late_, forgotten + forgotten))};
    if (quantiles_of(beyond(soon_, forgotten)) == found.times.cold) return found;
    const auto limit = warm_time();
    if (!limit) return std::nullopt;
    found.times.warm_time = to_picos(*limit, cycle_);
    found.times.warm = quantiles_of(beyond(soon_, *limit));
    return found;
  }

 private:
  /// Circuits that come back at once, and after longer than anything is remembered. @return false: one never came up.
  bool sample() {
    const auto rounds = static_cast<int>(std::max(least_rounds, sample_size / outputs_.size()));
    for (int round = 0; round < rounds; ++round) {
      if (options_.progress) options_.progress(round, rounds);
      for (const auto& [wait, returns] : {std::pair{Cycles{0}, &soon_}, {forgotten, &late_}}) {
        const Returns more = rounds_.again(outputs_, wait);
        if (!std::ranges::all_of(more, &Return::up)) return false;
        returns->insert(returns->end(), more.begin(), more.end());
      }
    }
    return true;
  }

  void find_least() {
    least_.assign(outputs_.size(), forgotten + forgotten);
    for (const Returns* returns : {&soon_, &late_})
      for (const Return& one : *returns) least_[one.out] = std::min(least_[one.out], one.locking);
  }

  /// What circuits that were away for less than `gap` took beyond the least of their output.
  std::vector<Picos> beyond(const Returns& returns, Cycles gap) const {
    std::vector<Picos> out;
    for (const Return& one : returns)
      if (one.gap < gap) out.push_back(to_picos(one.locking - least_[one.out], cycle_));
    return out;
  }

  /// How often each time was seen; one that never was as often as half of once.
  struct Likelihood {
    std::map<std::int64_t, double> counts;
    double all = 0;
    double log_of(Cycles time) const {
      const auto seen = counts.find(time.n);
      return std::log((seen == counts.end() ? 0.5 : seen->second) / (all + 0.5));
    }
  };
  static Likelihood likelihood(const Returns& returns, std::uint16_t out) {
    Likelihood found;
    for (const Return& one : returns)
      if (one.out == out) {
        ++found.counts[one.locking.n];
        ++found.all;
      }
    return found;
  }

  /// The least time away from which on a receiver is cold. None: a circuit never came up.
  std::optional<Cycles> warm_time() {
    const std::uint16_t out = std::ranges::min_element(soon_, {}, &Return::gap)->out;
    const Returns first = rounds_.again({out}, Cycles{0});
    if (!first.front().up) return std::nullopt;
    const Cycles at_once = first.front().gap;
    const Likelihood of_warm = likelihood(soon_, out), of_cold = likelihood(late_, out);
    Cycles warm = at_once, cold = at_once + forgotten;
    while (warm + Cycles{1} < cold) {
      const Cycles gap{std::midpoint(warm.n, cold.n)};
      const auto is_warm = warm_after(out, gap - at_once, of_warm, of_cold);
      if (!is_warm) return std::nullopt;
      (*is_warm ? warm : cold) = gap;
    }
    return cold;
  }

  /// Wald's test: locking times of one output are taken until they are a million times likelier by one of the two
  /// samples than by the other.
  std::optional<bool> warm_after(std::uint16_t out, Cycles wait, const Likelihood& warm, const Likelihood& cold) {
    constexpr double sure = 14;  // ln of a million
    constexpr int most = 4096;
    double sum = 0;
    for (int k = 0; k < most && std::abs(sum) < sure; ++k) {
      const Return one = rounds_.again({out}, wait).front();
      if (!one.up) return std::nullopt;
      sum += warm.log_of(one.locking) - cold.log_of(one.locking);
    }
    return sum > 0;
  }

  Rounds rounds_;
  const MeasureOptions& options_;
  Picos cycle_;
  std::vector<std::uint16_t> outputs_;
  Returns soon_, late_;
  std::vector<Cycles> least_;  ///< locking of each output
};

}  // namespace

bool locking_varies(const std::vector<CircuitSetUp>& all) {
  std::map<std::uint16_t, Picos> first;
  return std::ranges::any_of(all, [&](const CircuitSetUp& one) {
    return first.try_emplace(one.out, one.locking).first->second != one.locking;
  });
}

std::optional<MeasuredReceivers> measure_receivers(Switch& plane, const MeasureOptions& options,
                                                   const std::vector<CircuitSetUp>& all) {
  if (!std::ranges::all_of(all, &CircuitSetUp::up)) return std::nullopt;
  ReceiverTest test(plane, options);
  if (!locking_varies(all) && test.same_at_once(all)) return std::nullopt;
  return test.measure();
}

}  // namespace ocs::characterize
