// Names of ports, planes, nodes and pieces of work, each its own type.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "host/core/units.hpp"

namespace ocs {

inline constexpr std::size_t max_ports = 256;

enum class Input : std::uint16_t {};
enum class Output : std::uint16_t {};
enum class Plane : std::uint8_t {};
enum class Node : std::uint16_t {};  ///< a node's port v has input v and output v on every plane
enum class Id : std::uint32_t {
};  ///< of a flow, burst, transfer, coflow; given by who creates it, never reused in a run

/// A strong id's number.
template <class E>
constexpr auto index(E e) {
  return static_cast<std::underlying_type_t<E>>(e);
}

using Outputs = std::bitset<max_ports>;  ///< one bit: unicast; several: multicast

/// Calls `act` with the port number of each output of a set, in ascending order.
template <class Act>
void for_each_output(const Outputs& outputs, Act&& act) {
  for (std::size_t out = outputs._Find_first(); out < max_ports; out = outputs._Find_next(out))
    act(static_cast<std::uint16_t>(out));
}

/// Words [first, first + count) of a burst.
struct WordRun {
  Words first, count;
  friend constexpr bool operator==(const WordRun&, const WordRun&) = default;
};

}  // namespace ocs
