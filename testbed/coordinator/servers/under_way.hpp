// What a job of servers has begun and not ended: whether a map of keys may change now.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "host/core/ids.hpp"

namespace ocs {

/// Workers that were ordered to compute or to push, until their push is whole, and workers that were let through the gate,
/// until they have pulled. While there is none, no transfer is offered or on its way.
class UnderWay {
 public:
  void begins_push(Node worker) { pushing_.insert(worker); }
  void pushed(Node worker) { pushing_.erase(worker); }
  void begins_pull(Node worker) { pulling_.insert(worker); }
  void pulled(Node worker) { pulling_.erase(worker); }
  void left(Node worker) { pushing_.erase(worker), pulling_.erase(worker); }
  bool nothing() const { return pushing_.empty() && pulling_.empty(); }

 private:
  std::set<Node> pushing_, pulling_;
};

}  // namespace ocs
