// What a module has to know of the register map before it asks its body.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace ocs::sysc {

/// A register, or all entries of one: of the ports, of the pairs, or of masks of 32 ports.
struct RegisterEntries {
  std::string_view group;
  std::uint32_t address, count, stride;
  int bits;
  constexpr std::uint32_t end() const { return address + count * stride; }
};

#define OCS_REGISTER(name, group, address, entries, stride, bits, access, meaning) \
  RegisterEntries{group, address, entries, stride, bits},
#define OCS_FIELD(owner, name, low, width, access, meaning)
inline constexpr RegisterEntries register_map[] = {
#include "ocs_reg_table.inc"
};
#undef OCS_REGISTER
#undef OCS_FIELD

static_assert(std::adjacent_find(std::begin(register_map), std::end(register_map),
                                 [](const auto& a, const auto& b) { return a.end() > b.address; }) ==
                  std::end(register_map),
              "the table is in the order of addresses");

/// The register whose entries contain the address; none: nullptr.
constexpr const RegisterEntries* register_at(std::uint32_t address) {
  const auto* const behind = std::upper_bound(std::begin(register_map), std::end(register_map), address,
                                              [](std::uint32_t a, const RegisterEntries& r) { return a < r.address; });
  if (behind == std::begin(register_map) || address >= (behind - 1)->end()) return nullptr;
  return behind - 1;
}

/// One half of 64 bits, the high one at addresses with bit 2: the read of a low word latches the high one.
constexpr bool is_wide(std::uint32_t address) {
  const RegisterEntries* const found = register_at(address);
  return found != nullptr && found->bits == 64;
}

/// Whether a switch of so many ports has a register there.
constexpr bool is_register(std::uint32_t address, std::size_t ports) {
  constexpr std::size_t mask_bits = 32, row = 256;  // of PAIR: for as many ports the window is laid out
  const RegisterEntries* const found = register_at(address);
  if (found == nullptr) return false;
  const std::size_t entry = (address - found->address) / found->stride;
  if (found->group == "port" || found->group == "optics") return entry < ports;
  if (found->group == "pair") return entry / row < ports && entry % row < ports;
  const bool masks = found->count == row / mask_bits;  // a word for each 32 ports; tables have other sizes
  return !masks || entry * mask_bits < ports;
}

}  // namespace ocs::sysc
