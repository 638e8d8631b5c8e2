// The pins of a compiled system on chip beside those of its switch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "host/rtl/switch_pins.hpp"

namespace ocs {

class SocPins : public rtl::SwitchPins {
  using Bit = std::uint8_t;
  using Word = std::uint32_t;
  template <class T>
  T& named(const char* name) {
    return instance().pin<T>(name);
  }

 public:
  using rtl::SwitchPins::SwitchPins;

  /// Does what SwitchPins::clocks_fell does, with the core's clock.
  void clocks_fell() {
    if (last_core_clk_ != nullptr) *last_core_clk_ = 0;
    rtl::SwitchPins::clocks_fell();
  }

 private:
  Bit* last_core_clk_ = instance().optional_pin<Bit>("last_core_clk_i");

 public:
  Bit& core_clk_i = named<Bit>("core_clk_i");
  Bit& core_rst_ni = named<Bit>("core_rst_ni");
  Word& ahead_i = named<Word>("ahead_i");
  const Word& fabric_horizon_o = named<Word>("fabric_horizon_o");
  const Bit& still_o = named<Bit>("still_o");
  const Word& wake_o = named<Word>("wake_o");
  const Bit& busy_o = named<Bit>("busy_o");
  Bit& host_takes_events_i = named<Bit>("host_takes_events_i");
  std::uint64_t& command_i = named<std::uint64_t>("command_i");
  std::uint64_t& head_i = named<std::uint64_t>("head_i");
  std::uint64_t& tail_i = named<std::uint64_t>("tail_i");
  std::uint16_t& answer_addr_i = named<std::uint16_t>("answer_addr_i");
  std::array<Word, 3>& load_i = named<std::array<Word, 3>>("load_i");
  const Bit& boot_o = named<Bit>("boot_o");
  const Bit& bite_o = named<Bit>("bite_o");

  // ---- fields of packed pins (rtl/soc/ocs_soc_pkg.sv) ----
  /// `command_i`: writes a word of the command ring.
  static constexpr std::uint64_t command(std::uint32_t place, Word word) {
    return std::uint64_t{1} << 43 | std::uint64_t{place} << 32 | word;
  }
  /// `head_i` and `tail_i`: a side of a ring has come so far.
  static constexpr std::uint64_t come(Word words) { return std::uint64_t{1} << 32 | words; }
  /// `load_i`: writes a word of memory.
  static constexpr std::array<Word, 3> load(Word address, Word word) { return {word, address, 1}; }
  Word command_tail() const { return mailbox_o_[0]; }
  Word answer_data() const { return mailbox_o_[1]; }
  Word answer_head() const { return mailbox_o_[2]; }
  Word alerts() const { return mailbox_o_[3]; }
  /// The character that is printed, if there is one.
  std::optional<char> printed() const {
    return (console_o_ & 0x100) != 0 ? std::optional(static_cast<char>(console_o_ & 0xFF)) : std::nullopt;
  }
  /// The address from which an instruction is fetched, if one is.
  std::optional<Word> fetched() const {
    return (fetch_o_ >> 32) != 0 ? std::optional(static_cast<Word>(fetch_o_)) : std::nullopt;
  }

 private:
  const std::array<Word, 4>& mailbox_o_ = named<std::array<Word, 4>>("mailbox_o");
  const std::uint16_t& console_o_ = named<std::uint16_t>("console_o");
  const std::uint64_t& fetch_o_ = named<std::uint64_t>("fetch_o");
};

}  // namespace ocs
