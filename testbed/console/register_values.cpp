// Accesses of 32 bits for registers of any width, and values as text.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/console/register_values.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <limits>

#include "host/core/error.hpp"

namespace ocs::console {
namespace {

constexpr std::uint32_t word_bytes = 4;
constexpr int word_bits = 32;

std::string hex(std::uint64_t value, int bits) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%0*" PRIx64, bits / 4, value);
  return text.data();
}

std::uint64_t bits_of(const FieldInfo& field, std::uint64_t value) { return (value >> field.low) & field.most(); }

/// What a field's numbers are called in docs/switch-contract.md; null: nothing.
const char* word_for(const FieldInfo& field, std::uint64_t value) {
  static constexpr const char* states[] = {"idle", "tuning", "locking", "up", "held", "failed"};
  static constexpr const char* causes[] = {"none", "stuck", "light", "misrouted"};
  static constexpr const char* engines[] = {"off", "gap", "send"};
  if (field.owner == "STATE" && field.name == "STATE" && value < std::size(states)) return states[value];
  if (field.owner == "STATE" && field.name == "CAUSE" && value < std::size(causes)) return causes[value];
  if (field.owner == "ENGINE" && field.name == "STATE" && value < std::size(engines)) return engines[value];
  return nullptr;
}

std::string field_text(const FieldInfo& field, std::uint64_t value) {
  const char* word = word_for(field, value);
  return std::to_string(value) + (word == nullptr ? "" : std::string(" (") + word + ")");
}

/// What POWER reads: hundredths of a dBm with a sign, of which one number says that there is no light.
std::string power_text(std::uint64_t value) {
  const auto power = static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  return power == std::numeric_limits<std::int32_t>::min() ? "no light" : std::to_string(power);
}

/// A 1 written to it acts or clears, and isn't kept.
bool momentary(std::string_view access) { return access == "W" || access.ends_with("1C"); }

}  // namespace

bool keeps_writes(const RegisterInfo& reg, const FieldInfo* field) {
  if (field != nullptr) return field->access == "RW" && reg.readable();
  const auto fields = fields_of(reg);
  return reg.access == "RW" &&
         std::all_of(fields.begin(), fields.end(), [](const FieldInfo& each) { return each.access == "RW"; });
}

void check_readable(const RegisterInfo& reg) {
  if (!reg.readable()) refuse("register " + std::string(reg.name) + " can only be written");
}

std::uint64_t read_entry(RegisterBus& bus, const RegisterInfo& reg, std::uint32_t entry) {
  check_readable(reg);
  const std::uint32_t address = address_of(reg, entry);
  const std::uint64_t low = bus.read(address);
  return reg.bits > word_bits ? low | std::uint64_t{bus.read(address + word_bytes)} << word_bits : low;
}

std::uint64_t read_value(RegisterBus& bus, const RegisterInfo& reg, const FieldInfo* field, std::uint32_t entry) {
  const std::uint64_t whole = read_entry(bus, reg, entry);
  return field == nullptr ? whole : bits_of(*field, whole);
}

void write_value(RegisterBus& bus, const RegisterInfo& reg, const FieldInfo* field, std::uint32_t entry,
                 std::uint64_t value) {
  const std::string name = name_of(reg, entry) + (field == nullptr ? "" : "." + std::string(field->name));
  const std::string_view access = field == nullptr ? reg.access : field->access;
  if (access == "R") refuse(name + " can only be read");
  const std::uint64_t most = field != nullptr       ? field->most()
                             : reg.bits > word_bits ? ~std::uint64_t{0}
                                                    : std::uint64_t{0xffff'ffff};
  if (value > most)
    refuse(name + " is written " + std::to_string(value) + ", but must be at most " + std::to_string(most));
  const std::uint32_t address = address_of(reg, entry);
  if (field != nullptr) {
    const std::uint64_t kept = momentary(access) ? 0 : read_entry(bus, reg, entry) & ~(field->most() << field->low);
    value = kept | value << field->low;
  }
  bus.write(address, static_cast<std::uint32_t>(value));
  if (reg.bits > word_bits) bus.write(address + word_bytes, static_cast<std::uint32_t>(value >> word_bits));
}

std::string text_of(const RegisterInfo& reg, const FieldInfo* field, std::uint64_t value, std::uint64_t bits) {
  if (field != nullptr) return field_text(*field, value);
  if (reg.name == "POWER") return power_text(value);
  const auto all = fields_of(reg);
  const bool mask = all.size() == 1 && all.front().name == "PORTS";
  if (mask) return hex(value, reg.bits);
  if (all.size() < 2) return std::to_string(value) + (value < 10 ? "" : " (" + hex(value, 0) + ")");
  std::string text = hex(value, reg.bits) + " ";
  for (const FieldInfo& each : all)
    if (bits_of(each, bits) != 0) text += " " + std::string(each.name) + "=" + field_text(each, bits_of(each, value));
  return text;
}

std::string set_bits(const RegisterInfo& reg, std::uint64_t value) {
  std::string text;
  for (const FieldInfo& field : fields_of(reg))
    if (bits_of(field, value) != 0) text += (text.empty() ? "" : " ") + std::string(field.name);
  return text.empty() ? "none" : text;
}

}  // namespace ocs::console
