// What becomes of the words: counters of section 7, segments of section 8.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/device/model/crossbar.hpp"
#include "host/device/model/engine.hpp"

namespace ocs::model {

class Words {
 public:
  /// A run of words that an output passed; 32-bit numbers wrap as in the register.
  struct Segment {
    std::uint16_t input = 0, tag = 0;
    std::uint32_t first = 0;
    std::uint64_t count = 0;
  };
  struct OutputCounters {
    std::uint64_t passed = 0, lost = 0, misrouted = 0;
  };
  struct InputCounters {
    std::uint64_t sent = 0, unrouted = 0;
  };

  explicit Words(std::size_t ports) : outputs_(ports), inputs_(ports), open_(ports), written_(ports) {}

  void reset();

  /// The words of one interval in which nothing changes, by input. @param now its first cycle
  void count(const Crossbar& crossbar, Cycle now, std::span<const Engine::Offer> offers);

  /// Whether all words of a burst that ends now were passed by each of the `selecting` outputs of its input, at least one.
  bool whole(std::size_t input, std::size_t selecting) const;

  /// Writes the segments of these outputs, and of those fed by an engine that started or went off.
  /// @param outputs those that entered a state, or are disturbed or dim from the next cycle on.
  /// @param whole inputs whose segments set no full bit.
  /// @return true when one was overwritten before it had been cleared.
  bool end_segments(const PortMask& outputs, const PortMask& engines, const PortMask& whole);

  const OutputCounters& of_output(std::size_t o) const { return outputs_[o]; }
  const InputCounters& of_input(std::size_t i) const { return inputs_[i]; }
  const Segment& segment(std::size_t o) const { return written_[o]; }
  const PortMask& full() const { return full_; }
  void clear_full(const PortMask& outputs) { full_ &= ~outputs; }

 private:
  void count_misrouted(const Crossbar& crossbar, std::span<const Engine::Offer> offers);

  std::vector<OutputCounters> outputs_;
  std::vector<InputCounters> inputs_;
  std::vector<Segment> open_, written_;
  PortMask full_;
};

}  // namespace ocs::model
