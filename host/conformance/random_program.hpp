// Random register programs over all features of the switch, from a source of random numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// A few operations that make sense together: a commit, a burst, a fault, an advance. In writes of COMMIT_AT and
/// SEQ_BASE and in advance_irq the value is relative: cycles after five cycles before the time at which it stands.
struct Step {
  std::vector<Op> ops;
};
/// What a random program is made for.
struct Setting {
  int ports = 4, fifo_depth = 64;
  /// Delays, gaps and advances are small multiples of it: 1 for programs that can also run cycle by cycle, up to 2^26
  /// for long jumps. Whatever repeats itself takes at least as long, so that an advance never has many actions.
  std::uint64_t scale = 1;
  bool every_cycle = false;  ///< advance cycle by cycle and compare each
  std::uint64_t stride_seed = 1;
};
/// The next random number, from 0 to n - 1; n is at least 1.
using DrawBelow = std::function<std::uint64_t(std::uint64_t n)>;
/// The same numbers for the same seed, on every machine.
DrawBelow draws_of(std::uint64_t seed);

Setting random_setting(const DrawBelow& draw);
std::uint64_t random_scale(const DrawBelow& draw);
Step random_step(const Setting& setting, const DrawBelow& draw);
std::vector<Step> random_steps(const Setting& setting, std::size_t count, const DrawBelow& draw);

/// Whether the value of an operation in a Step is relative.
bool relative_in_time(const Op& op);

/// The program that the steps make, with relative times made absolute (as if no `irq` ended an advance early).
std::vector<Op> join(const std::vector<Step>& steps);

}  // namespace ocs::conformance
