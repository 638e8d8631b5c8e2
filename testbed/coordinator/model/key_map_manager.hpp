// Keeps a job's map of keys: lets the policy change it between iterations, and holds every transfer against it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "host/core/network.hpp"
#include "host/transport/fields.hpp"
#include "testbed/load/load_balancer.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// How keys are spread over the servers.
struct LoadRule {
  LoadSettings settings{};
  std::int64_t nominal_bps = 0;  ///< of each server's port: what the start map is for, and where averages begin
};

/// Where servers run on nodes of workers. @param servers in their order
Colocation colocation_of(const std::vector<Node>& workers, const std::vector<Node>& servers);

/// What became of the map.
struct LoadResult {
  std::uint32_t versions = 0;  ///< maps after the first one
  std::int64_t keys = 0, keys_moved = 0;
  Bytes bytes_moved;         ///< whole words
  Picos migrating;           ///< from a decision until the next iteration may begin, all of them together
  std::int64_t refused = 0;  ///< pushes under an old version, which came again under the new one
};

/// The change from one version to the next, when the model had had `updates` pushes, and so many had been decided on.
struct MapChange {
  std::uint64_t updates;
  std::size_t decisions;
  std::uint32_t version, first;  ///< first: iteration
  std::vector<KeyMove> moves;    ///< by servers' numbers, ascending by key
};

/// The map changes while nothing is under way: between two iterations, or, where a scheme has none that all workers share,
/// at an instant that the job waits for. All nodes get the map, those that lose keys send their values on, and the job goes
/// on when all have acknowledged and all values are in. So nothing crosses a change, which is checked at every push and
/// pull, in all builds.
class KeyMapManager {
 public:
  using UseOfPort = std::function<PortUse(Node)>;  ///< as Network::use()

  /// @param job with keys. @throws Error (input) as LoadBalancer does
  KeyMapManager(const NodeJob& job, const LoadRule& rule);

  /// Asks the policy, after what the servers' ports did since the last time. @returns whether the map has to change
  bool decide(Picos now, const UseOfPort& use);
  /// Once nothing is under way. @param updates, decisions so far: of the model; on pushes. @returns what all nodes get
  MapFields change(std::uint32_t iteration, std::uint64_t updates, std::size_t decisions);
  /// The map in force.
  MapFields map() const { return {version_, first_, owner_}; }

  /// A worker or a server goes by the map now; a node that is both says so twice. @throws Error (run) for another
  /// version
  void acknowledged(Node node, std::uint32_t version);
  void migrated(const TransferKey& key);  ///< @throws Error (run) unless it was to be
  void left(Node worker);                 ///< it acknowledges nothing any more
  bool settled() const { return nodes_.empty() && keys_.empty(); }
  /// Once it has settled: what ports do from now on is the next iteration's.
  void finish_change(Picos now, const UseOfPort& use);

  /// A push that is in, or a pull that is offered. @throws Error (internal) if the map gives its key to another server,
  /// or if it goes by another version.
  void check(const TransferKey& key, std::uint32_t version) const;
  void refused() { ++result_.refused; }

  const std::vector<MapChange>& map_changes() const { return map_changes_; }
  const LoadResult& result() const { return result_; }

 private:
  const NodeJob& job_;
  LoadBalancer balancer_;
  std::vector<Node> owner_;                ///< of each key
  std::uint32_t version_ = 0, first_ = 0;  ///< in force, and its iteration
  std::optional<Remap> next_;              ///< decided, not in force
  std::vector<PortUse> before_;            ///< of each server, when the iteration began
  std::multiset<Node> nodes_;              ///< that haven't acknowledged, once for each of their roles
  std::set<Node> left_;                    ///< that never will
  std::set<std::uint32_t> keys_;           ///< on their way
  Picos decided_ = never<Picos>;           ///< when the map was; never: nothing is changing
  std::vector<MapChange> map_changes_;
  LoadResult result_;
};

}  // namespace ocs
