// Counters in an answer of the firmware.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/device/soc/mailbox_frames.hpp"

namespace ocs::test {

/// 64 bits that begin at a word of an answer, the lower half first. @throws std::out_of_range
inline std::uint64_t wide_word(const MailboxAnswer& answer, std::size_t n) {
  return std::uint64_t{answer.words.at(n + 1)} << 32 | answer.words.at(n);
}

}  // namespace ocs::test
