// Words that were lost: the receiver asks for them, the sender offers them again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/network.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/engine/node_exchange.hpp"

namespace ocs {

/// Hands a receiver's question to the sender. @param attempts how often a word may be sent. @throws Error (run) if
/// nothing is sent once more.
void pass_on(NodeExchange& talk, const MissingFields& missing, std::uint32_t attempts, Picos now);

/// What the receiver is told of a delivery of what was offered.
DeliveredFields delivered_fields(const Offer& offer, Delivery delivery);

/// Counts an offer, if it is of words that were lost.
void count_again(JobResult& result, const Offer& offer);

/// Counts words that are offered once more.
void count_again(JobResult& result, Words words);

}  // namespace ocs
