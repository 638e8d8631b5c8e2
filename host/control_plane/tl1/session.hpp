// A client that speaks TL1: commands that end with a semicolon, answers, and autonomous messages between them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/tl1/command_context.hpp"

namespace ocs::serve::tl1 {

/// Autonomous messages are told once the client has logged in. @param server_context, element outlive it.
std::unique_ptr<ClientSession> make_session(ServerContext& server_context, Element& element, std::string address = {});

}  // namespace ocs::serve::tl1
