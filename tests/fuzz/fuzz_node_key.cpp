// links: ocs_transport
// Reads any text as a key file: what is a key is read from its own text as the same key.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "host/transport/node_key.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ocs::NodeKey key = ocs::parse_node_key({reinterpret_cast<const char*>(data), size});
    if (ocs::parse_node_key(key.secret).open != key.open || key.open.size() != 40) std::abort();
  } catch (const ocs::Error& error) {
    if (error.exit_code() != 2) std::abort();
  }
  return 0;
}
