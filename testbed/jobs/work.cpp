// From a trace's megabytes and milliseconds to words and cycles.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/jobs/work.hpp"

#include <set>
#include <string>

#include "host/controller/transfers/transfers.hpp"
#include "host/core/error.hpp"

namespace ocs {

Cycles Work::compute_of_all() const {
  if (compute.size() == 1) return compute.front() * iterations;
  Cycles sum{0};
  for (const Cycles one : compute) sum += one;
  return sum;
}

std::vector<Node> nodes_of(std::span<const Work> works, bool of_all) {
  std::set<Node> nodes;
  for (const Work& work : works) {
    if (!work.payload && !of_all) continue;
    for (const auto* parts : {&work.push, &work.pull})
      for (const CoflowPart& part : *parts) nodes.insert({Node{part.from}, Node{part.to}});
  }
  return {nodes.begin(), nodes.end()};
}

std::vector<Work> work_of(const CoflowTrace& trace, Picos cycle, Bytes word) {
  std::vector<Work> works;
  for (const TraceCoflow& coflow : trace.coflows) {
    Work work{.number = coflow.id, .arrival = to_cycles(coflow.arrival, cycle), .push = {}, .pull = {}};
    for (const TraceFlow& flow : flows_of(coflow)) {
      const Words words = to_words(flow.bytes, word.n);
      if (words.n > max_flow_words)
        throw Error(ErrorKind::input, "coflow " + std::to_string(coflow.id) + " has a flow of " +
                                          std::to_string(words.n) + " words, but must have at most " +
                                          std::to_string(max_flow_words) + " in each; take a larger fabric.word");
      work.push.push_back({flow.from, flow.to, words});
    }
    works.push_back(std::move(work));
  }
  return works;
}

}  // namespace ocs
