// The process that serves the page of a run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/live/live_address.hpp"

namespace ocs {

/// Until the run has ended and its clients know, which takes two seconds at most. First it says on the socket that it
/// listens ("+" and the port) or why it can't ("-" and a sentence); then it hears there what the run says (live_log.hpp).
/// @param socket a SOCK_SEQPACKET whose other end the run's processes have
void serve_live_page(int socket, const LiveAddress& where, const LiveArguments& arguments);

}  // namespace ocs
