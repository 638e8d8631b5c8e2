// What a switch is kept busy with while its speed is measured: the sequencer plays rotations for ever.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "host/core/device.hpp"

namespace ocs::bench {

struct Workload {
  std::string name;
  std::int64_t tuning, data;  ///< cycles of a slot without and with circuits
  std::int64_t apart;         ///< port p tunes p times this longer and sends p times this less: 0: all ports together
};

/// A device on which the sequencer plays all rotations of its ports, one a slot, every input sending in each of them;
/// the interrupt is off, so that the clock runs. Nobody reads events: once the FIFO is full, records are dropped.
class Busy {
 public:
  /// @param device  of the catalogue. @param words  they really cross, and every bit of them is compared.
  /// @throws Error (input) if it isn't built for `ports`.
  Busy(const std::string& device, int ports, bool time_warp, const Workload& workload, bool words = false);

  Device& device() { return *device_; }
  /// Cycles of one slot.
  std::int64_t slot() const { return slot_; }
  /// Words that all outputs have passed so far: that the work is really done.
  std::int64_t passed();

 private:
  std::unique_ptr<Device> device_;
  int ports_;
  std::int64_t slot_ = 0;
};

}  // namespace ocs::bench
