// Address decoding, refused accesses, the 64-bit latch (section 12).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/window.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "ocs_regs.h"

namespace ocs::model {
namespace {

constexpr std::size_t word = sizeof(std::uint32_t);
constexpr std::size_t mask_bits = 32;
constexpr std::uint8_t whole_word = 0xF;

/// The bits of the bytes that are named.
std::uint32_t bits_of(std::uint8_t strobes) {
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < word; ++k)
    if ((strobes >> k & 1) != 0) bits |= std::uint32_t{0xFF} << (8 * k);
  return bits;
}

std::string hex(std::uint32_t value) {
  std::array<char, 2 * word> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

}  // namespace

void Window::add(const Place& place, Read read, Write write, Read kept) {
  const auto after = std::upper_bound(registers_.begin(), registers_.end(), place.address,
                                      [](std::size_t address, const Register& r) { return address < r.place.address; });
  if (!kept) kept = read;
  registers_.insert(after, Register{place, std::move(read), std::move(write), std::move(kept)});
}

void Window::add_wide(const Place& place, const Read64& read, Write write, Read kept) {
  const auto read_word = [this, read](std::size_t k) -> std::uint32_t {
    if (k % 2 == 1) return latch_;
    const std::uint64_t value = read(k / 2);
    latch_ = static_cast<std::uint32_t>(value >> 32);
    return static_cast<std::uint32_t>(value);
  };
  add({place.name, place.address, 2 * place.slots, 2 * place.served}, read_word, std::move(write), std::move(kept));
}

void Window::add_mask(const Place& place, std::size_t ports, const ReadMask& read, const WriteMask& write,
                      const Read& kept) {
  Read read_word;
  if (read)
    read_word = [read](std::size_t k) {
      const PortMask low_word(0xFFFFFFFFu);
      return static_cast<std::uint32_t>(((read() >> (mask_bits * k)) & low_word).to_ulong());
    };
  const auto write_word = [this, place, ports, write](std::size_t k, std::uint32_t value) {
    const PortMask mask = PortMask(value) << (mask_bits * k);
    if ((mask >> ports).any())
      refuse("write of " + hex(value) + " to " + place.name + "[" + std::to_string(k) +
             "] refused: it names a port at or above the switch's " + std::to_string(ports) + " ports");
    write(mask, PortMask(0xFFFFFFFFu) << (mask_bits * k));
  };
  add({place.name, place.address, place.slots, (ports + mask_bits - 1) / mask_bits}, read_word, write_word, kept);
}

void Window::refuse(const std::string& sentence) {
  core_.errors |= OCS_REGS__CORE__ERROR__ACCESS_bm;
  throw AccessRefused(sentence);
}

Window::Found Window::decode(std::uint32_t address) {
  address -= static_cast<std::uint32_t>(address % word);  // accesses are 32 bits wide: the lowest two bits are ignored
  const auto after = std::upper_bound(registers_.begin(), registers_.end(), address,
                                      [](std::uint32_t a, const Register& r) { return a < r.place.address; });
  if (after != registers_.begin()) {
    const Register& found = *(after - 1);
    const std::size_t index = (address - found.place.address) / word;
    if (index < found.place.served) return {found, index};
    if (index < found.place.slots)
      refuse("access to " + found.place.name + " at address " + hex(address) +
             " refused: the switch has no such port, only ports 0 to " + std::to_string(core_.ports() - 1));
  }
  refuse("access to address " + hex(address) + " refused: there is no register, see docs/registers.md");
}

std::uint32_t Window::read(std::uint32_t address) {
  const Found at = decode(address);
  return at.reg.read ? at.reg.read(at.index) : 0;
}

void Window::write(std::uint32_t address, std::uint32_t value) {
  const Found at = decode(address);
  if (!at.reg.write)
    refuse("write of " + hex(value) + " to " + at.reg.place.name + " at address " + hex(address) +
           " refused: the register is read-only");
  at.reg.write(at.index, value);
}

void Window::write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) {
  if (strobes == whole_word) return write(address, value);
  const Found at = decode(address);
  const std::string what = "write of some bytes of " + at.reg.place.name + " at address " + hex(address) + " refused: ";
  if (!at.reg.write) refuse(what + "the register is read-only");
  if (!at.reg.read) refuse(what + "a register that can't be read is written as a whole");
  const std::uint32_t bits = bits_of(strobes);
  const std::uint32_t kept = at.reg.kept(at.index);  // refused where there is no such entry
  if (bits != 0) at.reg.write(at.index, (kept & ~bits) | (value & bits));
}

}  // namespace ocs::model
