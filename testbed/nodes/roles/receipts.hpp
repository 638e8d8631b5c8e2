// Which words of the transfers to a node have arrived, and what that means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "host/core/message.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/run_set.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// A sender's answer to a receiver that misses words: it offers them again. @param map version of the map of keys that
/// it goes by
Message offer_again(const MissingFields& missing, std::uint32_t map, Picos heard);

/// A receiver learns of loss as one does in a network: by words behind those that it misses, or when an attempt is
/// over. It asks at once for what it misses, in a further attempt. Words that come all the same, or in two attempts,
/// change nothing. In one attempt each word comes at most once, and those of one delivery in their order: that is
/// checked by a digest.
class Receipts {
 public:
  explicit Receipts(const NodeJob& job) : latency_(job.control_latency) {}

  /// Adds what a Delivery says. What is lost is asked for by messages `missing`, appended to `out`; they are heard
  /// `control_latency` after `now`.
  /// @returns true once for each transfer: all its words are in
  /// @throws Error (run) for words of an attempt that isn't under way, and for words that came in another order than
  /// they were sent, twice, or without being sent in that attempt.
  bool on(const DeliveredFields& delivered, Picos now, std::vector<Message>& out);

 private:
  struct Attempt {
    RunSet expected;     ///< words that may still come
    std::uint32_t sent;  ///< how often these words have been sent, with this attempt
    RunSet owed;         ///< words of it that haven't come
  };
  struct Transfer {
    RunSet arrived;
    std::map<std::uint32_t, Attempt> attempts;  ///< under way
    std::uint32_t next = 1;                     ///< attempt
    bool whole = false;
  };
  static void check_order(const DeliveredFields& delivered, Attempt& attempt);
  void ask(const DeliveredFields& of, Transfer& transfer, const RunSet& lost, std::uint32_t sent, Picos now,
           std::vector<Message>& out) const;

  Picos latency_;
  std::map<TransferKey, Transfer> open_;
};

}  // namespace ocs
