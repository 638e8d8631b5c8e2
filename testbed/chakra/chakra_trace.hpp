// One rank's execution trace in the format of MLCommons Chakra, read strictly (docs/chakra.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ocs {

/// As the schema numbers them.
enum class ChakraType : std::uint8_t { invalid, metadata, mem_load, mem_store, compute, send, receive, collective };

struct ChakraNode {
  std::uint64_t id = 0;
  std::string name;
  ChakraType type = ChakraType::invalid;
  std::vector<std::uint64_t> waits_for;  ///< control and data dependencies
  std::int64_t duration_us = 0;
  bool on_cpu = false;
  std::int64_t comm_type = -1;  ///< of a collective, as the schema numbers them; -1: not said
  std::int64_t bytes = -1;      ///< -1: not said
  std::int64_t source = -1, destination = -1, tag = 0;
  std::int64_t root = -1;
  std::string group;  ///< of processes; empty: all ranks
};

struct ChakraTrace {
  std::string file;
  std::vector<ChakraNode> nodes;
};

/// What the schema calls a collective, "ALL_REDUCE"; or its number.
std::string chakra_collective_name(std::int64_t comm_type);

/// Messages, each behind its length: metadata, then nodes. @param origin for messages
/// @throws Error (input) that names file and node: bytes that aren't such messages, a type that the schema doesn't
/// have, two nodes of one id, a dependency on a node that isn't there, a negative or too large duration or size
ChakraTrace parse_chakra_trace(std::string_view bytes, std::string_view origin);

}  // namespace ocs
