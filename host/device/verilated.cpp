// Picks the Verilated core and size that were built.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/verilated.hpp"

#include <span>

#include "verilated_sizes.hpp"

namespace ocs {
namespace {

const VerilatedSize* find_size(std::span<const VerilatedSize> sizes, int ports, int fifo_depth) {
  for (const VerilatedSize& size : sizes)
    if (size.ports == ports && size.fifo_depth == fifo_depth) return &size;
  return nullptr;
}

std::string list_of(std::span<const VerilatedSize> sizes, int fifo_depth) {
  std::string list;
  for (const VerilatedSize& size : sizes)
    if (size.fifo_depth == fifo_depth) list += (list.empty() ? "" : ", ") + std::to_string(size.ports);
  return list;
}

std::unique_ptr<Device> make_size(std::span<const VerilatedSize> sizes, const char* name, const char* variable,
                                  const DeviceConfig& config) {
  if (const VerilatedSize* size = find_size(sizes, config.ports, config.fifo_depth)) return size->make(config);
  throw Error(ErrorKind::input, "device \"" + std::string(name) + "\" isn't built for " + std::to_string(config.ports) +
                                    " ports; there are " + list_of(sizes, config.fifo_depth) + " (CMake variable " +
                                    variable + "), and device \"model\" takes any number");
}

}  // namespace

std::unique_ptr<Device> make_verilated(const DeviceConfig& config) {
  if (config.words)
    throw Error(ErrorKind::input, "device \"verilated\" counts words but doesn't carry them; \"verilated_fast\" does");
  return make_size(counter_sizes, "verilated", "LIGHTLOOP_SIZES", config);
}

std::unique_ptr<Device> make_verilated_fast(const DeviceConfig& config) {
  if (config.words) return make_size(word_sizes, "verilated_fast with words", "LIGHTLOOP_WORD_SIZES", config);
  return make_size(fast_sizes, "verilated_fast", "LIGHTLOOP_FAST_SIZES", config);
}

bool verilated_available(int ports, int fifo_depth) { return find_size(counter_sizes, ports, fifo_depth) != nullptr; }

bool verilated_words_available(int ports, int fifo_depth) {
  return find_size(word_sizes, ports, fifo_depth) != nullptr;
}

bool verilated_fast_available(int ports, int fifo_depth) { return find_size(fast_sizes, ports, fifo_depth) != nullptr; }

std::string verilated_sizes(int fifo_depth) { return list_of(counter_sizes, fifo_depth); }

std::string verilated_words_sizes(int fifo_depth) { return list_of(word_sizes, fifo_depth); }

std::string verilated_fast_sizes(int fifo_depth) { return list_of(fast_sizes, fifo_depth); }

}  // namespace ocs
