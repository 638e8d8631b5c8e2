// links: ocs_experiment_file
// Reads any bytes as the profile of a switch: every pair has a delay, or one sentence with a line says why not.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/experiment/files/switch_profile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ocs;
  try {
    const SwitchProfile profile =
        parse_switch_profile({reinterpret_cast<const char*>(data), size}, "fuzz", "fuzz.toml");
    if (profile.ports < 2 || profile.ports > 256) std::abort();
    for (std::uint16_t in = 0; in < profile.ports; ++in)
      for (std::uint16_t out = 0; out < profile.ports; ++out)
        if (profile.tuning_of(Input{in}, Output{out}).n < 0 || profile.locking_of(Output{out}).n < 0) std::abort();
    FabricSettings fabric;
    fabric.ports = profile.ports;
    use_switch(fabric, profile, {});
  } catch (const Error& error) {
    if (error.exit_code() != 2 || !std::string_view(error.what()).starts_with("fuzz.toml:")) std::abort();
  }
  return 0;
}
