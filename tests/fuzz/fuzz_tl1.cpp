// links: ocs_control_plane ocs_device
// Any bytes from a client that speaks TL1: answered or refused, never a crash, nor a wait without end.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "host/control_plane/tl1/session.hpp"
#include "tests/fuzz/client_session.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ocs;
  serve::tl1::Element element;
  test::converse(data, size, [&](serve::ServerContext& server_context) {
    return serve::tl1::make_session(server_context, element);
  });
  return 0;
}
