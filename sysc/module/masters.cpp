// Bytes of an access to words of the window, with strobes; the latches.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/module/masters.hpp"

#include <algorithm>
#include <cstring>

#include "ocs_regs.h"
#include "sysc/module/register_map.hpp"

namespace ocs::sysc {
namespace {

constexpr unsigned word_bytes = 4;
constexpr std::uint8_t whole_word = 0xF;

/// The part of an access that lies in one word.
struct Part {
  std::uint64_t address;  ///< of the word
  unsigned lane, bytes;   ///< its first byte in the word, and how many

  Part(const tlm::tlm_generic_payload& access, unsigned done)
      : address((access.get_address() + done) & ~std::uint64_t{word_bytes - 1}),
        lane(static_cast<unsigned>((access.get_address() + done) % word_bytes)),
        bytes(std::min(word_bytes - lane, access.get_data_length() - done)) {}

  bool beyond() const { return address >= sizeof(ocs_regs_t); }
  /// What is beyond the window is for the switch to refuse as well: its sticky bit ACCESS.
  std::uint32_t in_window() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(address, sizeof(ocs_regs_t)));
  }
  tlm::tlm_response_status refusal() const {
    return beyond() ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
};

/// The bytes of the word that the access names, one bit each.
std::uint8_t strobes_of(const tlm::tlm_generic_payload& access, const Part& part, unsigned done) {
  const unsigned char* const enables = access.get_byte_enable_ptr();
  unsigned strobes = 0;
  for (unsigned k = 0; k < part.bytes; ++k)
    if (enables == nullptr || enables[(done + k) % access.get_byte_enable_length()] != TLM_BYTE_DISABLED)
      strobes |= 1U << (part.lane + k);
  return static_cast<std::uint8_t>(strobes);
}

/// The bytes that the strobes name, from `value` into the access's data.
void hand_over(std::uint32_t value, unsigned char* data, const Part& part, std::uint8_t strobes) {
  for (unsigned k = 0; k < part.bytes; ++k)
    if ((strobes >> (part.lane + k) & 1) != 0) data[k] = static_cast<unsigned char>(value >> (8 * (part.lane + k)));
}

std::uint32_t gather(const unsigned char* data, const Part& part) {
  std::uint32_t value = 0;
  for (unsigned k = 0; k < part.bytes; ++k) value |= std::uint32_t{data[k]} << (8 * (part.lane + k));
  return value;
}

}  // namespace

void Masters::forget() { std::fill(latches_.begin(), latches_.end(), 0); }

tlm::tlm_response_status Masters::carry_out(Body& body, std::size_t master, const tlm::tlm_generic_payload& access) {
  for (unsigned done = 0; done < access.get_data_length();) {
    const Part part(access, done);
    unsigned char* const data = access.get_data_ptr() + done;
    const std::uint8_t strobes = strobes_of(access, part, done);
    if (access.is_write()) {
      if (!write(body, part.in_window(), gather(data, part), strobes)) return part.refusal();
    } else if (strobes != 0) {
      const auto value = read(body, master, part.in_window());
      hand_over(value.value_or(0), data, part, strobes);
      if (!value) return part.refusal();
    }
    done += part.bytes;
  }
  return tlm::TLM_OK_RESPONSE;
}

/// The body's own latch is nobody's: what it keeps is taken over at once.
std::optional<std::uint32_t> Masters::read(Body& body, std::size_t master, std::uint32_t address) {
  const auto value = body.read(address);
  if (!value || !is_wide(address)) return value;
  if (address % (2 * word_bytes) != 0) return latches_[master];
  latches_[master] = body.read(address + word_bytes).value_or(0);
  return value;
}

bool Masters::write(Body& body, std::uint32_t address, std::uint32_t value, std::uint8_t strobes) {
  if (!body.write(address, value, strobes)) return false;
  const bool resets = address == offsetof(ocs_regs_t, core.SOFT_RESET) && strobes == whole_word &&
                      (value & OCS_REGS__CORE__SOFT_RESET__GO_bm) != 0;
  if (resets) forget();
  return true;
}

unsigned Masters::look(Body& body, const tlm::tlm_generic_payload& access) {
  if (!access.is_read() || access.get_data_ptr() == nullptr) return 0;
  unsigned shown = 0;
  while (shown < access.get_data_length()) {
    const Part part(access, shown);
    if (part.beyond()) break;
    const auto value = body.peek(part.in_window());
    if (!value) break;
    hand_over(*value, access.get_data_ptr() + shown, part, whole_word);
    shown += part.bytes;
  }
  return shown;
}

}  // namespace ocs::sysc
