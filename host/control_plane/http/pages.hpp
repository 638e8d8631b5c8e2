// What can be fetched over HTTP.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "host/control_plane/server_context.hpp"

namespace ocs::serve::http {

/// Everything in the text format of Prometheus, version 0.0.4. @param counters of each port
std::string metrics(const ServerContext& server_context, std::span<const Counters> counters);

/// Ports, map, states, tallies and the last 50 events as JSON.
std::string status(const ServerContext& server_context);

/// The counters of each port as JSON; `dark` is in cycles.
std::string counters_text(std::span<const Counters> counters);

/// The status page; it fetches the status and the counters again and again.
std::string_view page();

/// "1A" for the first input, "1B" for the first output, as in SONiC-OCS.
std::string name_of(Port port);

}  // namespace ocs::serve::http
