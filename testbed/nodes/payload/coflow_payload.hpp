// What a node of coflows does with payload: it makes what it sends, and checks what comes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbed/nodes/payload/payload_roles.hpp"

namespace ocs {

/// A transfer's name says whether its words cross between nodes, or are only counted.
inline constexpr std::uint32_t payload_slice = 0, silent_slice = 1;

/// Every transfer has numbers of its own: the pattern, shifted by coflow, sender and receiver. So what reaches another
/// node, or belongs to another coflow, is noticed. Nothing is kept.
/// full: every number crosses and is compared. digest: the CRC of each chunk crosses; both sides work it out.
class CoflowPayload {
 public:
  explicit CoflowPayload(PayloadTools tools) : tools_(tools) {}

  void make(const Outgoing& chunk, std::vector<Message>& append);
  void take(const WholeChunk& chunk, PayloadTotals& totals) const;

 private:
  PatternSlice slice(const TransferKey& key, WordRun part) const;
  std::size_t floats_in(Words words) const;
  std::uint32_t digest(const TransferKey& key, WordRun part) const;

  PayloadTools tools_;
};

}  // namespace ocs
