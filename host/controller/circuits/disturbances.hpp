// Outputs that others disturb, as far as events tell: when words that were lost may be sent again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/delays.hpp"
#include "host/core/switch.hpp"

namespace ocs {

/// A start shows in its event. What enters LOCKING without one, after a loss of light, is taken for a start, too.
class Disturbances {
 public:
  Disturbances(const Neighbours& neighbours, int ports);

  bool any() const { return neighbours_.any(); }

  /// Takes events in the order of the Switch seam.
  void on(const Event& event);

  /// The cycle from which on words to these outputs, lost in `sent` attempts, are to be sent again: when what disturbs
  /// them now is over. From the second attempt on later, each time by twice as much, and for each output by another time:
  /// circuits that are set up in turn, or together, would else disturb one another for ever.
  Cycles calm(const Outputs& outs, Cycles now, std::uint32_t sent) const;

 private:
  Neighbours neighbours_;
  Outputs starting_;                     ///< from their start to light
  std::vector<Cycles> disturbed_until_;  ///< of each output, the first cycle that is undisturbed again
};

}  // namespace ocs
