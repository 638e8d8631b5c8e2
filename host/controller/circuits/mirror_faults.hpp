// Faults of mirrors as a run goes on, and what the controller does about those that are stuck.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "host/core/network.hpp"

namespace ocs {

/// Injects faults in their cycles. An output that fails is tuned once more, `lead` cycles after that is known, again and
/// again: its words wait until the mirror is free. An output without light ignores that, and comes back by itself.
class MirrorFaults {
 public:
  /// @param plane outlives this. @param changes ascending. @param lead from a decision to its command
  MirrorFaults(Switch& plane, std::vector<MirrorChange> changes, Cycles lead);

  /// Earliest cycle in which it would act by itself.
  Cycles next() const;
  /// What is due in the present cycle. @throws Error (run) if the switch refuses.
  void act(Cycles now);
  /// Takes events in the order of the Switch seam, before act() of the same cycle.
  void on(const Event& event);

 private:
  Switch& switch_;
  std::vector<MirrorChange> changes_;
  std::size_t come_ = 0;  ///< changes that have been injected
  Cycles lead_;
  std::map<Output, Cycles> retries_;  ///< when an output that has failed is tuned again
};

}  // namespace ocs
