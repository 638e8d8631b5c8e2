// One port schedule carries both phases; a push and a pull of one pair of ports stay two entries of the list.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/pipelined.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <unordered_map>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/port_schedule.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/search/list_search.hpp"

namespace ocs {
namespace {

Demand read_pulls(const Synchronisation& both) {
  Problem pull = both.push;
  pull.flows = both.pull;
  for (Flow& flow : pull.flows) flow.release = pull.now;
  return read_demand(pull, "the pipelined form");
}

/// Both demands as one: pushes, then pulls.
struct Joined {
  Demand demand;
  std::size_t pushes;

  explicit Joined(const Synchronisation& both)
      : demand(read_demand(both.push, "the pipelined form")), pushes(demand.pairs.size()) {
    const Demand pull = read_pulls(both);
    const auto parts = static_cast<std::uint32_t>(demand.parts.size());
    for (PairDemand pair : pull.pairs) {
      pair.first_part += parts;
      demand.pairs.push_back(pair);
    }
    demand.parts.insert(demand.parts.end(), pull.parts.begin(), pull.parts.end());
  }
};

/// Plays a list once.
class Play {
 public:
  Play(const Joined& joined, Ticks answer)
      : joined_(joined),
        answer_(answer.n),
        port_schedule_(joined.demand),
        pushes_left_(ports(), 0),
        released_(ports(), true) {
    for (std::size_t n = 0; n < joined.pushes; ++n) {
      ++pushes_left_[joined.demand.pairs[n].out];
      released_[joined.demand.pairs[n].out] = false;
    }
  }

  Plan run(std::vector<std::uint32_t> order) {
    std::int64_t now = joined_.demand.origin;
    for (;;) {
      std::erase_if(order, [&](std::uint32_t n) {
        if (!port_schedule_.both_free(n) || (n >= joined_.pushes && !released_[joined_.demand.pairs[n].in]))
          return false;
        port_schedule_.start(n, now);
        return true;
      });
      const auto end = port_schedule_.next_end();
      if (!end && releases_.empty()) return port_schedule_.finish();
      now = end.value_or(std::numeric_limits<std::int64_t>::max());
      if (!releases_.empty()) now = std::min(now, releases_.top().first);
      while (port_schedule_.next_end() == now) ended(port_schedule_.free_next(), now);
      for (; !releases_.empty() && releases_.top().first == now; releases_.pop())
        released_[releases_.top().second] = true;
    }
  }

 private:
  std::size_t ports() const { return static_cast<std::size_t>(joined_.demand.ports); }

  void ended(std::uint32_t n, std::int64_t now) {
    const std::uint16_t server = joined_.demand.pairs[n].out;
    if (n < joined_.pushes && --pushes_left_[server] == 0) releases_.emplace(now + answer_, server);
  }

