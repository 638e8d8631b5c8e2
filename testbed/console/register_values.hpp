// Registers and fields read and written whole: 64-bit halves, fields within a register, words for what values mean.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "host/core/device.hpp"
#include "testbed/console/register_map.hpp"

namespace ocs::console {

/// The whole register, low word first. @throws AccessRefused.
std::uint64_t read_entry(RegisterBus& bus, const RegisterInfo& reg, std::uint32_t entry);

/// The register's or the field's value.
std::uint64_t read_value(RegisterBus& bus, const RegisterInfo& reg, const FieldInfo* field, std::uint32_t entry);

/// Writes a register whole, or a field alone: its neighbours keep their values (read, modify, write), but where a 1
/// acts or clears, in commands and sticky bits, they are written 0.
/// @throws Error (input) if the value doesn't fit or nothing can be written there; AccessRefused.
void write_value(RegisterBus& bus, const RegisterInfo& reg, const FieldInfo* field, std::uint32_t entry,
                 std::uint64_t value);

/// Whether a read gives what was written last, if the switch has taken it.
bool keeps_writes(const RegisterInfo& reg, const FieldInfo* field);

/// Refuses to read what can only be written. @throws Error (input).
void check_readable(const RegisterInfo& reg);

/// "1953125 (0x1dcd65)", or "0x80000002  INPUT=2 VALID=1" of a register with several fields.
/// @param bits of such a register, fields that have none of them are left out
std::string text_of(const RegisterInfo& reg, const FieldInfo* field, std::uint64_t value,
                    std::uint64_t bits = ~std::uint64_t{0});

/// The names of the bits that are set: "RANGE LATE"; "none" if none is. @param reg a register of single bits.
std::string set_bits(const RegisterInfo& reg, std::uint64_t value);

}  // namespace ocs::console
