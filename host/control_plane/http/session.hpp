// A browser or a Prometheus server: GET /, /metrics and /status.json over HTTP/1.1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/server_context.hpp"

namespace ocs::serve::http {

/// It only tells; nothing can be changed over HTTP. Where logins are required: Basic, any role.
/// @param server_context outlives it.
std::unique_ptr<ClientSession> make_session(ServerContext& server_context, std::string address = {});

}  // namespace ocs::serve::http
