// Section 9 of the contract: the table that commits by itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sysc/core/ports.hpp"

namespace ocs::sysc {

struct SequencerEntry {
  std::uint32_t offset = 0;
  std::vector<bool> launch;
  Map map;
  std::uint8_t tag = 0;
};

class Sequencer {
 public:
  static constexpr std::size_t entries = 16;  ///< S: of a bank

  explicit Sequencer(std::size_t ports) {
    for (auto& bank : banks_) bank.fill({0, std::vector<bool>(ports), Map(ports), 0});
  }

  // Registers and pending commands.
  std::uint64_t base = 0;
  std::uint32_t period = 0, offset = 0;
  std::uint16_t len = 0;
  bool go = false, swap = false, stop = false;

  bool running() const { return running_; }
  Cycle due() const { return running_ ? loop_ + active()[next_].offset : no_cycle; }

  /// Into the bank that isn't in use. @param entry below `entries`.
  void store(std::size_t entry, SequencerEntry what) { banks_[1 - in_use_][entry] = std::move(what); }

  /// The entry that is due; ask before advance().
  const SequencerEntry& entry() const { return active()[next_]; }

  /// The end of a cycle in which an entry was taken or commands act. @return the loop has begun anew.
  bool end_cycle(bool taken) {
    bool wrapped = false;
    const bool last = taken && ++next_ == count_;
    if (swap && running_) swap_waits_ = true;
    if (last && period_ == 0) halt();
    if (last && running_) {
      wrapped = true;
      loop_ += period_;
      next_ = 0;
      if (swap_waits_) in_use_ = 1 - in_use_;
      swap_waits_ = false;
    }
    if (stop) halt();
    if (go) begin();
    go = swap = stop = false;
    return wrapped;
  }

  /// As after power-up, but for the entries.
  void reset() {
    halt();
    base = loop_ = 0;
    period = offset = 0;
    len = 0;
    go = swap = stop = false;
    in_use_ = 1;
  }

 private:
  std::array<SequencerEntry, entries>& active() { return banks_[in_use_]; }
  const std::array<SequencerEntry, entries>& active() const { return banks_[in_use_]; }

  void halt() {
    running_ = false;
    swap_waits_ = false;
    next_ = 0;
  }

  void begin() {
    halt();
    in_use_ = 1 - in_use_;
    loop_ = base;
    period_ = period;
    count_ = std::min<std::size_t>(len, entries);
    running_ = count_ != 0;
  }

  std::array<std::array<SequencerEntry, entries>, 2> banks_;
  std::size_t in_use_ = 1;  ///< bank 0 is idle after reset
  bool running_ = false, swap_waits_ = false;
  Cycle loop_ = 0;
  std::uint32_t period_ = 0;
  std::size_t next_ = 0, count_ = 0;
};

}  // namespace ocs::sysc
