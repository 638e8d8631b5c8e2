// --firmware-log and --firmware-trace: what the firmware of a device prints, and each instruction that it fetches.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

#include "host/core/device.hpp"

namespace ocs {

struct FirmwareFiles {
  std::string log, trace;  ///< empty: none; "-": standard error
  bool any() const { return !log.empty() || !trace.empty(); }
};

/// Lines "cycle text" and "cycle address function"; with several planes "plane NUMBER" follows the cycle. Cycles are
/// the device's, counted from its power-up.
class FirmwareWatch {
 public:
  /// @throws Error (input) for a file that can't be written.
  explicit FirmwareWatch(const FirmwareFiles& files);
  /// The device is to go before the watch does. @throws Error (input) for one without firmware.
  /// @param plane of several
  /// @param see is told of each line that is printed, too; may be empty
  void attach(Device& device, std::optional<std::size_t> plane = std::nullopt, const Mailbox::ConsoleLine& see = {});
  /// @throws Error (input) when not all could be written.
  void finish();

 private:
  FirmwareFiles files_;
  std::ofstream log_, trace_;
};

}  // namespace ocs
