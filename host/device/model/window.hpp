// The register window of the model: which address is which register, what is refused, the 64-bit latch (section 12).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "host/core/device.hpp"
#include "host/device/model/core.hpp"

namespace ocs::model {

/// A table of registers. Fill it with the add functions, once; they take addresses and slots as laid out in the map,
/// and of an array only the elements below the limit are served.
class Window : public RegisterBus {
 public:
  using Read = std::function<std::uint32_t(std::size_t index)>;
  using Write = std::function<void(std::size_t index, std::uint32_t value)>;
  using Read64 = std::function<std::uint64_t(std::size_t index)>;
  using ReadMask = std::function<const PortMask&()>;
  using WriteMask = std::function<void(const PortMask& mask, const PortMask& touched)>;

  /// Where a register stands: of an array of `slots` elements `served` exist.
  struct Place {
    std::string name;
    std::size_t address = 0;
    std::size_t slots = 1, served = 1;
  };

  /// 32-bit words. Without `read` they read 0, and only whole words can be written; without `write` they are read-only.
  /// @param kept bytes that a write doesn't name are written as those of this; as those of `read` if there is none.
  void add(const Place& place, Read read, Write write, Read kept = nullptr);

  /// 64 bits: a read of the low word latches the high word. `write` and `kept` get the index of a word: even for a low
  /// one. With `write` there must be `kept`.
  void add_wide(const Place& place, const Read64& read, Write write, Read kept = nullptr);

  /// One bit for each port, 32 in a word; a 1 for a port at or above `ports` is refused. `touched`: the ports of the
  /// word that is written.
  void add_mask(const Place& place, std::size_t ports, const ReadMask& read, const WriteMask& write,
                const Read& kept = nullptr);

  explicit Window(Core& core) : core_(core) {}

  std::uint32_t read(std::uint32_t address) override;
  void write(std::uint32_t address, std::uint32_t value) override;
  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override;

  /// What keeps nothing: in the bytes that aren't written there is no 1 that would clear a bit.
  static std::uint32_t keeps_nothing(std::size_t) { return 0; }

  /// Answers SLVERR: sets ACCESS and throws AccessRefused.
  [[noreturn]] void refuse(const std::string& sentence);

  /// What a reset does to the window itself.
  void reset() { latch_ = 0; }

 private:
  struct Register {
    Place place;  ///< in words
    Read read;
    Write write;
    Read kept;
  };
  struct Found {
    const Register& reg;
    std::size_t index;
  };

  Found decode(std::uint32_t address);

  Core& core_;
  std::vector<Register> registers_;  ///< by address
  std::uint32_t latch_ = 0;          ///< high word of the 64-bit register whose low word was read last
};

/// All registers of the map but those of the ports. @param config shown in the CAPABILITY registers.
void add_device_registers(Window& window, Core& core, const DeviceConfig& config);

/// The registers of the ports, and PAIR.
void add_port_registers(Window& window, Core& core);

/// The field `mask` of a register's value, and the way back.
constexpr std::uint32_t take_field(std::uint32_t value, std::uint32_t mask) {
  return (value & mask) / (mask & (~mask + 1));
}
constexpr std::uint32_t place_field(std::uint32_t field, std::uint32_t mask) {
  return (field * (mask & (~mask + 1))) & mask;
}

}  // namespace ocs::model
