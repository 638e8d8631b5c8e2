// One table of names each for commands, statuses and alarms.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/soc/mailbox_frames.hpp"

#include <array>

#include "firmware/ocs_dev.h"

namespace ocs {
namespace {

constexpr std::array<std::string_view, 33> commands{
    "",           "version", "self-test",  "modes",        "delays",
    "pairs",      "connect", "disconnect", "map",          "burst",
    "stop",       "state",   "counters",   "preset store", "preset recall",
    "fault log",  "retries", "inject",     "table entry",  "table go",
    "table stop", "hang",    "seed",       "jitter",       "programming",
    "receivers",  "disturb", "power",      "ringing",      "light",
    "slow",       "flap",    "retry"};

struct Status {
  std::string_view name, meaning;
};
constexpr std::array<Status, 12> statuses{{
    {"OCS_MB_OK", "done"},
    {"OCS_MB_E_FRAME", "that was no frame, and what had been sent up to there was dropped"},
    {"OCS_MB_E_COMMAND", "there is no such command"},
    {"OCS_MB_E_LENGTH", "its payload has the wrong number of words"},
    {"OCS_MB_E_PORT", "it names a port that isn't there"},
    {"OCS_MB_E_TWICE", "it names an output twice"},
    {"OCS_MB_E_CONFLICT", "an input would feed two outputs"},
    {"OCS_MB_E_VALUE", "one of its values doesn't fit its field"},
    {"OCS_MB_E_BUSY", "a burst of that input still runs, or a table is played"},
    {"OCS_MB_E_RESET", "it came while the firmware was starting, and was dropped"},
    {"OCS_MB_E_BUS", "the switch refused an access (SLVERR)"},
    {"OCS_MB_E_OPTION", "the switch has no such option, or the preset was never stored"},
}};

std::string text(std::uint32_t n) { return std::to_string(n); }

std::string alarm_text(const MailboxAnswer& answer) {
  const std::uint32_t alarm = answer.words[0], first = answer.words[1], second = answer.words[2];
  switch (alarm) {
    case OCS_MB_ALARM_RESTART:
      return "the firmware was reset by its watchdog and has started again; commands that it dropped: " + text(second);
    case OCS_MB_ALARM_FAULT:
      return "output " + text(first) + " failed: " +
             (second == OCS_CAUSE_STUCK       ? "its mirror is stuck"
              : second == OCS_CAUSE_LIGHT     ? "no light"
              : second == OCS_CAUSE_MISROUTED ? "its mirror is stuck and shows another input"
                                              : "no cause");
    case OCS_MB_ALARM_GIVEN_UP:
      return "output " + text(first) + " failed for good after " + text(second) + " retries";
    case OCS_MB_ALARM_RECOVERED:
      return "output " + text(first) + " is up after " + text(second) + " retries";
    case OCS_MB_ALARM_REFUSED:
      return "the switch refused a map that the firmware held for good, source " + text(first);
    case OCS_MB_ALARM_LATE:
      return "a map was taken " + text(first) + " cycles late";
    case OCS_MB_ALARM_EVENTS:
      return "events were lost; the firmware has read the map anew";
    case OCS_MB_ALARM_BUS:
      return "the switch refused an access (OCS_MB_E_BUS) during " +
             (second == 0 ? "no command" : "command " + mailbox_command_name(second)) +
             "; refused so far: " + text(first);
    default:
      return "alarm " + text(alarm);
  }
}

}  // namespace

MailboxFrame mailbox_frame(ocs_mb_command command, std::uint32_t sequence, std::span<const std::uint32_t> payload) {
  MailboxFrame frame{static_cast<std::uint32_t>(command) | static_cast<std::uint32_t>(payload.size()) << 16, sequence};
  frame.insert(frame.end(), payload.begin(), payload.end());
  return frame;
}

std::uint32_t map_entry(const Select& select) {
  return std::uint32_t{index(select.out)} << 16 | (select.in ? index(*select.in) : std::uint32_t{OCS_DARK});
}

MailboxAnswer read_answer(std::span<const std::uint32_t> frame) {
  constexpr std::size_t least = OCS_MB_FRAME_WORDS + OCS_MB_STAMP_WORDS;
  if (frame.size() < least || frame[0] >> 16 != frame.size() - OCS_MB_FRAME_WORDS)
    throw Error(ErrorKind::run, "the firmware sent a frame of " + std::to_string(frame.size()) +
                                    " words, but its header says otherwise");
  MailboxAnswer answer{.code = frame[0] & 0xff,
                       .status = frame[0] >> 8 & 0xff,
                       .sequence = frame[1],
                       .cycle = std::uint64_t{frame[3]} << 32 | frame[2],
                       .words = {frame.begin() + least, frame.end()}};
  if (answer.alarm() && answer.words.size() != 3)
    throw Error(ErrorKind::run, "the firmware sent an alarm of " + std::to_string(answer.words.size()) +
                                    " words behind its stamp instead of 3");
  return answer;
}

std::string mailbox_command_name(std::uint32_t code) {
  return code > 0 && code < commands.size() ? std::string(commands[code]) : "command " + text(code);
}

std::string told(const MailboxAnswer& answer) {
  if (answer.alarm()) return alarm_text(answer);
  if (answer.status >= statuses.size()) return "status " + text(answer.status);
  const Status& status = statuses[answer.status];
  std::string sentence = std::string(status.name) + ": ";
  const auto& words = answer.words;
  if (answer.status == OCS_MB_E_CONFLICT && words.size() == 3)
    return sentence + "input " + text(words[1]) + " would feed output " + text(words[0]) + ", but output " +
           text(words[2]) + " has it";
  sentence += status.meaning;
  if ((answer.status == OCS_MB_E_PORT || answer.status == OCS_MB_E_TWICE) && words.size() == 3)
    sentence += " (output " + text(words[0]) + (words[1] == OCS_DARK ? "" : ", input " + text(words[1])) + ")";
  if (answer.status == OCS_MB_E_PORT && words.size() == 1) sentence += " (" + text(words[0]) + ")";
  return sentence;
}

}  // namespace ocs
