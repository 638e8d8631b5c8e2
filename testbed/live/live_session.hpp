// A browser that watches a run: the page, and its events as they come.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/server_context.hpp"
#include "testbed/live/live_log.hpp"

namespace ocs {

struct LiveShown {
  serve::ConnectionContext& context;
  const LiveLog& log;
  std::function<std::chrono::steady_clock::time_point()> now;
  std::chrono::steady_clock::time_point began;  ///< of the run
};

/// GET / is the page, GET /events a stream of server-sent events (text/event-stream). A client that takes its events
/// slowly gets fewer of them: what is said next is made up when it has taken what was said before.
/// @param shown outlives it.
std::unique_ptr<serve::ClientSession> make_live_session(const LiveShown& shown, std::string address);

}  // namespace ocs
