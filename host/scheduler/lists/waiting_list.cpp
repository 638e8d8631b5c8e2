// Doubly linked lists in arrays.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/waiting_list.hpp"

#include <numeric>

namespace ocs {

WaitingList::WaitingList(const Demand& demand, const std::vector<std::uint32_t>& order) : demand_(demand) {
  const auto ports = static_cast<std::size_t>(demand.ports);
  for (const By by : {By::input, By::output, By::all}) {
    Lists& lists = lists_[static_cast<std::size_t>(by)];
    lists.next.assign(demand.pairs.size() + ports, none);
    lists.previous.resize(lists.next.size());
    std::vector<std::uint32_t> last(ports);
    std::iota(last.begin(), last.end(), head(0));
    for (const std::uint32_t pair : order) {
      const PairDemand& p = demand.pairs[pair];
      std::uint32_t& end = last[by == By::input ? p.in : by == By::output ? p.out : 0];
      lists.next[end] = pair;
      lists.previous[pair] = end;
      end = pair;
    }
  }
}

void WaitingList::remove(std::uint32_t pair) {
  for (Lists& lists : lists_) {
    const std::uint32_t next = lists.next[pair], previous = lists.previous[pair];
    lists.next[previous] = next;
    if (next != none) lists.previous[next] = previous;
  }
}

std::vector<std::uint32_t> WaitingList::startable(const PortSchedule& port_schedule,
                                                  const std::vector<std::uint32_t>& freed) const {
  std::vector<std::uint32_t> found;
  std::vector<bool> gathered(static_cast<std::size_t>(demand_.ports), false);  // inputs
  for (const std::uint32_t pair : freed) {
    const std::uint16_t in = port_schedule.ports_of(pair).first;
    gathered[in] = true;
    for (std::uint32_t p = first(By::input, in); p != none; p = next(By::input, p))
      if (port_schedule.both_free(p)) found.push_back(p);
  }
  for (const std::uint32_t pair : freed)
    for (std::uint32_t p = first(By::output, port_schedule.ports_of(pair).second); p != none; p = next(By::output, p))
      if (!gathered[demand_.pairs[p].in] && port_schedule.both_free(p)) found.push_back(p);
  return found;
}

}  // namespace ocs
