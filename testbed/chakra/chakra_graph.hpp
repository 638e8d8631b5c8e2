// The traces of all ranks as one graph: what computes, what is exchanged, what waits for what.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/chakra/chakra_trace.hpp"
#include "testbed/collectives/collective.hpp"

namespace ocs {

inline constexpr std::string_view chakra_prefix = "chakra:";

/// Process groups by name.
using ChakraGroups = std::map<std::string, std::vector<std::uint16_t>, std::less<>>;

/// What several ranks do together: a collective, a barrier (no bytes), or a send with its receive.
struct ChakraExchange {
  enum class What : std::uint8_t { collective, barrier, message } what;
  CollectiveKind kind = CollectiveKind::all_reduce;  ///< of a collective
  std::vector<std::uint16_t> ranks;                  ///< of a message: sender, receiver
  std::int64_t bytes = 0;  ///< of the whole vector; of an all-to-all what each rank has; of a message
};

struct ChakraGraph {
  struct Step {
    std::uint16_t rank;
    std::uint32_t number;          ///< of the node in its trace
    std::int64_t duration_us = 0;  ///< of computing
    bool on_cpu = false, computes = false;
    std::int32_t exchange = -1;        ///< that it takes part in; -1: none
    std::uint32_t waits_for = 0;       ///< how many steps
    std::vector<std::uint32_t> after;  ///< steps that wait for it
  };
  std::uint16_t ranks = 0;
  std::vector<Step> steps;  ///< by rank, then as in its trace
  std::vector<ChakraExchange> exchanges;
  std::string hash;  ///< of the traces' bytes, as far as they mean anything
};

/// @throws Error (input) that names nodes by name, id and rank: content that isn't supported, an unknown group,
/// collectives or messages that don't match, a cycle, a deadlock
ChakraGraph make_chakra_graph(const std::vector<ChakraTrace>& traces, const ChakraGroups& groups);

/// {"0": [0, 1], "1": [2, 3]}. @throws Error (input)
ChakraGroups parse_chakra_groups(std::string_view text, std::string_view origin);

/// "trace.%d.et" or "trace.%d.et?groups=FILE": %d is the rank, from 0 to the last one that there is.
/// @throws Error (input): no "%d", fewer than 2 ranks, a missing rank
struct ChakraInput {
  std::vector<ChakraTrace> traces;
  ChakraGroups groups;
};
ChakraInput load_chakra(std::string_view pattern, const std::filesystem::path& base);

}  // namespace ocs
