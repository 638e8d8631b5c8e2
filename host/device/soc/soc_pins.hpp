// The pins of a compiled system on chip beside those of its switch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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
  Bit& command_we_i = named<Bit>("command_we_i");
  std::uint16_t& command_addr_i = named<std::uint16_t>("command_addr_i");
  Word& command_data_i = named<Word>("command_data_i");
  Bit& head_we_i = named<Bit>("head_we_i");
  Word& head_i = named<Word>("head_i");
  const Word& command_tail_o = named<Word>("command_tail_o");
  std::uint16_t& answer_addr_i = named<std::uint16_t>("answer_addr_i");
  const Word& answer_data_o = named<Word>("answer_data_o");
  const Word& answer_head_o = named<Word>("answer_head_o");
  Bit& tail_we_i = named<Bit>("tail_we_i");
  Word& tail_i = named<Word>("tail_i");
  const Word& alerts_o = named<Word>("alerts_o");
  Bit& load_we_i = named<Bit>("load_we_i");
  Word& load_addr_i = named<Word>("load_addr_i");
  Word& load_data_i = named<Word>("load_data_i");
  const Bit& boot_o = named<Bit>("boot_o");
  const Bit& bite_o = named<Bit>("bite_o");
  const Bit& console_valid_o = named<Bit>("console_valid_o");
  const Bit& console_o = named<Bit>("console_o");
  const Bit& fetch_o = named<Bit>("fetch_o");
  const Word& fetch_addr_o = named<Word>("fetch_addr_o");
};

}  // namespace ocs
