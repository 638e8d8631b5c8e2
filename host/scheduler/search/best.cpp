// Portfolio, then search_list() over the list scheduler.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/search/best.hpp"

#include <algorithm>

#include "host/scheduler/lists/list_schedule.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/search/list_search.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_lists = 20'000;  // small problems have no more to gain from them
constexpr std::uint32_t no_match = ~std::uint32_t{0};

class PairNumbers {
 public:
  explicit PairNumbers(const Demand& demand)
      : ports_(static_cast<std::size_t>(demand.ports)), number_(ports_ * ports_, no_match) {
    for (std::uint32_t p = 0; p < demand.pairs.size(); ++p)
      number_[demand.pairs[p].in * ports_ + demand.pairs[p].out] = p;
  }
  std::uint32_t of(const Reservation& r) const { return number_[index(r.in) * ports_ + single_output(r.outs)]; }

 private:
  std::size_t ports_;
  std::vector<std::uint32_t> number_;
};

/// The pairs of a plan without preemption, by their starts.
std::vector<std::uint32_t> order_of(const Plan& plan, const PairNumbers& numbers) {
  std::vector<const Reservation*> list;
  list.reserve(plan.list.size());
  for (const Reservation& r : plan.list) list.push_back(&r);
  std::stable_sort(list.begin(), list.end(), [](auto* a, auto* b) { return a->start < b->start; });
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(plan.list.size(), false);
  for (const Reservation* r : list)
    if (const std::uint32_t p = numbers.of(*r); !seen[p]) {
      seen[p] = true;
      order.push_back(p);
    }
  return order;
}

}  // namespace

Plan Best::plan(const Problem& problem) const {
  const Demand demand = read_demand(problem, "best");
  Plan best = Psscheduler().plan(problem);
  const Ticks end = plan_end(best, problem.now);
  if (demand.pairs.empty() || end <= problem.now + best.bound) return best;
  const PairNumbers numbers(demand);
  ListSearch search;
  search.goal = demand.origin + best.bound.n;
  search.lists = std::min(most_lists, work_ / static_cast<std::int64_t>(demand.pairs.size()));
  search.seed = problem.seed;
  search.play = [&](const std::vector<std::uint32_t>& order, std::vector<Played>& played) {
    read_played(
        demand, list_schedule(demand, order, Freeing::all), [&](const Reservation& r) { return numbers.of(r); },
        played);
  };
  Plan found = list_schedule(demand, search_list(search, order_of(best, numbers)), Freeing::all);
  if (plan_end(found, problem.now) < end) best = std::move(found);
  return best;
}

}  // namespace ocs
