// The fields of the schema, by their numbers, over libprotobuf's reader of the wire format.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/chakra/chakra_trace.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

/// Fields of et_def.proto of the package mlc-chakra 1.0.0.
namespace chakra_field {
constexpr std::uint32_t id = 1, name = 2, type = 3, ctrl_deps = 4, data_deps = 5, duration_micros = 7, attr = 10;
constexpr std::uint32_t attr_name = 1, double_val = 3, float_val = 5, int32_val = 7, int64_val = 9, uint32_val = 11,
                        uint64_val = 13, sint32_val = 15, sint64_val = 17, fixed32_val = 19, fixed64_val = 21,
                        sfixed32_val = 23, sfixed64_val = 25, bool_val = 27, string_val = 29;
}  // namespace chakra_field

constexpr std::uint64_t most_duration_us = 10'000'000'000;  // 10,000 s
constexpr std::int64_t most_chakra_bytes = std::int64_t{1} << 40;
constexpr std::array<std::string_view, 10> collective_names_of_chakra{
    "ALL_REDUCE", "REDUCE",         "ALL_GATHER",           "GATHER", "SCATTER", "BROADCAST",
    "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"};

/// An attribute of a node; a value of another kind than these stays out.
struct ChakraAttribute {
  std::string name, text;
  std::int64_t number = 0;
  bool is_number = false;
};

bool read_varint(CodedInputStream& in, std::uint32_t tag, std::uint64_t& value) {
  return WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_VARINT && in.ReadVarint64(&value);
}

bool read_text(CodedInputStream& in, std::uint32_t tag, std::string& text) {
  std::uint32_t size = 0;
  return WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED && in.ReadVarint32(&size) &&
         static_cast<int>(size) >= 0 && in.ReadString(&text, static_cast<int>(size));
}

/// A value of fixed size, or a varint, whatever the field says of its sign.
bool read_number(CodedInputStream& in, std::uint32_t tag, ChakraAttribute& to) {
  const std::uint32_t field = static_cast<std::uint32_t>(WireFormatLite::GetTagFieldNumber(tag));
  const auto wire = WireFormatLite::GetTagWireType(tag);
  std::uint64_t wide = 0;
  std::uint32_t narrow = 0;
  if (wire == WireFormatLite::WIRETYPE_VARINT) {
    if (!in.ReadVarint64(&wide)) return false;
    const bool zigzag = field == chakra_field::sint32_val || field == chakra_field::sint64_val;
    to.number = zigzag ? WireFormatLite::ZigZagDecode64(wide) : static_cast<std::int64_t>(wide);
  } else if (wire == WireFormatLite::WIRETYPE_FIXED64) {
    if (!in.ReadLittleEndian64(&wide)) return false;
    to.number = field == chakra_field::double_val ? -1 : static_cast<std::int64_t>(wide);
  } else if (wire == WireFormatLite::WIRETYPE_FIXED32) {
    if (!in.ReadLittleEndian32(&narrow)) return false;
    to.number = field == chakra_field::float_val ? -1 : static_cast<std::int32_t>(narrow);
  } else {
    return WireFormatLite::SkipField(&in, tag);
  }
  to.is_number = true;
  return true;
}

/// Reads the fields of an embedded message. @param field reads one of them
template <class Field>
bool read_message(CodedInputStream& in, const Field& field) {
  std::uint32_t size = 0;
  if (!in.ReadVarint32(&size) || static_cast<int>(size) < 0 || in.BytesUntilLimit() < static_cast<int>(size))
    return false;
  const CodedInputStream::Limit limit = in.PushLimit(static_cast<int>(size));
  for (std::uint32_t tag = in.ReadTag(); tag != 0; tag = in.ReadTag())
    if (!field(tag)) return false;
  const bool whole = in.ConsumedEntireMessage() && in.BytesUntilLimit() == 0;
  in.PopLimit(limit);
  return whole;
}

bool read_attribute(CodedInputStream& in, std::uint32_t node_tag, ChakraAttribute& to) {
  if (WireFormatLite::GetTagWireType(node_tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) return false;
  return read_message(in, [&](std::uint32_t tag) {
    const auto field = static_cast<std::uint32_t>(WireFormatLite::GetTagFieldNumber(tag));
    if (field == chakra_field::attr_name) return read_text(in, tag, to.name);
    if (field == chakra_field::string_val) return read_text(in, tag, to.text);
    return field >= chakra_field::double_val ? read_number(in, tag, to) : WireFormatLite::SkipField(&in, tag);
  });
}

/// Packed, as proto3 writes them, or one by one.
bool read_ids(CodedInputStream& in, std::uint32_t tag, std::vector<std::uint64_t>& to) {
  if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED)
    return read_varint(in, tag, to.emplace_back());
  std::uint32_t size = 0;
  if (!in.ReadVarint32(&size) || static_cast<int>(size) < 0 || in.BytesUntilLimit() < static_cast<int>(size))
    return false;
  const CodedInputStream::Limit limit = in.PushLimit(static_cast<int>(size));
  while (in.BytesUntilLimit() > 0)
    if (!in.ReadVarint64(&to.emplace_back())) return false;
  in.PopLimit(limit);
  return true;
}

