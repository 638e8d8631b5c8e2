// Pairs first, then what must be served, then numbers of receivers.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/selection/check_selection.hpp"

#include <algorithm>
#include <string>

#include "host/scheduler/check_plan.hpp"
#include "testbed/selection/loads.hpp"

namespace ocs {
namespace {

using std::to_string;

class SelectionCheck {
 public:
  SelectionCheck(const SelectionProblem& problem, const Selection& selection, ErrorKind kind)
      : problem_(problem), selected_(selection.selected), selection_(selection), kind_(kind), may_(candidates()) {}

  void run() const {
    if (selected_.size() != problem_.peers)
      refuse("the selection has receivers of " + to_string(selected_.size()) + " peers, but there are " +
             to_string(problem_.peers));
    for (std::size_t i = 0; i < problem_.peers; ++i) check_receivers(i);
    for (const auto& [i, j] : problem_.must)
      if (may_[i].test(j) && !selected_[i].test(j))
        refuse("peer " + to_string(i) + " doesn't send to peer " + to_string(j) + ", but it must: it has left it out " +
               to_string(problem_.unsent[i * problem_.peers + j]) + " times");
    for (std::size_t i = 0; i < problem_.peers; ++i) {
      const std::size_t least = std::min<std::size_t>(problem_.least[i], may_[i].count());
      if (selected_[i].count() < least)
        refuse("peer " + to_string(i) + " has " + to_string(selected_[i].count()) + " receivers, but must have " +
               to_string(least) + " or more");
    }
    if (problem_.sending) check_senders();
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw BrokenRule(kind_, PlanRule::receivers, sentence);
  }

  /// Pairs that may be selected.
  PeerPairs candidates() const {
    PeerPairs all = all_pairs(problem_.peers);
    if (!problem_.sending) return all;
    PeerPairs may = problem_.sending->plan;
    may[problem_.sending->ready] = all[problem_.sending->ready];
    return may;
  }

  void check_receivers(std::size_t i) const {
    if ((selected_[i] >> problem_.peers).any() || selected_[i].test(i))
      refuse("peer " + to_string(i) + " sends to itself, or to one beyond the " + to_string(problem_.peers) + " peers");
    const Outputs beyond = selected_[i] & ~may_[i];
    if (beyond.any())
      refuse("peer " + to_string(i) + " is to send to peer " + to_string(beyond._Find_first()) +
             ", but it isn't ready, and this pair isn't in its plan");
  }

  void check_senders() const {
    for (const auto& [i, j] : selection_.aborted)
      if (i >= problem_.peers || j >= problem_.peers || !problem_.sending->plan[i].test(j) || selected_[i].test(j))
        refuse("the pair " + to_string(i) + " to " + to_string(j) +
               " is aborted, but isn't in the plan, or is selected");
    for (const auto& [i, deadline] : selection_.deadlines)
      if (i != problem_.sending->ready &&
          std::ranges::find(problem_.sending->senders, i) == problem_.sending->senders.end())
        refuse("peer " + to_string(i) + " has a deadline, but doesn't send");
  }

  const SelectionProblem& problem_;
  const PeerPairs& selected_;
  const Selection& selection_;
  ErrorKind kind_;
  PeerPairs may_;
};

}  // namespace

void check_selection(const SelectionProblem& problem, const Selection& selection, ErrorKind kind) {
  SelectionCheck(problem, selection, kind).run();
}

}  // namespace ocs
