// links: ocs_control_plane ocs_control_plane_http ocs_device
// Any bytes from a client that speaks HTTP: answered or refused, never a crash, nor a wait without end.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "host/control_plane/http/session.hpp"
#include "tests/fuzz/client_session.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ocs;
  test::converse(data, size,
                 [](serve::ServerContext& server_context) { return serve::http::make_session(server_context); });
  return 0;
}
