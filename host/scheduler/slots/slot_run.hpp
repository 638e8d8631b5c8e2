// Plays slots: all circuits of a slot are set up together and are up together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/scheduler/slots/decompose.hpp"

namespace ocs {

/// A slot lasts the set-up time (the longest of its pairs', where these differ), then its length. Only pairs with
/// demand use the switch; a flow ends when its own demand is served. The first slot follows what is established at the
/// origin. The demand must outlive the run.
class SlotRun {
 public:
  SlotRun(const Demand& demand, SlotMode mode);

  /// @throws Error (input) if the slot ends beyond 64 bits.
  void play(const Slot& slot);

  /// Lets the pairs of the slot before carry data for `length` more, without a set-up. @throws as play().
  void go_on(std::int64_t length);

  /// What pairs still have to carry, in ticks.
  const Square& left() const { return left_; }
  bool done() const { return unserved_ == 0; }

  /// The pairs of the slot before; of what is established at the origin if there was none.
  const Matching& before() const { return before_; }

  /// What has been played, with the port bound. The run is spent.
  Plan finish();

 private:
  struct Progress {
    std::uint32_t pair, part;
    std::int64_t offset;  ///< within the part
    std::size_t last;     ///< its last reservation
  };
  std::int64_t later(std::int64_t at, std::int64_t by) const;
  void serve(Progress& progress, std::int64_t start, std::int64_t up, std::int64_t until);

  const Demand& demand_;
  SlotMode mode_;
  std::int64_t now_;
  Square left_;
  std::size_t unserved_;
  Matching before_;
  std::vector<Progress> progress_;      ///< of each pair
  std::vector<std::uint32_t> pair_at_;  ///< at in * ports + out
  Plan plan_;
};

}  // namespace ocs
