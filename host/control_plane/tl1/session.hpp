// A client that speaks TL1: commands that end with a semicolon, answers, and autonomous messages between them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/control_plane/conversation.hpp"
#include "host/control_plane/tl1/scene.hpp"

namespace ocs::serve::tl1 {

/// Autonomous messages are told once the client has logged in. @param station, element outlive it.
std::unique_ptr<Conversation> make_session(Station& station, Element& element, std::string address = {});

}  // namespace ocs::serve::tl1
