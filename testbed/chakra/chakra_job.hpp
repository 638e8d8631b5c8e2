// Runs the graph of Chakra traces as a job of the engine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "testbed/chakra/chakra_graph.hpp"
#include "testbed/collectives/collective_job.hpp"

namespace ocs {

struct ChakraSpec {
  std::shared_ptr<const ChakraGraph> graph;
  std::int64_t word_bytes = 64;
  std::int64_t lag = no_streaming;  ///< of words that a rank passes on, if all circuits of a leg begin together
  std::uint32_t iterations = 1;
  Picos duration = never<Picos>;  ///< no iteration begins at this time or later
  /// Sees when a rank computes a step; `to` lies ahead.
  std::function<void(std::uint16_t rank, std::uint32_t iteration, Picos from, Picos to)> computing{};
};

/// A rank computes one step at a time on its processor and one on its accelerator, in the order in which they become
/// ready, and takes part in one exchange at a time, in the order in which exchanges become ready on all their ranks.
/// @throws Error (run) for words that are lost
CollectiveResult run_chakra_job(const ChakraSpec& spec, Network& network, Progress* progress = nullptr);

}  // namespace ocs
