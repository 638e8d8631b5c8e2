// Reads all of it in the order of the addresses.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/console/dump.hpp"

#include <algorithm>

#include "testbed/console/register_values.hpp"

namespace ocs::console {
namespace {

constexpr std::size_t name_width = 16;

std::string padded(std::string name) {
  name.resize(std::max(name.size() + 2, name_width), ' ');
  return name;
}

}  // namespace

Dump::Dump(RegisterBus& bus, int ports) {
  for (const RegisterInfo& reg : register_map()) {
    if (!reg.readable() || reg.name == "EVENT" || reg.name == "PAIR") continue;
    for (std::uint32_t n = 0; n < entries_of(reg, ports); ++n) entries_.push_back({&reg, n, read_entry(bus, reg, n)});
  }
}

std::string Dump::text(std::string_view what) const {
  const bool group = std::any_of(register_map().begin(), register_map().end(),
                                 [&](const RegisterInfo& reg) { return reg.group == what && reg.name != "PAIR"; });
  const RegisterInfo* only = nullptr;
  if (!what.empty() && !group) only = &register_called(what);
  std::string text;
  for (std::size_t k = 0; k < entries_.size();) {
    const Entry& first = entries_[k];
    std::size_t end = k + 1;
    while (end < entries_.size() && entries_[end].reg == first.reg && entries_[end].value == first.value) ++end;
    const bool wanted = what.empty() || (group ? first.reg->group == what : first.reg == only);
    std::string name = name_of(*first.reg, first.number);
    if (end - k > 1)
      name = std::string(first.reg->name) + "[" + std::to_string(first.number) + ":" +
             std::to_string(entries_[end - 1].number) + "]";
    if (wanted) text += padded(name) + text_of(*first.reg, nullptr, first.value) + "\n";
    k = end;
  }
  return text;
}

std::string Dump::changes_since(const Dump& before) const {
  std::string text;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const Entry& now = entries_[k];
    const Entry& then = before.entries_[k];
    const std::uint64_t changed = now.value ^ then.value;
    if (changed != 0)
      text += padded(name_of(*now.reg, now.number)) + text_of(*now.reg, nullptr, then.value, changed) + "  ->  " +
              text_of(*now.reg, nullptr, now.value, changed) + "\n";
  }
  return text;
}

}  // namespace ocs::console
