// links: ocs_control_plane_net
// Any text as a map of circuits and as a logins file: read, or refused with a sentence.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "host/control_plane/net/logins.hpp"
#include "host/control_plane/net/map_file.hpp"
#include "host/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    ocs::serve::parse_map(text, "map");
  } catch (const ocs::Error&) {
  }
  try {
    ocs::serve::parse_logins(text, "logins");
  } catch (const ocs::Error&) {
  }
  return 0;
}
