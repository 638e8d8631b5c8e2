// Which words of the transfers to a node have arrived, and what that means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "host/core/message.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/run_set.hpp"

namespace ocs {

class Receipts {
 public:
  enum class State { partial, whole, lost };  ///< lost: it ended with words missing
  /// Adds what a Delivery says. For a lost transfer, a message `missing` stamped `now` is appended to `out`.
  State on(const DeliveredFields& delivered, Picos now, std::vector<Message>& out);

 private:
  std::map<TransferKey, RunSet> open_;
};

}  // namespace ocs
