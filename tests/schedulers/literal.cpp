// No data structure but lists.
// SPDX-License-Identifier: Apache-2.0
#include "tests/schedulers/literal.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace ocs::test {
namespace {

class LiteralSwitch {
 public:
  explicit LiteralSwitch(const LiteralProblem& problem) : up_(problem.up), delta_(problem.delta) {}

  bool able(const Row& flow) const {
    return std::none_of(running_.begin(), running_.end(),
                        [&](const Decision& r) { return r[0] == flow[0] || r[1] == flow[1]; });
  }

  void start(const Row& flow, std::int64_t now) {
    const std::array<std::int64_t, 2> circuit{flow[0], flow[1]};
    const bool established = std::find(up_.begin(), up_.end(), circuit) != up_.end();
    up_.erase(std::remove_if(up_.begin(), up_.end(),
                             [&](const auto& other) { return other[0] == circuit[0] || other[1] == circuit[1]; }),
              up_.end());
    up_.push_back(circuit);
    const std::int64_t ready = established ? now : now + delta_;
    running_.push_back({flow[0], flow[1], now, ready, ready + flow[2]});
    done_.push_back(running_.back());
  }

  bool idle() const { return running_.empty(); }

  /// Frees the earliest end, of several the one started first; `all`: every one that ends then. @returns the instant.
  std::int64_t free(bool all) {
    const auto first = std::min_element(running_.begin(), running_.end(),
                                        [](const Decision& a, const Decision& b) { return a[4] < b[4]; });
    const std::int64_t now = (*first)[4];
    running_.erase(first);
    while (all) {
      const auto next = std::find_if(running_.begin(), running_.end(), [&](const Decision& r) { return r[4] == now; });
      if (next == running_.end()) break;
      running_.erase(next);
    }
    return now;
  }

  std::vector<Decision> done_;

 private:
  std::vector<std::array<std::int64_t, 2>> up_;
  std::int64_t delta_;
  std::vector<Decision> running_;
};

std::map<std::tuple<bool, std::int64_t>, std::int64_t> loads(const std::vector<Row>& flows, std::int64_t delta) {
  std::map<std::tuple<bool, std::int64_t>, std::int64_t> load;
  for (const Row& flow : flows) {
    load[{false, flow[0]}] += delta + flow[2];
    load[{true, flow[1]}] += delta + flow[2];
  }
  return load;
}

}  // namespace

LiteralProblem::LiteralProblem(const Problem& problem) : now(problem.now.n), delta(problem.delta.n) {
  for (const Flow& flow : problem.flows) {
    const Row row{index(flow.in), static_cast<std::int64_t>(flow.outs._Find_first()), flow.length.n};
    if (row[0] == row[1] || row[2] == 0) continue;
    const auto same = std::find_if(flows.begin(), flows.end(),
                                   [&](const Row& other) { return other[0] == row[0] && other[1] == row[1]; });
    if (same == flows.end())
      flows.push_back(row);
    else
      (*same)[2] += row[2];
  }
  for (const EstablishedCircuit& c : problem.up)
    up.push_back({index(c.in), static_cast<std::int64_t>(c.outs._Find_first())});
}

std::vector<Decision> literal_list(const LiteralProblem& problem, const std::vector<Row>& flows,
                                   LiteralFreeing freeing) {
  LiteralSwitch fabric(problem);
  std::vector<Row> waiting = flows;
  std::int64_t now = problem.now;
  while (true) {
    for (auto flow = waiting.begin(); flow != waiting.end();)
      if (fabric.able(*flow)) {
        fabric.start(*flow, now);
        flow = waiting.erase(flow);
      } else {
        ++flow;
      }
    if (fabric.idle()) return fabric.done_;
    now = fabric.free(freeing == LiteralFreeing::all);
  }
}

std::vector<Decision> literal_hlf(const LiteralProblem& problem) {
  LiteralSwitch fabric(problem);
  std::vector<Row> waiting = problem.flows;
  std::int64_t now = problem.now;
  while (true) {
    while (true) {
      auto load = loads(waiting, problem.delta);
      auto best = waiting.end();
      const auto key = [&](const Row& f) {
        return std::make_tuple(-std::max(load[{false, f[0]}], load[{true, f[1]}]), -f[2], f[0], f[1]);
      };
      for (auto flow = waiting.begin(); flow != waiting.end(); ++flow)
        if (fabric.able(*flow) && (best == waiting.end() || key(*flow) < key(*best))) best = flow;
      if (best == waiting.end()) break;
      fabric.start(*best, now);
      waiting.erase(best);
    }
    if (fabric.idle()) return fabric.done_;
    now = fabric.free(true);
  }
}

std::int64_t literal_port_bound(const LiteralProblem& problem) {
  std::int64_t bound = 0;
  auto load = loads(problem.flows, problem.delta);
  for (const auto& [in, out] : problem.up)
    for (const Row& flow : problem.flows)
      if (flow[0] == in && flow[1] == out) {
        load[{false, in}] -= problem.delta;
        load[{true, out}] -= problem.delta;
      }
  for (const auto& [port, sum] : load) bound = std::max(bound, sum);
  return bound;
}

}  // namespace ocs::test
