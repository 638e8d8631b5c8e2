// The sequencer: a table of maps that are committed by themselves, in time (section 9).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "host/device/model/types.hpp"

namespace ocs::model {

class Sequencer {
 public:
  static constexpr std::size_t entries = 16;  ///< S

  /// Registers; base, length and period are copied at SEQ_GO, offset and launch at SEQ_STORE.
  struct Settings {
    std::uint32_t offset = 0;
    PortMask launch;
    Cycle base = 0;
    std::uint16_t length = 0;
    std::uint32_t period = 0;
  };

  /// Commands that wait for the end of the present cycle.
  struct Commands {
    bool go = false, swap = false, stop = false;
    bool any() const { return go || swap || stop; }
  };

  struct Entry {
    std::uint32_t offset = 0;
    PortMask launch;
    Map map;
    std::uint8_t tag = 0;
  };

  Settings settings;
  Commands commands;

  explicit Sequencer(std::size_t ports);

  /// Everything but the memories.
  void reset();

  /// SEQ_STORE. @param e below `entries`.
  void store(std::size_t e, const Map& shadow, std::uint8_t tag);

  bool running() const { return running_; }

  /// The cycle in which the next entry is due, possibly past; no_cycle when not running. Sums of times are
  /// taken modulo 2^64.
  Cycle due() const;

  /// The entry that is due next; only while running.
  const Entry& next() const { return banks_[active_][next_]; }

  /// The end of a cycle: an entry was taken or not, then the commands act. @return true for a wrap.
  bool act(bool taken);

 private:
  bool advance();
  std::size_t idle() const { return 1 - active_; }

  std::array<std::vector<Entry>, 2> banks_;
  std::size_t active_ = 1;  ///< bank 0 is idle after reset
  bool running_ = false;
  bool swap_waits_ = false;
  std::size_t next_ = 0;
  std::size_t length_ = 0;
  Cycle loop_ = 0;  ///< base + n * period
  std::uint32_t period_ = 0;
};

}  // namespace ocs::model
