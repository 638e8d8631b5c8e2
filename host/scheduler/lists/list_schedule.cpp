// Looks only at flows whose ports have just been freed: no other waiting flow can start.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/list_schedule.hpp"

#include <algorithm>

#include "host/scheduler/lists/waiting_list.hpp"

namespace ocs {
namespace {

using By = WaitingList::By;
constexpr std::uint32_t no_flow = WaitingList::none;

class ListRun {
 public:
  ListRun(const Demand& demand, const std::vector<std::uint32_t>& order)
      : demand_(demand), port_schedule_(demand), waiting_(demand, order), rank_(order.size()) {
    for (std::size_t place = 0; place < order.size(); ++place) rank_[order[place]] = static_cast<std::uint32_t>(place);
  }

  Plan run(Freeing freeing) {
    scan_all(demand_.origin);
    std::vector<std::uint32_t> freed;
    while (const auto now = port_schedule_.next_end()) {
      freed.assign(1, port_schedule_.free_next());
      while (freeing == Freeing::all && port_schedule_.next_end() == now) freed.push_back(port_schedule_.free_next());
      // Gathering pays while few ports are free; otherwise its lists are most of the list of all.
      if (freed.size() == 1)
        scan_one(freed.front(), *now);
      else if (freed.size() * 8 < static_cast<std::size_t>(demand_.ports))
        scan_gathered(freed, *now);
      else
        scan_all(*now);
    }
    return port_schedule_.finish();
  }

 private:
  void start(std::uint32_t pair, std::int64_t now) {
    waiting_.remove(pair);
    port_schedule_.start(pair, now);
  }

  void scan_all(std::int64_t now) {
    for (std::uint32_t p = waiting_.first(By::all), next; p != no_flow; p = next) {
      next = waiting_.next(By::all, p);
      if (port_schedule_.both_free(p)) start(p, now);
    }
  }

  /// One list at a freed port, and the first of its pairs that hasn't been passed over.
  struct Cursor {
    By by;
    std::uint32_t pair;
  };

  /// The first pair from `cursor` on that can start; none, too, once its own port is taken.
  std::uint32_t startable_from(const Cursor& cursor) const {
    std::uint32_t p = cursor.pair;
    for (; p != no_flow && !port_schedule_.both_free(p); p = waiting_.next(cursor.by, p)) {
      const PairDemand& pair = demand_.pairs[p];
      if (cursor.by == By::input ? !port_schedule_.input_free(pair.in) : !port_schedule_.output_free(pair.out))
        return no_flow;
    }
    return p;
  }

  /// The lists of the freed ports are merged: each is in the order of all, and what can start becomes less with each
  /// start, so that a pair that has been passed over can't start any more.
  void scan_gathered(const std::vector<std::uint32_t>& freed, std::int64_t now) {
    cursors_.clear();
    for (const std::uint32_t pair : freed) {
      const auto [in, out] = port_schedule_.ports_of(pair);
      cursors_.push_back({By::input, waiting_.first(By::input, in)});
      cursors_.push_back({By::output, waiting_.first(By::output, out)});
    }
    for (;;) {
      std::uint32_t next = no_flow;
      for (Cursor& cursor : cursors_) {
        cursor.pair = startable_from(cursor);
        if (cursor.pair != no_flow && (next == no_flow || rank_[cursor.pair] < rank_[next])) next = cursor.pair;
      }
      if (next == no_flow) return;
      start(next, now);
    }
  }

  // At most two flows can start: the first that fits the input and the first that fits the output. They share no port,
  // because pairs are merged: the only one with both ports is the one that has just ended, unless that was busy at the
  // start. Then it may be both.
  void scan_one(std::uint32_t freed, std::int64_t now) {
    const auto [in, out] = port_schedule_.ports_of(freed);
    std::uint32_t a = waiting_.first(By::input, in), b = waiting_.first(By::output, out);
    while (a != no_flow && !port_schedule_.output_free(demand_.pairs[a].out)) a = waiting_.next(By::input, a);
    while (b != no_flow && !port_schedule_.input_free(demand_.pairs[b].in)) b = waiting_.next(By::output, b);
    if (a != no_flow && b != no_flow && rank_[b] < rank_[a]) std::swap(a, b);
    if (a != no_flow) start(a, now);
    if (b == no_flow || a == b) return;
    if (port_schedule_.both_free(b)) return start(b, now);
    scan_all(now);  // a was on the ports of a circuit that was busy, and took the one that b needs
  }

  const Demand& demand_;
  PortSchedule port_schedule_;
  WaitingList waiting_;
  std::vector<std::uint32_t> rank_;  ///< of each pair: its place in the list
  std::vector<Cursor> cursors_;
};

}  // namespace

Plan list_schedule(const Demand& demand, const std::vector<std::uint32_t>& order, Freeing freeing) {
  return ListRun(demand, order).run(freeing);
}

}  // namespace ocs
