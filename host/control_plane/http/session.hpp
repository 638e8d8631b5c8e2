// A browser or a Prometheus server: GET /, /metrics and /status.json over HTTP/1.1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/control_plane/conversation.hpp"
#include "host/control_plane/station.hpp"

namespace ocs::serve::http {

/// It only tells; nothing can be changed over HTTP. Where logins are required: Basic, any role.
/// @param station outlives it.
std::unique_ptr<Conversation> make_session(Station& station, std::string address = {});

}  // namespace ocs::serve::http
