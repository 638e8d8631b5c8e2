// A switch whose registers are in the memory of this machine: a UIO device, a BAR of a PCIe device, or a served file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "host/device/board/board.hpp"

namespace ocs {

inline constexpr std::size_t window_bytes = 0x80000;  ///< of the register map (docs/registers.md)

/// @param config.place what to map:
/// - "/dev/uioN": its map 0, with its interrupt (read() of the device);
/// - ".../resourceN" of a PCIe device in sysfs, which must be enabled; no interrupt is used;
/// - a file of `lightloop serve --registers`: by one access after another (WindowFile); its time goes on by itself or
///   is virtual, as it was served;
/// - any other file as it is, at least as long as the register map.
/// @throws Error (input) if it isn't there, is too short, or holds another switch than configured; Error (run) if it
///         can't be mapped or no switch answers.
std::unique_ptr<Device> make_mapped(const DeviceConfig& config);

/// Size and offset of map 0 of a UIO device, from `sysfs`/class/uio/NAME/maps/map0. @throws Error (run) as above.
struct UioMap {
  std::uint64_t size, offset;
};
UioMap read_uio_map(const std::filesystem::path& sysfs, const std::string& name);

/// A line that is read as UIO's is: 4 bytes whenever it has risen; 1 written arms it again.
/// @param descriptor stays the caller's. @param arms whether it is to be armed.
std::unique_ptr<InterruptLine> make_uio_interrupt(int descriptor, const std::string& where, bool arms);

}  // namespace ocs
