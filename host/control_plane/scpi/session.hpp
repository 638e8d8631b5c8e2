// A client that speaks SCPI: messages that end with a line feed, one error queue and one set of status registers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/server_context.hpp"

namespace ocs::serve::scpi {

/// @param end of answers: "\n", or "\r\n" for clients that cut two characters off. @param server_context outlives it.
std::unique_ptr<ClientSession> make_session(ServerContext& server_context, std::string_view end,
                                            std::string address = {});

}  // namespace ocs::serve::scpi
