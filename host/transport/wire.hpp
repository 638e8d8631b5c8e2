// The wire format: what the first part of every message says, and how it becomes 64 little-endian bytes and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/message.hpp"

namespace ocs {

/// The coordinator's number among the participants; nodes are 0 to 255.
inline constexpr std::uint16_t coordinator_id = 0xffff;

inline constexpr std::size_t wire_header_bytes = sizeof(WireHeader);
inline constexpr std::uint64_t max_payload_bytes = std::uint64_t{4} * 1024 * 1024;  ///< of one message
inline constexpr std::size_t max_fields_bytes = std::size_t{1024} * 1024;
inline constexpr std::size_t control_crc_bytes = 4;  ///< behind the fields

/// Bit of WireHeader::flags: the batch that this message belongs to is complete.
inline constexpr std::uint32_t flag_end_of_batch = 1;
/// Bit of WireHeader::flags: the third part is a reference into memory that sender and receiver share
/// (shared_memory.hpp); payload_bytes is the size of what it refers to.
inline constexpr std::uint32_t flag_shared_payload = 2;
inline constexpr std::size_t shared_reference_bytes = 12;

/// What a message is; decides the layout of its fields (fields.hpp).
enum class MessageKind : std::uint16_t {
  tick = 1,     ///< coordinator: it is the time that you promised
  compute,      ///< coordinator to worker: compute an iteration
  release,      ///< coordinator to server: these workers may pull
  delivered,    ///< coordinator to receiver: these words of a transfer have passed
  finish,       ///< coordinator: answer `done` when all payload work is done
  stop,         ///< coordinator: leave
  ack,          ///< node: nothing to say but its promise
  offers,       ///< node: transfers that are ready at the message's time
  pushed,       ///< server: all words of a push are in
  pulled,       ///< worker: all pulls of an iteration are in
  missing,      ///< receiver: a transfer ended without these words
  working,      ///< node: it lives, and payload work goes on
  done,         ///< node: no payload work is left; what came of it
  fault,        ///< node: it has failed
  chunk,        ///< node to node: payload
  credit,       ///< node to node: so many more chunks may be sent
  hello,        ///< node process: it is there, and where it can be reached
  begin,        ///< coordinator to a node process: a job, and where everybody is
  ready,        ///< node process: it has made itself ready for the job
  leave,        ///< coordinator to a node process: there is no further job
  ping,         ///< coordinator: are you there? answered by `working`
  computed,     ///< worker: it has computed, and was told to offer nothing
  history,      ///< coordinator: what became of pushes, and which model pulls got; for the payload
  map,          ///< coordinator to all nodes: which server owns which key from an iteration on
  map_ack,      ///< node: it goes by this version of the map
  migrated,     ///< server: all words of a key that it owns now are in
  wrong_owner,  ///< server, and on to the worker: a push came under an old version of the map
  snapshot,     ///< server: a part of its model as it was after some updates, to be scored
  receivers,    ///< coordinator to peer: send the model of a round to these
  average,      ///< coordinator to peer: average your model with these
  aborted,      ///< coordinator to peer: a model that you offered to another isn't carried any further
  steps,        ///< coordinator to rank: a leg of a collective has begun; what the rank sends and receives in it
  sends,        ///< coordinator to a node of coflows: one is released; what the node sends of it
};
inline constexpr MessageKind last_kind = MessageKind::sends;

std::string_view name_of(MessageKind kind);
/// "node 3" or "the coordinator".
std::string participant_name(std::uint16_t participant);

/// Thrown by the decoders; says which field is wrong, its value, and what would be right.
class Malformed : public Error {
 public:
  explicit Malformed(const std::string& sentence) : Error(ErrorKind::run, sentence) {}
};

std::array<std::byte, wire_header_bytes> encode(const WireHeader& header);

/// Checks every field that has a wrong value whatever the message: length, magic, version, kind, participants, times,
/// flags, and that the sizes of parts 2 and 3 are what the header and the limits say.
/// @throws Malformed
WireHeader decode_header(std::span<const std::byte> bytes, std::size_t fields_bytes, std::size_t payload_bytes);

/// Whom a header names as receiver, before anything of it is checked; nothing: it is too short for that.
std::optional<std::uint16_t> receiver_of(std::span<const std::byte> header);

/// The second part of a message: its fields, and behind them the CRC-32C of header and fields, little-endian.
std::vector<std::byte> second_part(std::span<const std::byte> header, std::span<const std::byte> fields);
/// The fields of a second part. @throws Malformed if its checksum is not that of header and fields: they were damaged.
std::span<const std::byte> fields_of(std::span<const std::byte> header, std::span<const std::byte> second_part);

}  // namespace ocs
