// The graph of all ranks over the network that the point asks for.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_graph.hpp"

#include "testbed/chakra/chakra_job.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/run/run_collective.hpp"

namespace ocs {

Row run_graph(const Point& point, const RunOptions& options) {
  const bool timed = point.job.duration.n > 0;
  constexpr std::uint32_t most_iterations = 1'000'000;
  ChakraSpec spec{.graph = graph_of(point),
                  .word_bytes = point.fabric.word.n,
                  .lag = streaming_lag(point),
                  .iterations = timed ? most_iterations : static_cast<std::uint32_t>(point.job.iterations),
                  .duration = timed ? point.job.duration : never<Picos>};
  if (options.watch != nullptr)
    spec.computing = [watch = options.watch](std::uint16_t rank, std::uint32_t iteration, Picos from, Picos to) {
      watch->computes_until(Node{rank}, iteration, from, to);
    };
  return run_on_network(
      point, options, [&](PointNetwork& network) { return run_chakra_job(spec, network.network(), options.progress); });
}

}  // namespace ocs
