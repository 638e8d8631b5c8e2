// Words per second over time, in as many steps as fit into a fixed memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/core/units.hpp"
#include "host/core/wide.hpp"

namespace ocs {

/// Steps are a power of two ps long, and become twice as long when the run goes on.
class WordRate {
 public:
  static constexpr std::size_t most_steps = 4096;

  /// Words that pass evenly in [from, to).
  void add(Picos from, Picos to, Words words) {
    if (from >= to) return;
    while (static_cast<std::size_t>((to.n - 1) >> shift_) >= most_steps) coarser();
    const auto last = static_cast<std::size_t>((to.n - 1) >> shift_);
    if (steps_.size() <= last) steps_.resize(last + 1);
    Words before;
    for (auto k = static_cast<std::size_t>(from.n >> shift_); k <= last; ++k) {
      const std::int64_t until = std::min(to.n, static_cast<std::int64_t>(k + 1) << shift_) - from.n;
      const Words reached{static_cast<std::int64_t>(Wide{words.n} * until / (to - from).n)};
      steps_[k] += reached - before;
      before = reached;
    }
  }

  /// @param visit is called with the beginning of each step whose rate is another than that before, and with the rate.
  template <class Visit>
  void each(Visit&& visit) const {
    constexpr std::int64_t ps_per_s = 1'000'000'000'000;
    std::int64_t before = -1;
    for (std::size_t k = 0; k <= steps_.size(); ++k) {
      const std::int64_t words = k < steps_.size() ? steps_[k].n : 0;
      const auto rate = static_cast<std::int64_t>(Wide{words} * ps_per_s >> shift_);
      if (rate != before) visit(Picos{static_cast<std::int64_t>(k) << shift_}, rate);
      before = rate;
    }
  }

 private:
  void coarser() {
    ++shift_;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const Words words = steps_[k];
      steps_[k] = Words{0};
      steps_[k / 2] += words;
    }
    steps_.resize((steps_.size() + 1) / 2);
  }

  int shift_ = 10;
  std::vector<Words> steps_;
};

}  // namespace ocs
