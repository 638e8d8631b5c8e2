// Every register of the window by name, as rtl/regs/ocs.rdl describes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ocs::console {

struct FieldInfo {
  std::string_view owner, name;
  int low, width;  ///< bits low to low + width - 1
  std::string_view access, meaning;

  constexpr std::uint64_t most() const { return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }
};

struct RegisterInfo {
  std::string_view name, group;   ///< group: config, core, port, pair
  std::uint32_t address;          ///< byte address of entry 0
  std::uint32_t entries, stride;  ///< stride: bytes from one entry to the next
  int bits;                       ///< 32 or 64
  std::string_view access;        ///< R, RW, W, RW1C
  std::string_view meaning;       ///< may be empty

  constexpr bool readable() const { return access.front() == 'R'; }
  constexpr bool writable() const { return access != "R"; }
};

/// All registers in the order of their addresses.
std::span<const RegisterInfo> register_map();

/// Its fields, lowest bits first. The memory PAIR has none.
std::span<const FieldInfo> fields_of(const RegisterInfo& reg);

/// Which registers and which part of them: "BASE[3]", "BASE[0:7]", "BASE[*]", "STATE[2].CAUSE", "PAIR[1][*]".
struct RegisterName {
  const RegisterInfo* reg;
  const FieldInfo* field;              ///< null: the whole register
  std::vector<std::uint32_t> entries;  ///< at least one, in the order in which they are to be accessed
};

/// Upper and lower case are alike. An index is decimal, a range FIRST:LAST, or * for all that the switch has. A single
/// register needs none.
/// @param ports of the switch: what * stands for; larger indices are left to the switch to refuse.
/// @throws Error (input) that names the register, the index or the field, and what would be right.
RegisterName parse_register_name(std::string_view text, int ports);

/// @param name upper and lower case are alike. @throws Error (input) with the name most like it.
const RegisterInfo& register_called(std::string_view name);

/// "BASE[3]", "PAIR[1][2]", "TIME"
std::string name_of(const RegisterInfo& reg, std::uint32_t entry);

/// Byte address of an entry.
std::uint32_t address_of(const RegisterInfo& reg, std::uint32_t entry);

/// How many of its entries a switch with so many ports has.
std::uint32_t entries_of(const RegisterInfo& reg, int ports);

/// Names that begin so, whatever their case: registers, or after a dot the fields of one.
std::vector<std::string> names_beginning(std::string_view text);

}  // namespace ocs::console
