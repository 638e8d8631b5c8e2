// Random register programs over all features of the switch, as values that RapidCheck can shrink.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// A few operations that make sense together: a commit, a burst, a fault, an advance. In writes of COMMIT_AT and
/// SEQ_BASE and in advance_irq the value is relative: cycles after five cycles before the time at which it stands.
struct Step {
  std::vector<Op> ops;
};
std::ostream& operator<<(std::ostream& out, const Step& step);

/// What a random program is made for.
struct Setting {
  int ports = 4, fifo_depth = 64;
  /// Delays, gaps and advances are small multiples of it: 1 for programs that can also run cycle by cycle, up to 2^26
  /// for long jumps. Whatever repeats itself takes at least as long, so that an advance never has many actions.
  std::uint64_t scale = 1;
  bool every_cycle = false;  ///< advance cycle by cycle and compare each
  std::uint64_t stride_seed = 1;
};
std::ostream& operator<<(std::ostream& out, const Setting& setting);

rc::Gen<Setting> arbitrary_setting();
/// Up to twice as many steps as RapidCheck's size.
rc::Gen<std::vector<Step>> arbitrary_steps(const Setting& setting);

/// The program that the steps make, with relative times made absolute (as if no `irq` ended an advance early).
std::vector<Op> join(const std::vector<Step>& steps);

}  // namespace ocs::conformance
