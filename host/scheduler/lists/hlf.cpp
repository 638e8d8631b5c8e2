// A start changes the loads of its own two ports alone, and these are then taken: so the candidates of one instant can
// be sorted once.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/hlf.hpp"

#include <algorithm>

#include "host/scheduler/lists/longest_first.hpp"
#include "host/scheduler/lists/waiting_list.hpp"

namespace ocs {
namespace {

class HlfRun {
 public:
  explicit HlfRun(const Demand& demand)
      : demand_(demand),
        port_schedule_(demand),
        order_(longest_first(demand)),  // breaks ties of loads
        rank_(order_.size()),
        waiting_(demand, order_),
        in_load_(static_cast<std::size_t>(demand.ports), 0),
        out_load_(in_load_) {
    for (std::uint32_t place = 0; place < order_.size(); ++place) rank_[order_[place]] = place;
    for (const PairDemand& pair : demand.pairs) charge(pair, demand.set_up(pair) + pair.length);
  }

  Plan run() {
    start_heaviest(order_, demand_.origin);
    std::vector<std::uint32_t> freed;
    while (const auto now = port_schedule_.next_end()) {
      freed.clear();
      while (port_schedule_.next_end() == now) freed.push_back(port_schedule_.free_next());
      start_heaviest(waiting_.startable(port_schedule_, freed), *now);
    }
    return port_schedule_.finish();
  }

 private:
  struct Candidate {
    std::int64_t load;
    std::uint32_t rank;
    bool operator<(const Candidate& other) const { return load != other.load ? load > other.load : rank < other.rank; }
  };

  void charge(const PairDemand& pair, std::int64_t cost) {
    in_load_[pair.in] += cost;
    out_load_[pair.out] += cost;
  }

  void start_heaviest(const std::vector<std::uint32_t>& able, std::int64_t now) {
    std::vector<Candidate> candidates;
    candidates.reserve(able.size());
    for (const std::uint32_t p : able) {
      const PairDemand& pair = demand_.pairs[p];
      candidates.push_back({std::max(in_load_[pair.in], out_load_[pair.out]), rank_[p]});
    }
    std::sort(candidates.begin(), candidates.end());
    for (const Candidate& c : candidates) {
      const std::uint32_t p = order_[c.rank];
      if (!port_schedule_.both_free(p)) continue;
      waiting_.remove(p);
      port_schedule_.start(p, now);
      charge(demand_.pairs[p], -(demand_.set_up(demand_.pairs[p]) + demand_.pairs[p].length));
    }
  }

  const Demand& demand_;
  PortSchedule port_schedule_;
  std::vector<std::uint32_t> order_, rank_;
  WaitingList waiting_;
  std::vector<std::int64_t> in_load_, out_load_;  ///< what has not started
};

}  // namespace

Plan plan_hlf(const Demand& demand) { return HlfRun(demand).run(); }

Plan Hlf::plan(const Problem& problem) const { return plan_hlf(read_demand(problem, "hlf", {.running = true})); }

}  // namespace ocs
