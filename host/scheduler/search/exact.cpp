// A pair that uses an established circuit starts at once or not at all: it is first at both its
// ports, so it waits for nothing.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/search/exact.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "host/core/error.hpp"
#include "host/scheduler/lists/port_schedule.hpp"
#include "host/scheduler/lists/psscheduler.hpp"

namespace ocs {
namespace {

struct Start {
  std::int64_t at;
  std::uint32_t pair;
};

class Search {
 public:
  Search(const Demand& demand, std::int64_t end)
      : demand_(demand),
        best_end_(end),
        least_end_(demand.origin + port_bound(demand)),
        free_(2 * static_cast<std::size_t>(demand.ports), demand.origin),
        load_(free_.size(), 0),
        waits_(demand.pairs.size(), true) {
    for (const PairDemand& pair : demand.pairs) {
      load_[pair.in] += cost(pair);
      load_[out_of(pair)] += cost(pair);
    }
  }

  /// Chooses for each needed circuit that is up, from number `from` on, whether it is used.
  void run(std::uint32_t from = 0) {
    for (std::uint32_t p = from; p < demand_.pairs.size(); ++p) {
      const PairDemand& pair = demand_.pairs[p];
      if (demand_.up[pair.in] != pair.out) continue;
      const Undo before = start(p, demand_.origin, pair.length);
      run(p + 1);
      take_back(before);
      run(p + 1);
      return;
    }
    branch();
  }

  const std::vector<Start>& best() const { return best_; }
  std::int64_t best_end() const { return best_end_; }

 private:
  struct Undo {
    std::uint32_t pair;
    std::int64_t in_free, out_free;
  };

  std::int64_t cost(const PairDemand& pair) const { return demand_.set_up(pair) + pair.length; }
  std::size_t out_of(const PairDemand& pair) const { return static_cast<std::size_t>(demand_.ports) + pair.out; }
  std::int64_t earliest(const PairDemand& pair) const { return std::max(free_[pair.in], free_[out_of(pair)]); }

  Undo start(std::uint32_t p, std::int64_t at, std::int64_t lasts) {
    const PairDemand& pair = demand_.pairs[p];
    const Undo undo{p, free_[pair.in], free_[out_of(pair)]};
    free_[pair.in] = free_[out_of(pair)] = at + lasts;
    load_[pair.in] -= cost(pair);
    load_[out_of(pair)] -= cost(pair);
    waits_[p] = false;
    starts_.push_back({at, p});
    return undo;
  }

  void take_back(const Undo& undo) {
    const PairDemand& pair = demand_.pairs[undo.pair];
    free_[pair.in] = undo.in_free;
    free_[out_of(pair)] = undo.out_free;
    load_[pair.in] += cost(pair);
    load_[out_of(pair)] += cost(pair);
    waits_[undo.pair] = true;
    starts_.pop_back();
  }

  void branch() {
    if (++nodes_ > Exact::most_nodes)
      throw Error(ErrorKind::input, "exact has not found the shortest plan for " +
                                        std::to_string(demand_.pairs.size()) + " pairs after " +
                                        std::to_string(Exact::most_nodes) + " steps; take the scheduler best");
    if (best_end_ == least_end_) return;
    for (std::size_t port = 0; port < free_.size(); ++port)
      if (free_[port] + load_[port] >= best_end_) return;
    std::uint32_t first = 0;
    std::int64_t first_end = std::numeric_limits<std::int64_t>::max();
    for (std::uint32_t p = 0; p < waits_.size(); ++p)
      if (waits_[p] && earliest(demand_.pairs[p]) + cost(demand_.pairs[p]) < first_end) {
        first = p;
        first_end = earliest(demand_.pairs[p]) + cost(demand_.pairs[p]);
      }
    if (first_end == std::numeric_limits<std::int64_t>::max()) {
      best_end_ = *std::max_element(free_.begin(), free_.end());
      best_ = starts_;
      return;
    }
    // Any order of the branches is right; the first one found tends to be good if the longest goes first.
    std::vector<std::uint32_t> rivals;
    for (std::uint32_t p = 0; p < waits_.size(); ++p) {
      const PairDemand& pair = demand_.pairs[p];
      const bool meets = pair.in == demand_.pairs[first].in || pair.out == demand_.pairs[first].out;
      if (waits_[p] && meets && earliest(pair) < first_end) rivals.push_back(p);
    }
    std::stable_sort(rivals.begin(), rivals.end(), [&](std::uint32_t a, std::uint32_t b) {
      return demand_.pairs[a].length > demand_.pairs[b].length;
    });
    for (const std::uint32_t p : rivals) {
      const Undo before = start(p, earliest(demand_.pairs[p]), cost(demand_.pairs[p]));
      branch();
      take_back(before);
    }
  }

  const Demand& demand_;
  std::int64_t best_end_, least_end_, nodes_ = 0;
  std::vector<std::int64_t> free_, load_;  ///< of each port, outputs after inputs: free from; what waits costs it
  std::vector<bool> waits_;                ///< of each pair
  std::vector<Start> starts_, best_;
};

}  // namespace

Plan Exact::plan(const Problem& problem) const {
  const Demand demand = read_demand(problem, "exact");
  if (demand.pairs.size() > most_pairs)
    throw Error(ErrorKind::input, "exact plans at most " + std::to_string(most_pairs) + " pairs of ports, not " +
                                      std::to_string(demand.pairs.size()) + "; take the scheduler best");
  Plan plan = Psscheduler().plan(problem);
  Search search(demand, plan_end(plan, problem.now).n);
  search.run();
  if (std::vector<Start> starts = search.best(); !starts.empty()) {
    std::stable_sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.at < b.at; });
    PortSchedule port_schedule(demand);
    for (const Start& start : starts) port_schedule.start(start.pair, start.at);
    plan = port_schedule.finish();
  }
  return plan;
}

}  // namespace ocs
