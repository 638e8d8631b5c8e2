// Endpoints of participants that are processes: where a node receives, given where its coordinator does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <zmq.hpp>

#include "host/core/ids.hpp"

namespace ocs {

inline const std::string endpoint_examples = "\"tcp://ADDRESS:PORT\" or \"ipc://PATH\"";

/// Where node `self` binds: over tcp a free port ("*") at the address by which this host reaches the coordinator, so
/// that other nodes reach it by it; over ipc a path beside the coordinator's.
/// @throws Error (input) if `coordinator` is no endpoint of these two kinds, or its host isn't known
std::string own_endpoint(const std::string& coordinator, Node self);

/// Messages to it don't leave this host: over ipc, or tcp to 127.0.0.0/8 or "localhost".
bool stays_on_this_host(std::string_view endpoint);

/// Lets the kernel find out, within about a minute, that a host at the other end of a tcp connection has vanished.
void keep_alive(zmq::socket_t& socket);

}  // namespace ocs
