// The masters at a switch's registers: accesses of any size become accesses of words, and each master has its own latch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tlm>
#include <vector>

#include "sysc/module/body.hpp"

namespace ocs::sysc {

class Masters {
 public:
  explicit Masters(std::size_t count) : latches_(count) {}

  /// An access that judge_register_access() lets pass, word by word, ascending: up to the first word that is refused.
  /// @return the response that it gets.
  tlm::tlm_response_status carry_out(Body& body, std::size_t master, const tlm::tlm_generic_payload& access);

  /// The bytes that a debug access can be shown, from its first one on. Nothing changes by that.
  static unsigned look(Body& body, const tlm::tlm_generic_payload& access);

  /// As after power-up.
  void forget();

 private:
  std::optional<std::uint32_t> read(Body& body, std::size_t master, std::uint32_t address);
  bool write(Body& body, std::uint32_t address, std::uint32_t value, std::uint8_t strobes);

  std::vector<std::uint32_t> latches_;  ///< high words of the 64 bits whose low words were read last
};

}  // namespace ocs::sysc
