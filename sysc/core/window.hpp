// The register window on the fabric: docs/registers.md. Offsets and bits are those of the generated header.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sysc/core/fabric.hpp"

namespace ocs::sysc {

/// Constants that the window shows.
struct Shown {
  std::uint16_t word_bytes = 64;
  std::uint32_t cycle_ps = 5120;
};

class Window {
 public:
  Window(Fabric& fabric, Shown shown) : fabric_(fabric), shown_(shown) {}

  /// A read in the present cycle. @param address byte address; the lowest two bits are ignored.
  /// @return nothing if it is refused: the sticky bit ACCESS is set.
  std::optional<std::uint32_t> read(std::uint32_t address);
  /// A write in force in the present cycle. @param strobes bit k: byte k is written. @return false if it is refused, as
  /// above.
  bool write(std::uint32_t address, std::uint32_t value, std::uint8_t strobes = whole_word);
  /// What a read would give, the high words of 64 bits as they are now; nothing changes.
  std::optional<std::uint32_t> peek(std::uint32_t address);

 private:
  static constexpr std::uint8_t whole_word = 0xF;

  std::optional<std::uint32_t> read_device(std::uint32_t address);
  std::optional<std::uint32_t> read_light(std::uint32_t address);
  std::optional<std::uint32_t> read_core(std::uint32_t offset);
  std::optional<std::uint32_t> read_port(std::uint32_t offset);
  std::uint32_t read_setting(std::uint32_t row, Port port);
  std::uint64_t counter(std::uint32_t row, Port port);
  std::optional<std::uint32_t> read_optics(std::uint32_t offset);
  std::optional<std::uint32_t> read_mask(std::uint32_t offset);
  std::uint32_t half(std::uint64_t value, bool high);
  std::uint32_t take_event();

  bool write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes);
  bool write_word(std::uint32_t address, std::uint32_t value);
  bool write_device(std::uint32_t address, std::uint32_t value);
  bool write_core(std::uint32_t offset, std::uint32_t value);
  bool write_command(std::uint32_t offset, std::uint32_t value);
  bool write_mask(std::uint32_t offset, std::uint32_t value);
  bool write_port(std::uint32_t offset, std::uint32_t value);
  bool write_optics(std::uint32_t offset, std::uint32_t value);
  bool write_light(std::uint32_t address, std::uint32_t value);
  void write_shadow(std::uint32_t output, std::uint32_t value);
  std::uint32_t* pair_entry(std::uint32_t address);
  std::uint32_t* quantile(std::uint32_t offset);

  Fabric& fabric_;
  Shown shown_;
  std::uint32_t latch_ = 0;          ///< high word of the 64 bits whose low word was read last
  std::uint32_t commit_at_low_ = 0;  ///< waits for the high word
};

}  // namespace ocs::sysc
