// Which words of the transfers to a node have arrived.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/roles/receipts.hpp"

#include <string>
#include <utility>

#include "host/core/word_digest.hpp"

namespace ocs {

Message offer_again(const MissingFields& missing, std::uint32_t map, Picos heard) {
  const Offer again{missing.key, missing.words, missing.attempt, missing.runs, missing.sent, map};
  return make_message(coordinator_id, heard, OffersFields{{again}});
}

bool Receipts::on(const DeliveredFields& delivered, Picos now, std::vector<Message>& out) {
  const WordRun all{Words{0}, delivered.words};
  const bool at_once = delivered.attempt == 0 && delivered.final && delivered.runs.size() == 1;
  if (at_once && delivered.runs.front() == all && !open_.contains(delivered.key)) return true;  // nothing to remember
  const auto [entry, is_new] = open_.try_emplace(delivered.key);
  Transfer& transfer = entry->second;
  if (is_new) transfer.attempts.emplace(0, Attempt{RunSet({all}), 1, RunSet({all})});
  const auto found = transfer.attempts.find(delivered.attempt);
  if (found == transfer.attempts.end())
    throw Error(ErrorKind::run, "words of the " + describe(delivered.key) + ", came in attempt " +
                                    std::to_string(delivered.attempt) + ", which isn't under way");
  check_order(delivered, found->second);
  Words behind = delivered.final ? delivered.words : Words{0};  // below it nothing more comes in this attempt
  for (const WordRun& run : delivered.runs) {
    transfer.arrived.add(run);
    behind = std::max(behind, run.first + run.count);
  }
  Attempt& attempt = found->second;
  RunSet lost(attempt.expected.within({Words{0}, behind}));
  attempt.expected.remove({Words{0}, behind});
  for (const WordRun& run : transfer.arrived.runs()) lost.remove(run);
  const std::uint32_t sent = attempt.sent;
  if (delivered.final) transfer.attempts.erase(found);
  if (!lost.empty()) ask(delivered, transfer, lost, sent, now, out);
  const bool complete = !std::exchange(transfer.whole, transfer.arrived.covers(all)) && transfer.whole;
  if (transfer.attempts.empty()) open_.erase(entry);
  return complete;
}

/// The words as they came against the same words as they must have been sent: in their order, each once. What comes in
/// another delivery may be before or behind them: a plan may carry a flow's parts in any order.
void Receipts::check_order(const DeliveredFields& delivered, Attempt& attempt) {
  WordDigest came, sent;
  for (const WordRun& run : delivered.runs) came.add(run);
  const RunSet all(delivered.runs);
  for (const WordRun& run : all.runs())
    for (const WordRun& part : attempt.owed.within(run)) {
      sent.add(part);
      attempt.owed.remove(part);
    }
  if (came == sent) return;
  std::string runs;
  for (const WordRun& run : delivered.runs) runs += (runs.empty() ? "" : ", ") + describe(std::vector{run});
  throw Error(
      ErrorKind::run,
      "words " + runs + " of the " + describe(delivered.key) + ", attempt " + std::to_string(delivered.attempt) +
          ", came in another order than they were sent, or twice, or were never sent: " + std::to_string(came.words()) +
          " words came, " + std::to_string(sent.words()) + " of those that were owed");
}

void Receipts::ask(const DeliveredFields& of, Transfer& transfer, const RunSet& lost, std::uint32_t sent, Picos now,
                   std::vector<Message>& out) const {
  const std::uint32_t number = transfer.next++;
  transfer.attempts.emplace(number, Attempt{lost, sent + 1, lost});
  out.push_back(
      make_message(coordinator_id, now + latency_, MissingFields{of.key, of.words, lost.runs(), number, sent}));
}

}  // namespace ocs
