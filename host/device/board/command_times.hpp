// How long commands take from the decision to the switch, where time goes on meanwhile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// Keeps the times of commits, starts and stops of one switch.
class CommandTimes {
 public:
  /// @param took from the cycle as of which it was decided to the one in which the switch had it.
  /// @param late it came after the cycle that it was for.
  void add(Cycles took, bool late);
  /// The switch's own word: a timed commit came too late although it seemed in time.
  void add_late() { ++late_; }

  std::int64_t count() const { return static_cast<std::int64_t>(took_.size()); }
  std::int64_t late() const { return late_; }
  /// The least time that `ppm` of a million commands don't exceed; 0 without commands.
  Cycles quantile(std::int64_t ppm) const;
  Cycles mean() const;  ///< rounded down

  /// "<= 1.024 us: 3, <= 2.048 us: 40": commands by powers of two of nanoseconds, empty classes left out.
  std::string histogram(Picos cycle) const;

 private:
  std::vector<Cycles> took_;
  std::int64_t late_ = 0;
};

}  // namespace ocs
