// Snapshots: the list of registers is made once for a number of ports.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/snapshot.hpp"

#include <iterator>

#include "host/conformance/access.hpp"
#include "host/conformance/event_words.hpp"
#include "ocs_regs.h"

namespace ocs::conformance {
namespace {

struct Row {
  const char* name;
  std::size_t offset;
  bool wide = false, setting = false;
};

constexpr bool wide = true, setting = true;

#define TOP(member) #member, offsetof(ocs_regs_t, member)
#define CORE(member) #member, offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, member)
#define PORT(member) #member, offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, member)
#define OPTICS(member) #member, offsetof(ocs_regs_t, optics) + offsetof(ocs_regs__optics_t, member)

constexpr Row device_rows[] = {{CORE(TIME), wide},
                               {CORE(STATUS)},
                               {CORE(ERROR)},
                               {CORE(IRQ_STATUS)},
                               {CORE(EVENT_TIME), wide},
                               {CORE(COMMITS), wide},
                               {CORE(REFUSED), wide},
                               {CORE(LATE), wide},
                               {CORE(DROPPED), wide},
                               {TOP(CTRL), !wide, setting},
                               {TOP(IRQ_ENABLE), !wide, setting},
                               {TOP(SEQ_OFFSET), !wide, setting},
                               {TOP(SEQ_LEN), !wide, setting},
                               {TOP(SEQ_PERIOD), !wide, setting},
                               {TOP(PROG), !wide, setting},
                               {TOP(PROG_LANES), !wide, setting},
                               {TOP(RECEIVER), !wide, setting},
                               {TOP(DISTURB), !wide, setting},
                               {TOP(DISTURB_AT), !wide, setting},
                               {TOP(LEVEL), !wide, setting},
                               {TOP(LOS_ASSERT), !wide, setting},
                               {TOP(LOS_RELEASE), !wide, setting},
                               {TOP(RING_AFTER), !wide, setting},
                               {TOP(RING), !wide, setting},
                               {TOP(RINGS), !wide, setting},
                               {TOP(COMMIT_TAG), !wide, setting},
                               {TOP(BRIEF), !wide, setting},
                               {CORE(COMMIT_AT), wide, setting},
                               {CORE(SEQ_BASE), wide, setting}};

constexpr Row mask_rows[] = {{CORE(SEG_FULL)}, {CORE(CHANGED)}, {CORE(ENDED)}, {CORE(SEQ_LAUNCH), !wide, setting}};

constexpr Row port_rows[] = {{PORT(STATE)},
                             {PORT(ACTIVE)},
                             {PORT(ENGINE)},
                             {PORT(SEG)},
                             {PORT(SEG_FIRST)},
                             {PORT(SEG_COUNT)},
                             {PORT(PASSED), wide},
                             {PORT(LOST), wide},
                             {PORT(DARK), wide},
                             {PORT(TUNINGS), wide},
                             {PORT(RESTARTS), wide},
                             {PORT(SENT), wide},
                             {PORT(UNROUTED), wide},
                             {OPTICS(MISROUTED), wide},
                             {OPTICS(POWER)},
                             {PORT(SHADOW), !wide, setting},
                             {PORT(BASE), !wide, setting},
                             {PORT(SLOW), !wide, setting},
                             {PORT(LOCK), !wide, setting},
                             {PORT(JITTER_MASK), !wide, setting},
                             {PORT(FLAP), !wide, setting},
                             {PORT(FAULT), !wide, setting},
                             {OPTICS(LASER), !wide, setting},
                             {OPTICS(LOSS), !wide, setting},
                             {PORT(LEN), !wide, setting},
                             {PORT(GAP), !wide, setting},
                             {PORT(REPEAT), !wide, setting},
                             {PORT(BURST), !wide, setting},
                             {PORT(SOURCE), !wide, setting}};

#undef TOP
#undef CORE
#undef PORT
#undef OPTICS

/// States of outputs have names.
std::string value_text(const std::string& name, std::uint64_t value) {
  return name.starts_with("STATE[") ? state_name(value) : std::to_string(value);
}

}  // namespace

SnapshotPlan::SnapshotPlan(int ports, bool settings) {
  const auto add = [&](const Row& row, int index, int count) {
    if (row.setting && !settings) return;
    const std::string suffix = count == 0 ? "" : "[" + std::to_string(index) + "]";
    entries_.push_back(
        {row.name + suffix,
         static_cast<std::uint32_t>(row.offset) + static_cast<std::uint32_t>(index) * (row.wide ? 8U : 4U), row.wide});
  };
  const int masks = (ports + 31) / 32;
  for (const Row& row : device_rows) add(row, 0, 0);
  for (const Row& row : mask_rows)
    for (int k = 0; k < masks; ++k) add(row, k, masks);
  for (int p = 0; p < ports; ++p)
    for (const Row& row : port_rows) add(row, p, ports);
}

std::vector<std::uint64_t> SnapshotPlan::take(RegisterBus& bus) const {
  std::vector<std::uint64_t> out;
  out.reserve(entries_.size());
  for (const Entry& entry : entries_)
    out.push_back(entry.wide ? read_wide(bus, entry.address) : bus.read(entry.address));
  return out;
}

std::string SnapshotPlan::difference(std::span<const std::uint64_t> expected,
                                     std::span<const std::uint64_t> got) const {
  if (expected.size() != entries_.size() || got.size() != entries_.size()) return "snapshots of different devices";
  std::string first;
  std::size_t differing = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (expected[i] == got[i]) continue;
    if (differing++ == 0)
      first = entries_[i].name + " is " + value_text(entries_[i].name, got[i]) + ", not " +
              value_text(entries_[i].name, expected[i]);
  }
  if (differing > 1) first += " (and " + std::to_string(differing - 1) + " more)";
  return first;
}

}  // namespace ocs::conformance
