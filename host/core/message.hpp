// What nodes and the coordinator say to each other, and the seams that carry it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

/// First part of every message, little-endian. Parts 2 and 3: fields (by kind) with a checksum, payload.
struct WireHeader {
  std::uint32_t magic = 0x4c4c4f50;
  std::uint16_t version = 12, kind = 0;
  std::uint32_t job = 0;
  std::uint16_t from = 0, to = 0;
  std::uint64_t sequence = 0;
  std::uint64_t acknowledged = 0;  ///< highest sequence from the peer that this message has seen
  std::int64_t at_ps = 0;
  std::int64_t promise_ps = 0;  ///< "until you send me something, I send nothing stamped earlier"
  std::uint64_t payload_bytes = 0;
  std::uint32_t payload_crc32c = 0, flags = 0;
};
static_assert(sizeof(WireHeader) == 64 && std::is_trivially_copyable_v<WireHeader>);

/// A view that keeps its owner alive; never copied.
struct Payload {
  std::shared_ptr<const std::byte[]> data;
  std::size_t size = 0;
};

struct Message {
  WireHeader header;
  std::vector<std::byte> fields;
  Payload payload;
};

class Sender {
 public:
  virtual ~Sender() = default;
  virtual void send(Message) = 0;
};

class Transport : public Sender {
 public:
  virtual std::optional<Message> receive(
      std::chrono::milliseconds patience) = 0;  ///< in order per peer; any order between peers
  /// The time by which `patience` counts. It can end a run, never change a result.
  virtual std::chrono::steady_clock::time_point now() const { return std::chrono::steady_clock::now(); }
};

/// One class a role; the same in a thread, a process, on another host.
class NodeLogic {
 public:
  virtual ~NodeLogic() = default;
  virtual Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) = 0;  ///< returns its promise
};

}  // namespace ocs
