// A scheduler that goes by the order of a plan made elsewhere: for jobs whose transfers are planned as they come.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// The reservations of one iteration say in which order its transfers get their ports; each gets them as soon as those
/// before it leave them free. What is to cross between two ports takes its places in the file from the first word to the
/// last; behind them the next iteration begins. How long circuits take, when words are ready, and what waits together is
/// as it is: so an order holds on any device, whatever is set up and whatever fails. Words that are sent again take the
/// places of later ones.
///
/// Where keys move between servers, an iteration carries between two ports what the file does not say. There the places of
/// a pair return in a circle, without a count of iterations, and pairs that the file does not name come after all others.
class GivenOrder final : public Scheduler {
 public:
  /// @param filed reservations of an iteration, of one or several planes; those of one flow of a plane are a transfer.
  /// @param name of the plan, for messages: "plan.json#2". @param by_priority plans flows of several priorities, smaller
  /// ones first, around circuits that are busy. @param keys_move server load moves keys.
  GivenOrder(const std::vector<Reservation>& filed, std::string name, std::unique_ptr<Scheduler> by_priority,
             bool keys_move = false);

  /// @throws BrokenRule (input, `demand`): the file has no transfer between these ports, and no key moves.
  Plan plan(const Problem& problem) const override;

 private:
  using Ports = std::pair<Input, std::string>;
  struct Places {
    std::vector<std::int64_t> ends;   ///< of each transfer, in ticks of data from the first one
    std::vector<std::int64_t> ranks;  ///< in the order of the file
    std::int64_t asked = 0;           ///< ticks of data so far
  };
  std::int64_t rank_of(const Flow& flow) const;

  mutable std::map<Ports, Places> places_;
  std::int64_t transfers_ = 0;  ///< of an iteration
  std::string name_;
  std::unique_ptr<Scheduler> by_priority_;
  bool keys_move_;
  mutable std::unordered_map<std::uint32_t, std::int64_t> ranks_;  ///< of flows that were asked for
};

}  // namespace ocs
