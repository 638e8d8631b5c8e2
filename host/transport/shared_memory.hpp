// Memory that the node processes of one host share: payload lies there, and messages carry references to it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "host/core/ids.hpp"
#include "host/core/message.hpp"
#include "host/transport/wire.hpp"

namespace ocs {

/// Where a payload lies in its owner's region; `shared_reference_bytes` on the wire.
struct SharedReference {
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;  ///< bytes from the beginning of the region
};

std::array<std::byte, shared_reference_bytes> encode(const SharedReference& reference);
/// @throws Malformed
SharedReference decode_reference(std::span<const std::byte> bytes);

/// One sparse file in memory without a name, with a region for each node: the coordinator makes it, its node processes
/// inherit it, and it is gone with the last of them. A node hands out buffers of its own region. Each buffer has a
/// count of its holders in all processes and is free when nobody holds it, so a payload needs no message to be given
/// back.
///
/// Only for processes that trust each other as much as threads do: all of them can write everywhere.
class SharedMemory {
 public:
  static constexpr std::size_t region_bytes = std::size_t{64} << 20;
  static constexpr std::size_t control_bytes = 4096;  ///< of a region, first: the counts
  static constexpr std::size_t max_buffers = control_bytes / sizeof(std::uint32_t);

  /// Makes it. @throws Error (run)
  SharedMemory();
  /// Opens what was inherited; takes over the descriptor. @throws Error (run) if it is no such memory.
  explicit SharedMemory(int descriptor);
  int descriptor() const;

  /// From now on the region of `self` consists of as many buffers of `bytes` > 0 as there is room for.
  void cut(Node self, std::size_t bytes);
  /// The first free buffer; nullptr: there is none. Needs cut(). It is free again when the last holder in any process
  /// has let go.
  std::shared_ptr<std::byte[]> take();

  /// Buffers of the own region that were in use at one time, the most since cut().
  std::size_t most_in_use() const { return most_in_use_; }

  /// Lends a payload that lies in a buffer of the own region to whom the reference is sent; nothing: it lies elsewhere.
  std::optional<SharedReference> lend(const Payload& payload);
  /// The other end of lend(): a view that gives the buffer back. @throws Malformed if there can't be such a payload.
  Payload open(Node owner, const SharedReference& reference, std::size_t bytes);

 private:
  struct Mapping;
  std::shared_ptr<Mapping> mapping_;
  Node self_{};
  std::size_t bytes_ = 0, most_in_use_ = 0;
};

}  // namespace ocs
