// What every network asks of a transfer that is offered.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "host/core/network.hpp"

namespace ocs {

/// "transfer 7"
std::string name_of_transfer(Id transfer);

/// The words of a transfer that a network can carry.
/// @param reached what advance() last returned
/// @throws Error (input) for one that goes to nobody, to itself, to a node twice or to one without a port, for one that
/// is empty or has more than max_flow_words (flow_limit.hpp), and for one that was ready in the past.
Words checked_words(const Transfer& transfer, int ports, std::int64_t word_bytes, Picos reached);

}  // namespace ocs
