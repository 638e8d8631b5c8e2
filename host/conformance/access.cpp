// Named fields to bus accesses: masks, 64-bit halves, read-modify-write.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/access.hpp"

#include <bit>
#include <cstddef>

#include "ocs_regs.h"

namespace ocs::conformance {
namespace {

constexpr std::uint32_t word_bytes = 4, wide_bytes = 8, mask_bits = 32;
constexpr std::uint32_t pair_row = 256;  // entries of one output in the memory

constexpr std::uint32_t segment_first = offsetof(ocs_regs__port_t, SEG_FIRST) - offsetof(ocs_regs__port_t, SEG);
constexpr std::uint32_t segment_count = offsetof(ocs_regs__port_t, SEG_COUNT) - offsetof(ocs_regs__port_t, SEG);

/// The mask word that answers for a port: its own; for a port that the device lacks the first one without any port.
std::uint32_t mask_word(std::uint32_t port, int ports) {
  const auto n = static_cast<std::uint32_t>(ports);
  return port < n ? port / mask_bits : (n + mask_bits - 1) / mask_bits;
}

std::uint32_t address_of(const Op& op, int ports) {
  const Register& reg = *op.reg;
  switch (reg.shape) {
    case Shape::bit:
    case Shape::bit_rw:
      return reg.address + word_bytes * mask_word(op.index[0], ports);
    case Shape::wide:
      return reg.address + wide_bytes * op.index[0];
    case Shape::pair:
      return reg.address + word_bytes * (op.index[0] * pair_row + op.index[1]);
    case Shape::word:
    case Shape::field:
    case Shape::circuit:
    case Shape::segment:
      break;
  }
  return reg.address + word_bytes * op.index[0];
}

std::uint32_t bits_of(const Op& op) {
  return op.reg->shape == Shape::field ? op.reg->mask : std::uint32_t{1} << (op.index[0] % mask_bits);
}

std::uint32_t place_bits(std::uint32_t bits, std::uint64_t value) {
  return (static_cast<std::uint32_t>(value) << std::countr_zero(bits)) & bits;
}

nlohmann::json circuit(std::uint32_t word) {
  if ((word & OCS_REGS__PORT__SHADOWX__VALID_bm) == 0) return nullptr;
  return {{"input", word & OCS_REGS__PORT__SHADOWX__INPUT_bm}};
}

nlohmann::json segment(RegisterBus& bus, std::uint32_t address) {
  const std::uint32_t source = bus.read(address);
  return {{"input", (source & OCS_REGS__PORT__SEGX__INPUT_bm) >> OCS_REGS__PORT__SEGX__INPUT_bp},
          {"tag", (source & OCS_REGS__PORT__SEGX__TAG_bm) >> OCS_REGS__PORT__SEGX__TAG_bp},
          {"first", bus.read(address + segment_first)},
          {"count", bus.read(address + segment_count)}};
}

std::uint32_t circuit_word(const Op& op) {
  return op.valid ? OCS_REGS__PORT__SHADOWX__VALID_bm | static_cast<std::uint32_t>(op.value) : 0;
}

/// The word that a write of some of its bytes puts on the bus; of 64 bits the low one.
std::uint32_t word_of(const Op& op) {
  switch (op.reg->shape) {
    case Shape::field:
    case Shape::bit:
    case Shape::bit_rw:
      return place_bits(bits_of(op), op.value);
    case Shape::circuit:
      return circuit_word(op);
    case Shape::word:
    case Shape::wide:
    case Shape::segment:
    case Shape::pair:
      break;
  }
  return static_cast<std::uint32_t>(op.value);
}

void write_some_bytes(RegisterBus& bus, int ports, const Op& op) {
  const std::uint32_t address = address_of(op, ports);
  if (op.reg->shape != Shape::wide || op.part != Op::Part::high) bus.write_bytes(address, word_of(op), op.strobes);
  if (op.reg->shape == Shape::wide && op.part != Op::Part::low)
    bus.write_bytes(address + word_bytes, static_cast<std::uint32_t>(op.value >> 32), op.strobes);
}

void write_words(RegisterBus& bus, int ports, const Op& op) {
  if (op.strobes != Op::all_bytes) return write_some_bytes(bus, ports, op);
  const std::uint32_t address = address_of(op, ports);
  switch (op.reg->shape) {
    case Shape::wide:
      if (op.part != Op::Part::high) bus.write(address, static_cast<std::uint32_t>(op.value));
      if (op.part != Op::Part::low) bus.write(address + word_bytes, static_cast<std::uint32_t>(op.value >> 32));
      return;
    case Shape::field:
    case Shape::bit_rw:
      bus.write(address, (bus.read(address) & ~bits_of(op)) | place_bits(bits_of(op), op.value));
      return;
    case Shape::bit:
      bus.write(address, place_bits(bits_of(op), op.value));
      return;
    case Shape::circuit:
      bus.write(address, circuit_word(op));
      return;
    case Shape::word:
    case Shape::segment:
    case Shape::pair:
      break;
  }
  bus.write(address, static_cast<std::uint32_t>(op.value));
}

nlohmann::json read_words(RegisterBus& bus, int ports, const Op& op) {
  const std::uint32_t address = address_of(op, ports);
  switch (op.reg->shape) {
    case Shape::wide:
      if (op.part == Op::Part::whole) return read_wide(bus, address);
      return bus.read(address + (op.part == Op::Part::low ? 0 : word_bytes));
    case Shape::field:
    case Shape::bit:
    case Shape::bit_rw:
      return (bus.read(address) & bits_of(op)) >> std::countr_zero(bits_of(op));
    case Shape::circuit:
      return circuit(bus.read(address));
    case Shape::segment:
      return segment(bus, address);
    case Shape::word:
    case Shape::pair:
      break;
  }
  return bus.read(address);
}

}  // namespace

bool write_register(RegisterBus& bus, int ports, const Op& op) {
  try {
    write_words(bus, ports, op);
    return true;
  } catch (const AccessRefused&) {
    return false;
  }
}

std::optional<nlohmann::json> read_register(RegisterBus& bus, int ports, const Op& op) {
  try {
    return read_words(bus, ports, op);
  } catch (const AccessRefused&) {
    return std::nullopt;
  }
}

std::uint64_t read_wide(RegisterBus& bus, std::uint32_t address) {
  const std::uint64_t low = bus.read(address);
  return low | std::uint64_t{bus.read(address + word_bytes)} << 32;
}

Taken take_event(RegisterBus& bus) {
  constexpr auto core = static_cast<std::uint32_t>(offsetof(ocs_regs_t, core));
  constexpr std::uint32_t event_time = core + offsetof(ocs_regs__core_t, EVENT_TIME);
  const std::uint64_t before = read_wide(bus, event_time);
  const std::uint32_t word = bus.read(core + offsetof(ocs_regs__core_t, EVENT));
  const std::uint64_t stamp = read_wide(bus, event_time);
  if ((word & OCS_REGS__CORE__EVENT__VALID_bm) == 0) return {std::nullopt, word == 0 && stamp == before};
  const bool new_stamp = (word & OCS_REGS__CORE__EVENT__NEW_STAMP_bm) != 0;
  return {LoggedEvent{stamp, (word & OCS_REGS__CORE__EVENT__CLASS_bm) >> OCS_REGS__CORE__EVENT__CLASS_bp,
                      (word & OCS_REGS__CORE__EVENT__PORT_bm) >> OCS_REGS__CORE__EVENT__PORT_bp,
                      (word & OCS_REGS__CORE__EVENT__KIND_bm) >> OCS_REGS__CORE__EVENT__KIND_bp,
                      (word & OCS_REGS__CORE__EVENT__TAG_bm) >> OCS_REGS__CORE__EVENT__TAG_bp},
          new_stamp == (stamp != before)};
}

}  // namespace ocs::conformance
