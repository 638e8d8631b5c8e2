// Frames of firmware/ocs_mailbox.h on the host's side: written, taken apart, told in a sentence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/ocs_mailbox.h"
#include "host/core/switch.hpp"

namespace ocs {

using MailboxFrame = std::vector<std::uint32_t>;

/// @param payload at most OCS_MB_MOST_WORDS words.
MailboxFrame mailbox_frame(ocs_mb_command command, std::uint32_t sequence, std::span<const std::uint32_t> payload);

/// A change of the map as an entry of a payload.
std::uint32_t map_entry(const Select& select);

/// An answer, or an alarm.
struct MailboxAnswer {
  std::uint32_t code = 0, status = 0, sequence = 0;
  std::uint64_t cycle = 0;           ///< in which it was given
  std::vector<std::uint32_t> words;  ///< behind the stamp

  bool alarm() const { return code == OCS_MB_ALARM; }
};

/// @throws Error (run) for what no firmware sends.
MailboxAnswer read_answer(std::span<const std::uint32_t> frame);

/// "connect", "map", ...; "command 77" for an unknown one.
std::string mailbox_command_name(std::uint32_t code);

/// What was refused and why, with the documented code: "OCS_MB_E_CONFLICT: input 3 would feed output 5, but output 2
/// has it". Of an alarm: what has happened.
std::string told(const MailboxAnswer& answer);

}  // namespace ocs
