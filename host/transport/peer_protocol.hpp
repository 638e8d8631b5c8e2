// What a participant checks of every message that comes, whatever carries it: form, checksum, connection, order, job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>

#include "host/transport/wire.hpp"

namespace ocs {

/// A message as it came by a connection, before anything of it is believed.
class RawMessage {
 public:
  virtual ~RawMessage() = default;
  virtual std::uint64_t connection() = 0;  ///< from 1; 0: connections aren't told apart
  virtual std::size_t parts() const = 0;
  virtual std::span<const std::byte> part(std::size_t n) const = 0;  ///< n < parts()
  virtual std::string place() = 0;                                   ///< " at 10.0.0.2", or empty
  virtual void admit() = 0;                                          ///< its connection is a participant's
  virtual Payload payload(const WireHeader& header) = 0;             ///< of a message that was taken; once
};

/// Numbers what is sent and checks what comes, for one participant.
///
/// Where connections are told apart, one is a participant's from its first message on, if that is taken; what else
/// comes from it is dropped, and so is everything from a connection whose first message is refused. What a
/// participant's own connection brings must be right. Else every message is a participant's.
class PeerProtocol {
 public:
  /// Empty, or why a connection whose first message is this one isn't its sender's. `taken`: another connection is.
  using Admission = std::function<std::string(const Message& first, bool taken)>;

  /// @param guarded connections are told apart. @param proven who has one has shown a key
  PeerProtocol(std::uint16_t self, bool guarded, bool proven) : self_(self), guarded_(guarded), proven_(proven) {}

  /// All that is sent belongs to this job. What arrives of an earlier one is dropped, except `hello`; `begin` may be
  /// of a later one. Until it is called, the job is 0.
  void set_job(std::uint32_t job) { job_ = job; }
  std::uint32_t job() const { return job_; }
  /// Decides whose a new connection is. Without it, the first message of a participant decides.
  void admit_by(Admission admission) { admission_ = std::move(admission); }
  /// "3 messages of strangers, the last reason: ..."; empty: nothing was dropped.
  std::string dropped() const;

  /// Fills in sender, job, sequence, acknowledged and payload_bytes. @throws Error (internal): no such participant
  void number(Message& message);
  /// Nothing: it is of a job that has ended, or a stranger's. @throws Malformed for what isn't a message to this
  /// participant in its turn, from the connection of a participant.
  std::optional<Message> accept(RawMessage& raw);

 private:
  struct Peer {
    std::uint64_t sent = 0, seen = 0;
    std::uint64_t connection = 0;  ///< that its messages come by; 0: none yet, or they aren't told apart
  };
  Peer& peer(std::uint16_t participant);
  Message read(RawMessage& raw);
  void place(const Message& message, std::uint64_t connection, RawMessage& raw);
  void drop(std::uint64_t connection, const std::string& reason);
  bool is_participants(std::uint64_t connection) const;

  std::uint16_t self_;
  bool guarded_, proven_;
  std::uint32_t job_ = 0;
  Admission admission_;
  std::unordered_set<std::uint64_t> strangers_;  ///< connections of which a message was refused
  std::uint64_t dropped_ = 0;                    ///< messages
  std::string last_dropped_;                     ///< why
  std::array<Peer, 257> peers_;                  ///< the last one is the coordinator
};

}  // namespace ocs
