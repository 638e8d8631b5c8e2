// A NodeJob as bytes: what the coordinator sends to node processes that are to take part in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "testbed/nodes/node_job.hpp"

namespace ocs {

std::vector<std::byte> encode(const NodeJob& job);

/// @throws Malformed that names the field, if bytes are missing or left over or there can't be such a job
NodeJob decode_node_job(std::span<const std::byte> bytes);

}  // namespace ocs
