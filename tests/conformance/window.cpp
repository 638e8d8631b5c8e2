// Reads and writes by address.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/window.hpp"

#include <set>

#include "host/conformance/registers.hpp"

namespace ocs::conformance {

std::vector<std::optional<std::uint32_t>> answers(RegisterBus& bus, const std::vector<std::uint32_t>& addresses) {
  std::vector<std::optional<std::uint32_t>> out;
  for (const std::uint32_t address : addresses) {
    try {
      out.emplace_back(bus.read(address));
    } catch (const AccessRefused&) {
      out.emplace_back(std::nullopt);
    }
  }
  return out;
}

std::vector<std::uint32_t> refused_writes(RegisterBus& bus, const std::vector<std::uint32_t>& addresses,
                                          std::uint32_t value) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t address : addresses) {
    try {
      bus.write(address, value);
    } catch (const AccessRefused&) {
      out.push_back(address);
    }
  }
  return out;
}

std::vector<std::uint32_t> near_registers() {
  constexpr unsigned lowest = 2, bits = 20;  // of a window of 1 MiB
  std::set<std::uint32_t> out;
  for (const Register& reg : registers()) {
    out.insert(reg.address);
    for (unsigned bit = lowest; bit < bits; ++bit) out.insert(reg.address ^ (1U << bit));
  }
  return {out.begin(), out.end()};
}

}  // namespace ocs::conformance
