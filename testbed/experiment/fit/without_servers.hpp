// What workers without servers ask for in common: collectives (collective.hpp) and peers (peer_keys.hpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// A key that must have its one right value.
struct Condition {
  const char* key;
  bool (*holds)(const Point&);
  const char* right;
};

/// Checks `own`, then what is alike for all that have no servers.
/// @param key that asks for it, as "job.peers"; @param value of it
/// @throws Error (input) for the first that doesn't hold
void check_without_servers(const Point& point, const Origins& origins, const char* key, const std::string& value,
                           std::span<const Condition> own);

/// @param kept words that all workers together keep with full payload
/// @throws Error (input) if full payload is asked for, and that is too much
void check_payload_without_servers(const Point& point, const Origins& origins, const char* key,
                                   const std::string& value, std::int64_t kept);

}  // namespace ocs
