// The flows that have not started yet, in one order, as lists by input, by output and in all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/scheduler/lists/port_schedule.hpp"

namespace ocs {

/// Walk a list with `for (p = first(by, port); p != none; p = next(by, p))`; take next() before
/// removing p. Removal is O(1).
class WaitingList {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  enum class By : std::uint8_t { input, output, all };

  /// @param order numbers of Demand::pairs, each once: the order of every list. The demand must outlive the lists.
  WaitingList(const Demand& demand, const std::vector<std::uint32_t>& order);

  /// @param port of the list By::input or By::output; 0 for By::all.
  std::uint32_t first(By by, std::uint16_t port = 0) const { return next(by, head(port)); }
  std::uint32_t next(By by, std::uint32_t pair) const { return lists_[static_cast<std::size_t>(by)].next[pair]; }
  void remove(std::uint32_t pair);

  /// The flows that can start now that the ports of the `freed` pairs are free, each once, in no order. Only flows at
  /// these ports can, provided that none could before.
  std::vector<std::uint32_t> startable(const PortSchedule& port_schedule,
                                       const std::vector<std::uint32_t>& freed) const;

 private:
  struct Lists {
    std::vector<std::uint32_t> next, previous;  ///< at a pair's number, then one head for each port
  };
  std::uint32_t head(std::uint16_t port) const { return static_cast<std::uint32_t>(demand_.pairs.size()) + port; }

  const Demand& demand_;
  std::array<Lists, 3> lists_;  ///< by By
};

}  // namespace ocs
