// Which words of the transfers to a node have arrived.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/receipts.hpp"

namespace ocs {

Receipts::State Receipts::on(const DeliveredFields& delivered, Picos now, std::vector<Message>& out) {
  RunSet& arrived = open_[delivered.key];
  for (const WordRun& run : delivered.runs) arrived.add(run);
  if (!delivered.final) return State::partial;
  const auto gaps = arrived.missing({Words{0}, delivered.words});
  open_.erase(delivered.key);
  if (gaps.empty()) return State::whole;
  out.push_back(make_message(coordinator_id, now, MissingFields{delivered.key, gaps}));
  return State::lost;
}

}  // namespace ocs
