// Default servers, block rule.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/mxnet_placer.hpp"

#include <algorithm>

#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placers/mxnet_blocks.hpp"

namespace ocs {

Placement MxnetPlacer::place(const Job& job) const {
  check_job(job, "mxnet");
  Placement placement;
  placement.servers.assign(job.candidates.begin(), job.candidates.begin() + static_cast<std::ptrdiff_t>(job.servers));
  std::sort(placement.servers.begin(), placement.servers.end());
  const std::vector<std::size_t> server = mxnet_servers(job.blocks, job.servers);
  for (std::uint32_t k = 0; k < job.blocks.size(); ++k)
    placement.shards.push_back({k, Bytes{0}, job.blocks[k].size, placement.servers[server[k]]});
  return placement;
}

}  // namespace ocs
