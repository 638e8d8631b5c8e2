// Max-min fair shares of the sides of ports: the water rises in whole units until a side is full.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ocs {

/// What a transfer uses: two sides of ports, by number.
struct SidePair {
  std::uint32_t from, to;
};

/// Progressive filling in integers (Bertsekas and Gallager, Data Networks, 6.5.2). All transfers begin with rate 0 and
/// rise together, a unit at a time, as long as each side can give every transfer that rises there one unit more. The
/// transfers of sides that can't keep what they have; the others rise on. A side gives at most its capacity; less than
/// one unit for each of its transfers may be left. No order of sides or of transfers plays a part.
class FairRates {
 public:
  /// @param capacities of the sides, 0 or more units
  explicit FairRates(std::vector<std::int64_t> capacities);

  /// Holds from the next fill() on. @param units 0 or more
  void set_capacity(std::size_t side, std::int64_t units) { capacities_[side] = units; }

  /// @param pairs of sides below the number of capacities, the two of a pair not the same
  /// @param rates receives one for each pair
  void fill(std::span<const SidePair> pairs, std::span<std::int64_t> rates);

 private:
  struct Side {
    std::int64_t left = 0;                 ///< of its capacity, less what transfers keep that rise no more
    std::int64_t rising = 0;               ///< transfers
    std::vector<std::uint32_t> transfers;  ///< all, by number
  };
  std::vector<std::int64_t> capacities_;
  std::vector<Side> sides_;
  std::vector<std::uint32_t> used_;  ///< sides with a transfer that rises
  std::vector<char> risen_;          ///< transfers that rise no more
};

}  // namespace ocs
