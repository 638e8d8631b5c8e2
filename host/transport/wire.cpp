// The wire header's codec and its checks.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/wire.hpp"

#include <isa-l/crc.h>

#include <type_traits>

#include "host/transport/bytes.hpp"

namespace ocs {
namespace {

template <class Archive, class Header>
void visit(Archive& archive, Header& h) {
  archive(h.magic, h.version, h.kind, h.job, h.from, h.to, h.sequence, h.acknowledged, h.at_ps, h.promise_ps,
          h.payload_bytes, h.payload_crc32c, h.flags);
}

/// @param expected the words, or what makes them: nearly all messages are right, and their words aren't made
template <class Text>
void check(bool right, const char* field, std::int64_t value, Text&& expected) {
  if (right) return;
  std::string words;
  if constexpr (std::is_invocable_v<Text>)
    words = expected();
  else
    words = expected;
  throw Malformed("a message's " + std::string(field) + " is " + std::to_string(value) + "; it should be " + words);
}

std::uint32_t control_crc(std::span<const std::byte> header, std::span<const std::byte> fields) {
  std::uint32_t crc = 0xffffffff;
  for (const auto part : {header, fields}) {
    auto* data = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(part.data()));  // ISA-L only reads
    crc = crc32_iscsi(data, static_cast<int>(part.size()), crc);
  }
  return ~crc;
}

bool is_participant(std::uint16_t p) { return p < max_ports || p == coordinator_id; }

}  // namespace

std::string_view name_of(MessageKind kind) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(last_kind) + 1> names = {
      "?",           "tick",     "compute",   "release", "delivered", "finish",  "stop",  "ack",     "offers",
      "pushed",      "pulled",   "missing",   "working", "done",      "fault",   "chunk", "credit",  "hello",
      "begin",       "ready",    "leave",     "ping",    "computed",  "history", "map",   "map_ack", "migrated",
      "wrong_owner", "snapshot", "receivers", "average", "aborted",   "steps",   "sends"};
  const auto number = static_cast<std::size_t>(kind);
  return number < names.size() ? names[number] : names[0];
}

std::string participant_name(std::uint16_t participant) {
  return participant == coordinator_id ? "the coordinator" : "node " + std::to_string(participant);
}

std::array<std::byte, wire_header_bytes> encode(const WireHeader& header) {
  std::array<std::byte, wire_header_bytes> bytes{};
  ByteWriter writer(bytes);
  visit(writer, header);
  return bytes;
}

WireHeader decode_header(std::span<const std::byte> bytes, std::size_t fields_bytes, std::size_t payload_bytes) {
  const auto number = [](auto n) { return static_cast<std::int64_t>(n); };
  check(bytes.size() == wire_header_bytes, "header length", number(bytes.size()),
        [] { return std::to_string(wire_header_bytes); });
  WireHeader h;
  ByteReader reader(bytes, "header");
  visit(reader, h);
  check(h.magic == WireHeader{}.magic, "magic", h.magic, [] { return std::to_string(WireHeader{}.magic); });
  check(h.version == WireHeader{}.version, "version", h.version, [] { return std::to_string(WireHeader{}.version); });
  check(h.kind >= 1 && h.kind <= static_cast<std::uint16_t>(last_kind), "kind", h.kind,
        [] { return "1 to " + std::to_string(static_cast<int>(last_kind)); });
  check(is_participant(h.from), "sender", h.from, "0 to 255 or 65535");
  check(is_participant(h.to), "receiver", h.to, "0 to 255 or 65535");
  check(h.sequence > 0, "sequence", number(h.sequence), "1 or more");
  check(h.at_ps >= 0, "time", h.at_ps, "0 or more");
  check(h.promise_ps >= 0, "promise", h.promise_ps, "0 or more");
  check((h.flags & ~(flag_end_of_batch | flag_shared_payload)) == 0, "flags", h.flags, "0 to 3");
  check(fields_bytes <= max_fields_bytes, "field length", number(fields_bytes), "at most 1 MiB");
  check(h.payload_bytes <= max_payload_bytes, "payload length", number(h.payload_bytes), "at most 4 MiB");
  if ((h.flags & flag_shared_payload) != 0) {
    check(payload_bytes == shared_reference_bytes, "reference length", number(payload_bytes),
          [] { return std::to_string(shared_reference_bytes); });
    check(h.payload_bytes > 0, "payload length", 0, "1 or more, because it is shared");
  } else {
    check(h.payload_bytes == payload_bytes, "payload length", number(h.payload_bytes),
          [&] { return std::to_string(payload_bytes) + ", the size of its third part"; });
  }
  check(h.payload_bytes == 0 || h.kind == static_cast<std::uint16_t>(MessageKind::chunk) ||
            h.kind == static_cast<std::uint16_t>(MessageKind::snapshot),
        "payload length", number(h.payload_bytes), "0, because only chunks and snapshots carry payload");
  return h;
}

std::optional<std::uint16_t> receiver_of(std::span<const std::byte> header) {
  WireHeader h;
  constexpr std::size_t behind_it =
      sizeof h.magic + sizeof h.version + sizeof h.kind + sizeof h.job + sizeof h.from + sizeof h.to;
  if (header.size() < behind_it) return std::nullopt;
  ByteReader reader(header, "header");
  reader(h.magic, h.version, h.kind, h.job, h.from, h.to);
  return h.to;
}

std::vector<std::byte> second_part(std::span<const std::byte> header, std::span<const std::byte> fields) {
  std::vector<std::byte> part;
  part.reserve(fields.size() + control_crc_bytes);
  part.assign(fields.begin(), fields.end());
  ByteAppender appender(std::move(part));
  appender(control_crc(header, fields));
  return appender.take();
}

std::span<const std::byte> fields_of(std::span<const std::byte> header, std::span<const std::byte> second_part) {
  if (second_part.size() < control_crc_bytes)
    throw Malformed("a message's checksum is missing; its second part has " + std::to_string(second_part.size()) +
                    " bytes");
  const auto fields = second_part.first(second_part.size() - control_crc_bytes);
  ByteReader reader(second_part.last(control_crc_bytes), "checksum");
  std::uint32_t sent = 0;
  reader(sent);
  if (sent != control_crc(header, fields))
    throw Malformed("a message does not have the checksum that came with it: it was damaged on the way");
  return fields;
}

}  // namespace ocs
