// Images for the soft core, as the build has made them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ocs {

struct FirmwareSymbol {
  std::uint32_t address;
  std::string_view name;
};

struct FirmwareImage {
  std::span<const std::uint32_t> image;     ///< with its header (firmware/ocs_mailbox.h)
  std::span<const std::uint32_t> boot;      ///< for the ROM
  std::span<const FirmwareSymbol> symbols;  ///< functions, by address
};

/// The switch's controller: firmware/rv32/main.c.
FirmwareImage switch_firmware();

}  // namespace ocs
