// links: ocs_test_firmware
// Any words in the mailbox of the firmware's controller: it answers each frame, never hangs, never breaks the map.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tests/firmware/rig.hpp"

namespace {

using namespace ocs;

constexpr int ports = 5;
constexpr std::size_t most_steps = 24;

/// Without multicast no input feeds two outputs, however a map was asked for.
void check_map(test::HostFirmware& firmware) {
  std::uint32_t used = 0;
  for (std::uint16_t o = 0; o < ports; ++o) {
    const std::uint16_t input = firmware.selected(o);
    if (input == OCS_DARK) continue;
    if (input >= ports || (used >> input & 1) != 0) std::abort();
    used |= 1u << input;
  }
}

}  // namespace

/// A byte says what comes: raw words (their number and bytes), a frame with a right header, time, or a restart.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::HostFirmware firmware(ports, 4);
  if (firmware.start() != 0) std::abort();
  std::size_t at = 0;
  const auto byte = [&]() -> std::uint32_t { return at < size ? data[at++] : 0u; };
  bool multicast = false;
  for (std::size_t step = 0; step < most_steps && at < size; ++step) {
    const std::uint32_t what = byte();
    std::vector<std::uint32_t> words;
    if (what < 64) {
      for (std::uint32_t n = what % 8; n > 0; --n) words.push_back(byte() | byte() << 8 | byte() << 16 | byte() << 24);
    } else if (what < 192) {
      const std::uint32_t code = byte() % 24, count = what % 8;
      if (code == OCS_MB_HANG) continue;  // the rig has no watchdog
      multicast = multicast || code == OCS_MB_MODES;
      words = {code | count << 16, static_cast<std::uint32_t>(step)};
      for (std::uint32_t n = 0; n < count; ++n) {  // mostly small: ports, entries, cycles near by
        const std::uint32_t small = byte();
        words.push_back(small < 200 ? small % 8 : small < 250 ? (small % 6) << 16 | (small / 6 % 6) : 0u - small);
      }
    } else if (what < 250) {
      firmware.run(what - 191);
    } else {
      firmware.start(OCS_MB_RESET_WATCHDOG);
    }
    firmware.post(words);
    firmware.work();
    for (const MailboxAnswer& answer : firmware.answers())
      if (told(answer).empty()) std::abort();
    if (!firmware.app().blocked && firmware.tail != firmware.head) std::abort();  // everything was taken
    if (!multicast && !firmware.app().multicast) check_map(firmware);
  }
  return 0;
}
