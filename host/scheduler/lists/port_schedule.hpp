// The switch while a plan is made: which ports are taken until when, and which circuits are established.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "host/scheduler/demand.hpp"

namespace ocs {

/// Turns decisions ("start this pair now") into reservations. A circuit takes both its ports for delta, unless it is
/// established, then carries its pair's flows back to back; it stays established until one of its ports is given to
/// another circuit. The demand must outlive the schedule.
class PortSchedule {
 public:
  enum class SetUp : std::uint8_t { if_needed, always };

  explicit PortSchedule(const Demand& demand);

  /// Starts pair number `pair` at `start`, not before both its ports are free. @returns the end of its data.
  std::int64_t start(std::uint32_t pair, std::int64_t start, SetUp set_up = SetUp::if_needed);

  bool input_free(std::uint16_t in) const { return in_taken_[in] == 0; }
  bool output_free(std::uint16_t out) const { return out_taken_[out] == 0; }
  bool both_free(std::uint32_t pair) const {
    const PairDemand& ports = demand_.pairs[pair];
    return input_free(ports.in) && output_free(ports.out);
  }

  /// When the next circuit ends; none if no port is taken.
  std::optional<std::int64_t> next_end() const;

  /// Frees the ports of the circuit that ends first, of several the one that was started first; those that were busy
  /// at the start come before others, by input. @returns its number: of a pair, or beyond them.
  std::uint32_t free_next();

  /// The ports of the circuit that free_next() named: a pair, or one of those that were busy at the start.
  std::pair<std::uint16_t, std::uint16_t> ports_of(std::uint32_t number) const;

  /// What has been started so far, with the port bound. The schedule is spent.
  Plan finish();

 private:
  const Demand& demand_;
  std::vector<char> in_taken_, out_taken_;    ///< asked for each flow that waits, so a byte each
  std::vector<std::int16_t> out_of_, in_of_;  ///< established circuits, -1: none
  std::priority_queue<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>,
                      std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t>>, std::greater<>>
      ends_;  ///< end, sequence of the start, pair
  std::uint32_t started_ = 0;
  Plan plan_;
};

}  // namespace ocs
