// Chakra traces as bytes, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ocs::test {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
  return bytes + static_cast<char>(value);
}

inline std::string field(int number, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(number) * 8) + varint(value);
}

inline std::string field(int number, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(number) * 8 + 2) + varint(bytes.size()) + bytes;
}

struct TestNode {
  std::uint64_t id;
  int type;
  std::vector<std::uint64_t> waits_for{};
  std::uint64_t duration_us = 0;
  std::vector<std::pair<std::string, std::uint64_t>> numbers{};
  std::string group{};
};

inline std::string node_bytes(const TestNode& node) {
  std::string bytes =
      field(1, node.id) + field(2, "n" + std::to_string(node.id)) + field(3, static_cast<std::uint64_t>(node.type));
  std::string packed;
  for (const std::uint64_t other : node.waits_for) packed += varint(other);
  if (!packed.empty()) bytes += field(5, packed);
  if (node.duration_us > 0) bytes += field(7, node.duration_us);
  for (const auto& [name, value] : node.numbers) bytes += field(10, field(1, name) + field(9, value));
  if (!node.group.empty()) bytes += field(10, field(1, std::string("pg_name")) + field(29, node.group));
  return bytes;
}

/// A file: metadata, then nodes, each behind its length.
inline std::string trace_bytes(const std::vector<TestNode>& nodes) {
  const std::string metadata = field(1, std::string("0.0.4"));
  std::string bytes = varint(metadata.size()) + metadata;
  for (const TestNode& node : nodes) {
    const std::string one = node_bytes(node);
    bytes += varint(one.size()) + one;
  }
  return bytes;
}

inline TestNode compute_node(std::uint64_t id, std::uint64_t us, std::vector<std::uint64_t> waits_for = {}) {
  return {id, 4, std::move(waits_for), us};
}

/// @param type as the schema numbers collectives: 0 all-reduce, 2 all-gather, 6 all-to-all
inline TestNode collective_node(std::uint64_t id, std::uint64_t type, std::uint64_t size,
                                std::vector<std::uint64_t> waits_for = {}, std::string group = "") {
  return {id, 7, std::move(waits_for), 0, {{"comm_type", type}, {"comm_size", size}}, std::move(group)};
}

inline TestNode send_node(std::uint64_t id, std::uint64_t to, std::uint64_t size,
                          std::vector<std::uint64_t> waits_for = {}) {
  return {id, 5, std::move(waits_for), 0, {{"comm_dst", to}, {"comm_size", size}}};
}

inline TestNode receive_node(std::uint64_t id, std::uint64_t from, std::uint64_t size,
                             std::vector<std::uint64_t> waits_for = {}) {
  return {id, 6, std::move(waits_for), 0, {{"comm_src", from}, {"comm_size", size}}};
}

}  // namespace ocs::test
