// One line a collective.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/catalogue.hpp"

#include <string>

#include "host/core/catalogue.hpp"
#include "host/core/ids.hpp"

namespace ocs {
namespace {

constexpr CollectiveEntry entries[] = {
    {"ring", "blocks go round, one step for each neighbour, twice; one configuration of the switch", ring},
    {"halving_doubling", "halves of halves are exchanged and added, then the same way back; 2^q workers",
     halving_doubling},
    {"recursive_doubling", "all is exchanged and added, with partners at growing distance; 2^q workers",
     recursive_doubling},
};

}  // namespace

std::span<const CollectiveEntry> collectives() { return entries; }

std::uint32_t power_of_two(std::uint16_t ranks, std::string_view collective) {
  if (ranks < 2 || (ranks & (ranks - 1)) != 0)
    throw Error(ErrorKind::input,
                std::string(collective) + " is for 2, 4, 8, ... workers, not for " + std::to_string(ranks));
  return ranks;
}

Collective make_collective(std::string_view name, int ranks) {
  const CollectiveEntry& entry = find(collectives(), name, "collective");
  if (ranks < 2 || ranks > static_cast<int>(max_ports))
    throw Error(ErrorKind::input, std::string(name) + " is for 2 to 256 workers, not for " + std::to_string(ranks));
  Collective list = entry.make(static_cast<std::uint16_t>(ranks));
  check(list);
  return list;
}

}  // namespace ocs
