// Checks every message that comes.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/peer_protocol.hpp"

#include <algorithm>
#include <utility>

#include "host/transport/bytes.hpp"
#include "host/transport/fields.hpp"

namespace ocs {
namespace {

constexpr std::size_t parts_of_a_message = 3;
constexpr std::size_t most_strangers = 10'000;  // that are remembered

/// Whose `hello` may be waited for in any job; a `begin` makes the next one.
bool of_any_job(const Message& message) {
  return kind_of(message) == MessageKind::begin || kind_of(message) == MessageKind::hello;
}

/// Who a message says that it is from, and where it really came from.
std::string origin_of(RawMessage& raw) {
  const auto bytes = raw.part(0);
  std::uint32_t magic = 0;
  std::uint16_t from = 0;
  if (bytes.size() == wire_header_bytes) {  // the same place in every version
    ByteReader reader(bytes, "header");
    WireHeader ignored;
    reader(magic, ignored.version, ignored.kind, ignored.job, from);
  }
  return (magic == WireHeader{}.magic ? participant_name(from) : "a stranger") + raw.place();
}

/// Header and fields of a message.
Message control_of(RawMessage& raw) {
  try {
    const auto header = raw.part(0), second = raw.part(1);
    Message message;
    message.header =
        decode_header(header, second.size() - std::min(second.size(), control_crc_bytes), raw.part(2).size());
    const auto fields = fields_of(header, second);
    message.fields.assign(fields.begin(), fields.end());
    return message;
  } catch (const Malformed& refusal) {
    throw Malformed(origin_of(raw) + " sent what can't be read: " + refusal.what());
  }
}

}  // namespace

PeerProtocol::Peer& PeerProtocol::peer(std::uint16_t participant) {
  if (participant != coordinator_id && participant >= max_ports)
    throw Error(ErrorKind::internal, "participant " + std::to_string(participant) + " doesn't exist");
  return peers_[participant == coordinator_id ? max_ports : participant];
}

void PeerProtocol::number(Message& message) {
  Peer& receiver = peer(message.header.to);
  message.header.from = self_;
  message.header.sequence = ++receiver.sent;
  message.header.acknowledged = receiver.seen;
  message.header.job = job_;
  message.header.payload_bytes = message.payload.size;
}

std::optional<Message> PeerProtocol::accept(RawMessage& raw) {
  const std::uint64_t connection = guarded_ ? raw.connection() : 0;
  if (guarded_ && strangers_.contains(connection)) {
    ++dropped_;
    return std::nullopt;
  }
  try {
    Message message = read(raw);
    place(message, connection, raw);
    if (message.header.job != job_ && !of_any_job(message)) return std::nullopt;
    message.payload = raw.payload(message.header);
    return message;
  } catch (const Malformed& refusal) {
    if (!guarded_ || is_participants(connection)) throw;
    drop(connection, refusal.what());
    return std::nullopt;
  }
}

bool PeerProtocol::is_participants(std::uint64_t connection) const {
  return std::any_of(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.connection == connection; });
}

void PeerProtocol::drop(std::uint64_t connection, const std::string& reason) {
  ++dropped_;
  last_dropped_ = reason;
  if (strangers_.size() >= most_strangers) strangers_.clear();  // the next message of each is refused again
  strangers_.insert(connection);
}

std::string PeerProtocol::dropped() const {
  if (dropped_ == 0) return "";
  return std::to_string(dropped_) + (dropped_ == 1 ? " message" : " messages") +
         " of strangers, the last reason: " + last_dropped_;
}

Message PeerProtocol::read(RawMessage& raw) {
  if (raw.parts() != parts_of_a_message)
    throw Malformed(origin_of(raw) + " sent what can't be read: a message has " + std::to_string(raw.parts()) +
                    " parts; it should have 3");
  Message message = control_of(raw);
  if (message.header.to != self_)
    throw Malformed("a message to " + participant_name(message.header.to) + " came to " + participant_name(self_));
  return message;
}

/// Is it its sender's turn, and does it come by its sender's connection?
void PeerProtocol::place(const Message& message, std::uint64_t connection, RawMessage& raw) {
  const WireHeader& header = message.header;
  Peer& sender = peer(header.from);
  const std::string who = participant_name(header.from);
  const bool next = header.sequence == sender.seen + 1;
  // With a key, ZeroMQ may have connected anew: the peer goes on where it was.
  const bool known = sender.connection == connection || (proven_ && next && sender.seen > 0);
  if (!next && (known || sender.connection == 0 || !guarded_))
    throw Malformed("message " + std::to_string(header.sequence) + " of " + who + " came to " +
                    participant_name(self_) + " when number " + std::to_string(sender.seen + 1) + " was due");
  if (!known) {
    if (is_participants(connection)) throw Malformed(who + " spoke by the connection of another participant");
    const bool taken = sender.connection != 0;
    std::string reason = admission_ ? admission_(message, taken) : "";
    if (reason.empty() && taken) reason = "is there another " + who + raw.place() + "?";
    if (!reason.empty()) throw Malformed(reason);
    if (guarded_) raw.admit();
  }
  if (header.job > job_ && !of_any_job(message))
    throw Malformed(who + " spoke of job " + std::to_string(header.job) + "; it is job " + std::to_string(job_));
  sender.connection = connection;
  sender.seen = header.sequence;
}

}  // namespace ocs
