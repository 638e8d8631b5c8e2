// A partial mesh, drawn.
// SPDX-License-Identifier: Apache-2.0
#include "host/core/error.hpp"
#include "host/scheduler/splitmix.hpp"
#include "testbed/selection/loads.hpp"
#include "testbed/selection/policies.hpp"

namespace ocs {

Selection RandomReceivers::select(const SelectionProblem& problem) const {
  check(problem);
  if (problem.sending) throw Error(ErrorKind::input, "receivers: random is for peers that are all ready");
  Loads loads(problem);
  for (const auto& [i, j] : problem.must) loads.add(i, j);
  for (std::size_t i = 0; i < problem.peers; ++i) {
    std::uint64_t state = problem.seed;
    state = splitmix64(state) + i;
    state = splitmix64(state);  // senders' sequences don't follow one another, nor do those of two seeds
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < problem.peers; ++j)
      if (j != i && !loads.has(i, j)) others.push_back(j);
    for (std::size_t left = others.size(); loads.fan_out(i) < problem.least[i]; --left) {
      const std::size_t drawn = splitmix64(state) % left;
      loads.add(i, others[drawn]);
      others[drawn] = others[left - 1];
    }
  }
  Selection selection{.basic = loads.pairs(), .selected = loads.pairs()};
  add_loads(problem, selection);
  return selection;
}

}  // namespace ocs
