// links: ocs_experiment_file
// Reads any bytes as the profile of a switch: every pair has a delay, or one sentence with a line says why not.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/experiment/files/switch_profile.hpp"

namespace {

/// Levels of all ports, or none, that registers can hold.
bool fits(const ocs::LightLevels& levels, std::size_t ports) {
  const auto sizes = {levels.lasers.size(), levels.losses.size()};
  return std::ranges::all_of(sizes, [&](std::size_t size) { return size == 0 || size == ports; }) &&
         std::ranges::all_of(levels.lasers, [](int laser) { return laser >= -32768 && laser <= 32767; }) &&
         std::ranges::all_of(levels.losses, [](int loss) { return loss >= 0 && loss <= 65535; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ocs;
  try {
    const SwitchProfile profile =
        parse_switch_profile({reinterpret_cast<const char*>(data), size}, "fuzz", "fuzz.toml");
    if (profile.ports < 2 || profile.ports > 256) std::abort();
    for (std::uint16_t in = 0; in < profile.ports; ++in)
      for (std::uint16_t out = 0; out < profile.ports; ++out)
        if (profile.tuning_of(Input{in}, Output{out}).n < 0 || profile.locking_of(Output{out}).n < 0) std::abort();
    if (profile.light && !fits(*profile.light, static_cast<std::size_t>(profile.ports))) std::abort();
    FabricSettings fabric;
    fabric.ports = profile.ports;
    use_switch(fabric, profile, {});
  } catch (const Error& error) {
    if (error.exit_code() != 2 || !std::string_view(error.what()).starts_with("fuzz.toml:")) std::abort();
  }
  return 0;
}
