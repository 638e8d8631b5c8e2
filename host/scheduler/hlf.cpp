// A start changes the loads of its own two ports alone, and these are then taken: so the candidates of one instant can
// be sorted once.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/hlf.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "host/scheduler/waiting_list.hpp"

namespace ocs {
namespace {

class HlfRun {
 public:
  explicit HlfRun(const Demand& demand)
      : demand_(demand),
        board_(demand),
        all_(numbers(demand)),
        waiting_(demand, all_),
        in_load_(static_cast<std::size_t>(demand.ports), 0),
        out_load_(in_load_) {
    for (const PairDemand& pair : demand.pairs) charge(pair, demand.delta + pair.length);
  }

  Plan run() {
    start_heaviest(all_, demand_.origin);
    std::vector<std::uint32_t> freed;
    while (const auto now = board_.next_end()) {
      freed.clear();
      while (board_.next_end() == now) freed.push_back(board_.free_next());
      start_heaviest(waiting_.startable(board_, freed), *now);
    }
    return board_.finish();
  }

 private:
  struct Candidate {
    std::int64_t load, length;
    std::uint16_t in, out;
    std::uint32_t pair;
    bool operator<(const Candidate& other) const {
      return std::tie(other.load, other.length, in, out) < std::tie(load, length, other.in, other.out);
    }
  };

  static std::vector<std::uint32_t> numbers(const Demand& demand) {
    std::vector<std::uint32_t> all(demand.pairs.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }

  void charge(const PairDemand& pair, std::int64_t cost) {
    in_load_[pair.in] += cost;
    out_load_[pair.out] += cost;
  }

  void start_heaviest(const std::vector<std::uint32_t>& able, std::int64_t now) {
    std::vector<Candidate> candidates;
    candidates.reserve(able.size());
    for (const std::uint32_t p : able) {
      const PairDemand& pair = demand_.pairs[p];
      candidates.push_back({std::max(in_load_[pair.in], out_load_[pair.out]), pair.length, pair.in, pair.out, p});
    }
    std::sort(candidates.begin(), candidates.end());
    for (const Candidate& c : candidates) {
      if (!board_.both_free(c.pair)) continue;
      waiting_.remove(c.pair);
      board_.start(c.pair, now);
      charge(demand_.pairs[c.pair], -(demand_.delta + c.length));
    }
  }

  const Demand& demand_;
  Board board_;
  std::vector<std::uint32_t> all_;
  WaitingList waiting_;
  std::vector<std::int64_t> in_load_, out_load_;
};

}  // namespace

Plan plan_hlf(const Demand& demand) { return HlfRun(demand).run(); }

Plan Hlf::plan(const Problem& problem) const { return plan_hlf(read_demand(problem, "hlf")); }

}  // namespace ocs
