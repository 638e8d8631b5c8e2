// Servers first, then block after block.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/check_placement.hpp"

#include <algorithm>
#include <string>

#include "host/scheduler/check_plan.hpp"

namespace ocs {
namespace {

using std::to_string;

constexpr std::int64_t placed_bytes_per_parameter = 4;

class PlacementCheck {
 public:
  PlacementCheck(const Job& job, const Placement& placement, ErrorKind kind)
      : job_(job), placement_(placement), kind_(kind), covered_(job.blocks.size()) {}

  void run() {
    check_servers();
    for (const Shard& shard : placement_.shards) take(shard);
    for (std::size_t b = 0; b < job_.blocks.size(); ++b)
      if (covered_[b] != job_.blocks[b].size)
        refuse("the placement has " + to_string(covered_[b].n) + " of the " + to_string(job_.blocks[b].size.n) +
               " bytes of block " + to_string(b));
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw BrokenRule(kind_, PlanRule::placement, sentence);
  }

  void check_servers() const {
    if (placement_.servers.size() != job_.servers)
      refuse("the placement has " + to_string(placement_.servers.size()) + " servers, but job.servers is " +
             to_string(job_.servers));
    for (std::size_t k = 0; k < placement_.servers.size(); ++k) {
      const Node server = placement_.servers[k];
      if (std::ranges::find(job_.candidates, server) == job_.candidates.end())
        refuse("the placement has a server on node " + to_string(index(server)) + ", which is not among the " +
               to_string(job_.candidates.size()) + " nodes that may have one");
      if (k > 0 && placement_.servers[k - 1] >= server)
        refuse("the placement has a server on node " + to_string(index(server)) + " behind the one on node " +
               to_string(index(placement_.servers[k - 1])) + ", but servers must be named once and ascend");
    }
  }

  void take(const Shard& shard) {
    const std::string name = "the placement's part of block " + to_string(shard.block);
    if (shard.block >= job_.blocks.size())
      refuse(name + " is of none: the job has " + to_string(job_.blocks.size()) + " blocks, counted from 0");
    Bytes& covered = covered_[shard.block];
    if (shard.offset != covered)
      refuse(name + " begins at byte " + to_string(shard.offset.n) + ", but the parts before it end at " +
             to_string(covered.n));
    if (shard.offset.n % placed_bytes_per_parameter != 0)
      refuse(name + " begins at byte " + to_string(shard.offset.n) + ", within a parameter of 4 bytes");
    const Bytes size = job_.blocks[shard.block].size;
    if (shard.size.n <= 0 || shard.size > size - shard.offset)
      refuse(name + " has " + to_string(shard.size.n) + " bytes from byte " + to_string(shard.offset.n) +
             " on, but the block has " + to_string(size.n));
    if (std::ranges::find(placement_.servers, shard.server) == placement_.servers.end())
      refuse(name + " is on node " + to_string(index(shard.server)) + ", which is no server of the placement");
    covered += shard.size;
  }

  const Job& job_;
  const Placement& placement_;
  ErrorKind kind_;
  std::vector<Bytes> covered_;
};

}  // namespace

void check_placement(const Job& job, const Placement& placement, ErrorKind kind) {
  PlacementCheck(job, placement, kind).run();
}

}  // namespace ocs
