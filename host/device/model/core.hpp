// The whole switch but its register window: the parts, the order of one cycle, the horizon (sections 1, 4, 11, 12).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/device/model/commit.hpp"
#include "host/device/model/crossbar.hpp"
#include "host/device/model/engine.hpp"
#include "host/device/model/events.hpp"
#include "host/device/model/sequencer.hpp"
#include "host/device/model/words.hpp"

namespace ocs::model {

/// The register window reads and writes the parts directly; only step() moves them in time.
class Core {
 public:
  /// Commands of a mask, waiting for the end of the present cycle.
  struct Masks {
    PortMask start, stop, retry;
    bool any() const { return start.any() || stop.any() || retry.any(); }
  };
  struct Counters {
    std::uint64_t commits = 0, refused = 0, late = 0;
  };

  Core(std::size_t ports, std::size_t fifo_depth);

  /// SOFT_RESET: as after power-up, but the memories stay.
  void soft_reset();

  std::size_t ports() const { return crossbar.size(); }
  Cycle time() const { return time_; }

  /// The number of cycles up to and with the next one in which something happens; at least 1.
  Cycle horizon() const;

  /// Lets the next `k` cycles pass, 1 <= k <= horizon().
  void step(Cycle k);

  /// The interrupt sources as in register IRQ_STATUS.
  std::uint32_t irq_status() const;
  bool irq() const { return (irq_status() & irq_enable) != 0; }

  Crossbar crossbar;
  std::vector<Engine> engines;
  Words words;
  Sequencer sequencer;
  CommitRequests requests;
  EventFifo fifo;
  Map shadow;
  Masks commands;
  Counters counters;
  bool all_stop = false, multicast = false;
  std::uint32_t errors = 0;  ///< sticky bits as in register ERROR
  std::uint32_t irq_enable = 0;
  std::uint8_t commit_tag = 0;  ///< register COMMIT_TAG
  bool brief = false;           ///< register BRIEF
  PortMask changed, ended;      ///< as registers CHANGED and ENDED

 private:
  void act();
  const Map* take_commit();
  void act_engines();
  void report(DeviceEvent kind, Source source, std::uint8_t tag = 0);

  Cycle time_ = 0;
  std::vector<Engine::Offer> offers_;  ///< of one interval; kept for its storage
  std::vector<Happening> record_;      ///< of one cycle; kept for its storage
  PortMask launch_;                    ///< engines that the sequencer starts in the cycle at hand
  PortMask engines_changed_;           ///< engines that started or went off in the cycle at hand
  PortMask whole_;                     ///< inputs of which a whole burst ends in the cycle at hand
  std::vector<std::uint16_t> fans_;    ///< outputs that select each input in the cycle at hand; known if `brief`
};

}  // namespace ocs::model
