// Picks the Verilated size with checks that was built; says where waveforms go.
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/checked.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "checked_sizes.hpp"

namespace ocs {
namespace {

const CheckedSize* find(int ports, int fifo_depth) {
  for (const CheckedSize& size : checked_table)
    if (size.ports == ports && size.fifo_depth == fifo_depth) return &size;
  return nullptr;
}

}  // namespace

std::unique_ptr<Device> make_checked(const DeviceConfig& config) { return make_traced(config, ""); }

std::unique_ptr<Device> make_traced(const DeviceConfig& config, const std::string& waveform) {
  const CheckedSize* size = find(config.ports, config.fifo_depth);
  if (size == nullptr)
    throw Error(ErrorKind::input, "no device with checks is built for " + std::to_string(config.ports) + " ports and " +
                                      std::to_string(config.fifo_depth) +
                                      " event records (CMake variable LIGHTLOOP_CHECKED_SIZES)");
  return size->make(config, waveform);
}

bool checked_available(int ports, int fifo_depth) { return find(ports, fifo_depth) != nullptr; }

std::optional<std::string> waveform_of(const std::string& name) {
  const char* named = std::getenv("LIGHTLOOP_TRACE");
  const std::filesystem::path folder = named != nullptr ? named : LIGHTLOOP_TRACES;
  if (folder == "off") return std::nullopt;
  std::filesystem::create_directories(folder);
  return (folder / (name + ".fst")).string();
}

}  // namespace ocs