  using Release = std::pair<std::int64_t, std::uint16_t>;  // when, of which server
  const Joined& joined_;
  std::int64_t answer_;
  PortSchedule port_schedule_;
  std::vector<std::size_t> pushes_left_;  ///< of each server
  std::vector<bool> released_;
  std::priority_queue<Release, std::vector<Release>, std::greater<>> releases_;
};

/// Numbers of the pairs [first, last) of `demand`, by the first start of each in a plan.
std::vector<std::uint32_t> earlier_start(const Demand& demand, std::size_t first, std::size_t last, const Plan& plan) {
  const auto ports = static_cast<std::size_t>(demand.ports);
  std::vector<std::pair<std::int64_t, std::size_t>> start(ports * ports, {std::numeric_limits<std::int64_t>::max(), 0});
  for (std::size_t n = 0; n < plan.list.size(); ++n) {
    const Reservation& r = plan.list[n];
    auto& of_pair = start[index(r.in) * ports + single_output(r.outs)];
    of_pair = std::min(of_pair, {r.start.n, n});
  }
  std::vector<std::uint32_t> order(last - first);
  std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(first));
  const auto key = [&](std::uint32_t n) { return start[demand.pairs[n].in * ports + demand.pairs[n].out]; };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

std::vector<std::uint32_t> barrier_order(const Synchronisation& both, const Joined& joined,
                                         const Scheduler& scheduler) {
  const Plan pushes = scheduler.plan(both.push);
  Problem pull = both.push;
  pull.up = circuits_after(both.push, pushes);
  pull.now = plan_end(pushes, both.push.now);
  pull.flows = both.pull;
  for (Flow& flow : pull.flows) flow.release = pull.now;
  std::vector<std::uint32_t> order = earlier_start(joined.demand, 0, joined.pushes, pushes);
  for (const std::uint32_t n :
       earlier_start(joined.demand, joined.pushes, joined.demand.pairs.size(), scheduler.plan(pull)))
    order.push_back(n);
  return order;
}

/// The entry of each flow: a push and a pull may have the same ports, but not the same flow.
std::unordered_map<std::uint32_t, std::uint32_t> entries_of_flows(const Demand& demand) {
  std::unordered_map<std::uint32_t, std::uint32_t> entry;
  for (std::uint32_t n = 0; n < demand.pairs.size(); ++n)
    for (const Demand::Part& part : demand.parts_of(demand.pairs[n])) entry[index(part.flow)] = n;
  return entry;
}

}  // namespace

Plan plan_pipelined(const Synchronisation& both, const Overlap& overlap) {
  const Joined joined(both);
  std::vector<std::uint32_t> order = barrier_order(both, joined, overlap.scheduler);
  const Ticks bound = pipelined_bound(both);
  const auto entries = static_cast<std::int64_t>(order.size());
  if (overlap.work > 0 && entries > 0) {
    const auto entry = entries_of_flows(joined.demand);
    const auto entry_of = [&](const Reservation& r) { return entry.at(index(r.flow)); };
    const ListSearch search{[&](const std::vector<std::uint32_t>& tried, std::vector<Played>& played) {
                              read_played(joined.demand, Play(joined, both.answer).run(tried), entry_of, played);
                            },
                            (both.push.now + bound).n, overlap.work / entries, both.push.seed};
    order = search_list(search, std::move(order));
  }
  Plan plan = Play(joined, both.answer).run(std::move(order));
  plan.bound = bound;
  return plan;
}

Ticks pipelined_bound(const Synchronisation& both) {
  const Demand push = read_demand(both.push, "the pipelined form"), pull = read_pulls(both);
  const auto ports = static_cast<std::size_t>(push.ports);
  // Loads of inputs and outputs by both; pushes into a server, pulls out of it, and what a set-up
  // of these can be spared.
  std::vector<std::int64_t> load(2 * ports, 0), into(ports, 0), from(ports, 0), spared(ports, 0);
  std::vector<bool> pushed(ports * ports, false);
  const auto set_up = [&](const PairDemand& pair) { return push.up[pair.in] == pair.out ? 0 : push.set_up(pair); };
  for (const PairDemand& pair : push.pairs) {
    const std::int64_t cost = pair.length + set_up(pair);
    pushed[pair.in * ports + pair.out] = true;
    load[pair.in] += cost;
    load[ports + pair.out] += cost;
    into[pair.out] += cost;
  }
  for (const PairDemand& pair : pull.pairs) {
    const bool again = pushed[pair.in * ports + pair.out];
    const std::int64_t cost = pair.length + (again ? 0 : set_up(pair));
    load[pair.in] += cost;
    load[ports + pair.out] += cost;
    from[pair.in] += pair.length + push.set_up(pair);
    if (again || push.up[pair.in] == pair.out) spared[pair.in] = std::max(spared[pair.in], push.set_up(pair));
  }
  std::int64_t bound = *std::max_element(load.begin(), load.end());
  for (std::size_t server = 0; server < ports; ++server)
    if (into[server] > 0 && from[server] > 0)
      bound = std::max(bound, into[server] + both.answer.n + from[server] - spared[server]);
  return {bound};
}

Problem released(const Synchronisation& both, const Plan& plan) {
  Problem problem = both.push;
  std::vector<Ticks> last(static_cast<std::size_t>(problem.ports), problem.now);
  std::vector<bool> is_push;
  for (const Flow& flow : both.push.flows) {
    if (index(flow.id) >= is_push.size()) is_push.resize(index(flow.id) + 1, false);
    is_push[index(flow.id)] = true;
  }
  for (const Reservation& r : plan.list)
    if (index(r.flow) < is_push.size() && is_push[index(r.flow)])
      last[single_output(r.outs)] = std::max(last[single_output(r.outs)], r.end + both.answer);
  for (Flow flow : both.pull) {
    flow.release = last[index(flow.in)];
    problem.flows.push_back(flow);
  }
  return problem;
}

}  // namespace ocs
