// Jobs for tests: parameters spread evenly over servers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "testbed/coordinator/job.hpp"

namespace ocs {

/// Servers on the nodes from 0, one block of `bytes` each; fills `blocks`.
inline Placement place_evenly(std::vector<Block>& blocks, int servers, std::int64_t bytes) {
  Placement placement;
  for (int s = 0; s < servers; ++s) {
    const Node node{static_cast<std::uint16_t>(s)};
    placement.servers.push_back(node);
    placement.shards.push_back({static_cast<std::uint32_t>(s), Bytes{0}, Bytes{bytes}, node});
    blocks.push_back({Bytes{bytes}, static_cast<std::uint32_t>(s)});
  }
  return placement;
}

/// Workers on the nodes after the servers, or on the nodes from 0 if `colocate`. Two iterations of 40 us computing;
/// blocks that are no whole number of words; chunks much smaller than a transfer.
inline JobSpec small_job(int workers, int servers, bool colocate = false, std::int64_t bytes = 100'001) {
  JobSpec spec;
  spec.ports = workers + servers;
  spec.placement = place_evenly(spec.blocks, servers, bytes);
  for (int w = 0; w < workers; ++w)
    spec.workers.push_back(Node{static_cast<std::uint16_t>(colocate ? w : servers + w)});
  spec.iterations = 2;
  spec.compute = Picos{40'000'000};
  spec.chunk = Bytes{8192};
  return spec;
}

}  // namespace ocs
