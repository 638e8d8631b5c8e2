// One line an algorithm of a collective.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/catalogue.hpp"

#include <string>

#include "host/core/catalogue.hpp"
#include "host/core/ids.hpp"
#include "testbed/collectives/lists.hpp"

namespace ocs {
namespace {

using enum CollectiveKind;

constexpr CollectiveKind kinds[] = {all_reduce, reduce_scatter, all_gather, all_to_all, broadcast};

}  // namespace

std::span<const CollectiveEntry> collectives() {
  static const CollectiveEntry entries[] = {
      {"ring", all_reduce, "blocks go round, one step for each neighbour, twice; one configuration of the switch",
       false, ring_all_reduce},
      {"halving_doubling", all_reduce, "halves of halves are exchanged and added, then the same way back; 2^q workers",
       true, halving_doubling},
      {"recursive_doubling", all_reduce, "all is exchanged and added, with partners at growing distance; 2^q workers",
       true, recursive_doubling},
      {"swing", all_reduce, "as halving_doubling, with partners near by on a ring, to either side in turn; 2^q workers",
       true, swing_all_reduce},
      {"swing_latency", all_reduce, "as recursive_doubling, with the partners of swing; 2^q workers", true,
       swing_latency},
      {"bruck", all_reduce, "shifts by powers of two, down and up again", false, bruck_all_reduce},
      {"ring", reduce_scatter, "blocks go round and are added", false, ring_reduce_scatter},
      {"halving", reduce_scatter, "halves of halves are exchanged and added; 2^q workers", true,
       halving_reduce_scatter},
      {"swing", reduce_scatter, "as halving, with partners near by on a ring; 2^q workers", true, swing_reduce_scatter},
      {"bruck", reduce_scatter, "shifts by powers of two, the largest first", false, bruck_reduce_scatter},
      {"ring", all_gather, "blocks go round", false, ring_all_gather},
      {"halving", all_gather, "what is there is exchanged, twice as much each time; 2^q workers", true,
       halving_all_gather},
      {"swing", all_gather, "as halving, with partners near by on a ring; 2^q workers", true, swing_all_gather},
      {"bruck", all_gather, "shifts by powers of two, the smallest first", false, bruck_all_gather},
      {"linear", all_to_all, "straight to the rank 1, 2, 3, ... further", false, linear_all_to_all},
      {"pairwise", all_to_all, "straight, in pairs that exchange; 2^q workers", true, pairwise_all_to_all},
      {"bruck", all_to_all, "shifts by powers of two; blocks travel in a few large hops", false, bruck_all_to_all},
      {"ring", all_to_all, "all go round until they are there; one configuration of the switch", false,
       ring_all_to_all},
      {"direct", all_to_all, "straight to all others at once: one matrix of demand for a scheduler, or for packets",
       false, direct_all_to_all},
      {"binomial", broadcast, "everybody who has it passes it on", false, binomial_broadcast},
      {"chain", broadcast, "chunk after chunk from rank to rank", false, chain_broadcast, true},
  };
  return entries;
}

std::span<const CollectiveKind> collective_kinds() { return kinds; }

std::vector<CollectiveEntry> algorithms_of(CollectiveKind kind) {
  std::vector<CollectiveEntry> list;
  for (const CollectiveEntry& entry : collectives())
    if (entry.kind == kind) list.push_back(entry);
  return list;
}

CollectiveKind collective_kind(std::string_view name) {
  std::string known;
  for (const CollectiveKind kind : kinds) {
    if (name_of(kind) == name) return kind;
    known += (known.empty() ? "" : ", ") + std::string(name_of(kind));
  }
  throw Error(ErrorKind::input, "unknown collective \"" + std::string(name) + "\"; known: " + known);
}

CollectiveEntry find_algorithm(CollectiveKind kind, std::string_view algorithm) {
  const std::vector<CollectiveEntry> known = algorithms_of(kind);
  return find(std::span(known), algorithm, "algorithm of " + std::string(name_of(kind)));
}

Collective make_collective(CollectiveKind kind, std::string_view algorithm, int ranks, std::uint32_t chunks) {
  return make_collective(find_algorithm(kind, algorithm), ranks, chunks);
}

Collective make_collective(const CollectiveEntry& entry, int ranks, std::uint32_t chunks) {
  const std::string name(entry.name);
  if (ranks < 2 || ranks > static_cast<int>(max_ports))
    throw Error(ErrorKind::input, name + " is for 2 to 256 workers, not for " + std::to_string(ranks));
  if (entry.power_of_two && (ranks & (ranks - 1)) != 0)
    throw Error(ErrorKind::input, name + " is for 2, 4, 8, ... workers, not for " + std::to_string(ranks));
  if (chunks < 1 || chunks > 65536)
    throw Error(ErrorKind::input, name + " is cut into 1 to 65536 chunks, not into " + std::to_string(chunks));
  Collective list = entry.make(static_cast<std::uint16_t>(ranks), chunks);
  check(list);
  return list;
}

}  // namespace ocs