void apply_attribute(const ChakraAttribute& one, ChakraNode& node) {
  if (one.name == "is_cpu_op" && one.is_number) node.on_cpu = one.number != 0;
  if (one.name == "comm_type" && one.is_number) node.comm_type = one.number;
  if (one.name == "comm_size" && one.is_number) node.bytes = one.number;
  if (one.name == "tensor_size" && one.is_number && node.bytes < 0) node.bytes = one.number;
  if (one.name == "comm_src" && one.is_number) node.source = one.number;
  if (one.name == "comm_dst" && one.is_number) node.destination = one.number;
  if (one.name == "comm_tag" && one.is_number) node.tag = one.number;
  if (one.name == "root" && one.is_number) node.root = one.number;
  if (one.name == "pg_name") node.group = one.is_number ? std::to_string(one.number) : one.text;
}

bool read_node(CodedInputStream& in, ChakraNode& node, std::uint64_t& type, std::uint64_t& duration) {
  return read_message(in, [&](std::uint32_t tag) {
    ChakraAttribute attribute;
    switch (static_cast<std::uint32_t>(WireFormatLite::GetTagFieldNumber(tag))) {
      case chakra_field::id:
        return read_varint(in, tag, node.id);
      case chakra_field::name:
        return read_text(in, tag, node.name);
      case chakra_field::type:
        return read_varint(in, tag, type);
      case chakra_field::ctrl_deps:
      case chakra_field::data_deps:
        return read_ids(in, tag, node.waits_for);
      case chakra_field::duration_micros:
        return read_varint(in, tag, duration);
      case chakra_field::attr:
        if (!read_attribute(in, tag, attribute)) return false;
        apply_attribute(attribute, node);
        return true;
      default:
        return WireFormatLite::SkipField(&in, tag);
    }
  });
}

[[noreturn]] void refuse_trace(std::string_view origin, const std::string& what) {
  throw Error(ErrorKind::input, "Chakra trace " + in_quotes(origin) + " " + what);
}

std::string node_text(const ChakraNode& node) {
  return "node " + std::to_string(node.id) + " (" + in_quotes(node.name) + ")";
}

void check_node(const ChakraNode& node, std::uint64_t type, std::uint64_t duration, std::string_view origin) {
  if (type == 0 || type > static_cast<std::uint64_t>(ChakraType::collective))
    refuse_trace(origin, "has " + node_text(node) + " of type " + std::to_string(type) +
                             ", but types are 1 (metadata) to 7 (collective)");
  if (duration > most_duration_us)
    refuse_trace(
        origin, "has " + node_text(node) + " of " + std::to_string(duration) + " us, but at most 10000 s are possible");
  if (node.bytes > most_chakra_bytes)
    refuse_trace(origin, "has " + node_text(node) + " of " + std::to_string(node.bytes) +
                             " bytes, but at most 2^40 are possible");
}

void check_dependencies(const ChakraTrace& trace, std::string_view origin) {
  std::unordered_set<std::uint64_t> ids;
  for (const ChakraNode& node : trace.nodes)
    if (!ids.insert(node.id).second) refuse_trace(origin, "has two nodes with id " + std::to_string(node.id));
  for (const ChakraNode& node : trace.nodes)
    for (const std::uint64_t other : node.waits_for)
      if (!ids.contains(other))
        refuse_trace(origin, "has " + node_text(node) + ", which depends on node " + std::to_string(other) +
                                 ", but there is no such node");
}

}  // namespace

std::string chakra_collective_name(std::int64_t comm_type) {
  if (comm_type >= 0 && comm_type < static_cast<std::int64_t>(collective_names_of_chakra.size()))
    return std::string(collective_names_of_chakra[static_cast<std::size_t>(comm_type)]);
  return "collective " + std::to_string(comm_type);
}

ChakraTrace parse_chakra_trace(std::string_view bytes, std::string_view origin) {
  if (bytes.starts_with("\x1f\x8b")) refuse_trace(origin, "is compressed; unpack it with gunzip");
  if (bytes.size() > std::size_t{1} << 30) refuse_trace(origin, "has more than 2^30 bytes");
  ChakraTrace trace{std::string(origin), {}};
  CodedInputStream in(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
  const CodedInputStream::Limit whole = in.PushLimit(static_cast<int>(bytes.size()));
  if (!read_message(in, [&](std::uint32_t tag) { return WireFormatLite::SkipField(&in, tag); }))
    refuse_trace(origin, "doesn't begin with a message of metadata behind its length");
  while (in.BytesUntilLimit() > 0) {
    ChakraNode& node = trace.nodes.emplace_back();
    std::uint64_t type = 0, duration = 0;
    if (!read_node(in, node, type, duration))
      refuse_trace(origin,
                   "is damaged: message " + std::to_string(trace.nodes.size()) + " after the metadata is no node");
    check_node(node, type, duration, origin);
    node.type = static_cast<ChakraType>(type);
    node.duration_us = static_cast<std::int64_t>(duration);
    std::sort(node.waits_for.begin(), node.waits_for.end());
    node.waits_for.erase(std::unique(node.waits_for.begin(), node.waits_for.end()), node.waits_for.end());
  }
  in.PopLimit(whole);
  if (trace.nodes.empty()) refuse_trace(origin, "has no nodes");
  check_dependencies(trace, origin);
  return trace;
}

}  // namespace ocs
