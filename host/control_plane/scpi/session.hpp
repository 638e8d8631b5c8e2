// A client that speaks SCPI: messages that end with a line feed, one error queue and one set of status registers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/control_plane/conversation.hpp"
#include "host/control_plane/station.hpp"

namespace ocs::serve::scpi {

/// @param end of answers: "\n", or "\r\n" for clients that cut two characters off. @param station outlives it.
std::unique_ptr<Conversation> make_session(Station& station, std::string_view end, std::string address = {});

}  // namespace ocs::serve::scpi
