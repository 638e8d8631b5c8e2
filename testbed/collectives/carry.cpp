// Leg by leg.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/carry.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "host/core/error.hpp"

namespace ocs {
namespace {

/// Offers a leg at `now`. @returns when its last word is in
Picos carry_leg(const Leg& leg, Id coflow, std::uint32_t& last_id, const CollectiveJob& job, Network& network,
                Picos now, std::int64_t& words) {
  std::map<Id, std::int64_t> left;
  for (const LegTransfer& one : leg.transfers) {
    const Id id{++last_id};
    left.emplace(id, one.words.n);
    network.offer({id, coflow, Node{one.sender}, {Node{one.receiver}}, Bytes{one.words.n * job.word_bytes}, now});
  }
  for (std::vector<Delivery> came; !left.empty(); came.clear()) {
    now = network.advance(never<Picos>, came);
    for (const Delivery& delivery : came) {
      const auto found = left.find(delivery.transfer);
      if (found == left.end())
        throw Error(ErrorKind::internal, "a collective was delivered a transfer that it doesn't wait for");
      for (const WordRun& run : delivery.arrived) found->second -= run.count.n, words += run.count.n;
      if (!delivery.final) continue;
      if (found->second != 0)
        throw Error(ErrorKind::run, "a transfer of a collective ended at " + std::to_string(now.n) + " ps with " +
                                        std::to_string(found->second) + " words too few");
      left.erase(found);
    }
  }
  return now;
}

}  // namespace

CollectiveRun carry(const CollectiveJob& job, Network& network, Peers& peers,
                    const std::function<void(std::uint32_t, Picos)>& tell) {
  CollectiveRun run;
  std::uint32_t id = 0, coflow = 0;
  for (std::uint32_t iteration = 0; iteration < job.iterations; ++iteration) {
    Picos slowest;
    for (std::uint32_t rank = 0; rank < job.collective.ranks; ++rank)
      slowest = std::max(slowest, job.compute(rank, iteration));
    Picos now = run.end + slowest + job.control_latency;
    run.begins.push_back(now);
    peers.begin(iteration);
    for (const Leg& leg : job.legs) {
      if (&leg != &job.legs.front()) now += job.control_latency;
      now = carry_leg(leg, Id{coflow++}, id, job, network, now, run.words);
      peers.steps(leg.first, leg.last);
    }
    peers.finish();
    run.ends.push_back(run.end = now);
    if (tell) tell(iteration, now);
  }
  return run;
}

}  // namespace ocs
