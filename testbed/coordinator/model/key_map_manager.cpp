// The map of keys, from version to version.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/model/key_map_manager.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

std::vector<Node> nodes_of(const std::vector<Served>& servers) {
  std::vector<Node> nodes;
  nodes.reserve(servers.size());
  for (const Served& server : servers) nodes.push_back(server.node);
  return nodes;
}

std::vector<Bytes> sizes_of(const NodeJob& job) {
  std::vector<Bytes> sizes;
  for (const Slice& key : job.servers.front().slices) sizes.push_back({key.words.n * job.word_bytes});
  return sizes;
}

}  // namespace

Colocation colocation_of(const std::vector<Node>& workers, const std::vector<Node>& servers) {
  Colocation colocation{workers.size(), {}};
  bool any = false;
  for (const Node server : servers) {
    const bool on_worker = std::find(workers.begin(), workers.end(), server) != workers.end();
    colocation.on_worker.push_back(on_worker ? char{1} : char{0});
    any = any || on_worker;
  }
  return any ? colocation : Colocation{};
}

KeyMapManager::KeyMapManager(const NodeJob& job, const LoadRule& rule)
    : job_(job),
      balancer_(sizes_of(job), job.servers.size(), rule.nominal_bps, rule.settings,
                colocation_of(job.workers, nodes_of(job.servers))),
      owner_(job.owner),
      before_(job.servers.size()) {
  for (std::size_t k = 0; k < owner_.size(); ++k)
    if (owner_[k] != job.servers.at(balancer_.map().owner.at(k)).node)
      throw Error(ErrorKind::internal, "the job's first map isn't the start map");
  result_.keys = static_cast<std::int64_t>(owner_.size());
}

bool KeyMapManager::decide(Picos now, const UseOfPort& use) {
  for (std::size_t s = 0; s < before_.size(); ++s) balancer_.monitor().saw(s, use(job_.servers[s].node) - before_[s]);
  finish_change(now, use);
  next_ = balancer_.decide();
  if (next_) decided_ = now;
  return next_.has_value();
}

MapFields KeyMapManager::change(std::uint32_t iteration, std::uint64_t updates, std::size_t decisions) {
  Remap remap = std::move(next_.value());
  next_.reset();
  version_ = remap.map.version;
  first_ = iteration;
  std::sort(remap.moves.begin(), remap.moves.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  for (const KeyMove& move : remap.moves) {
    owner_[move.key] = job_.servers.at(move.to).node;
    keys_.insert(move.key);
  }
  for (const Node worker : job_.workers)
    if (!left_.contains(worker)) nodes_.insert(worker);
  for (const Served& server : job_.servers) nodes_.insert(server.node);
  ++result_.versions;
  result_.keys_moved += static_cast<std::int64_t>(remap.moves.size());
  result_.bytes_moved += remap.moved;
  map_changes_.push_back({updates, decisions, version_, iteration, std::move(remap.moves)});
  return map();
}

void KeyMapManager::acknowledged(Node node, std::uint32_t version) {
  if (version != version_)
    throw Error(ErrorKind::run, "node " + std::to_string(index(node)) + " goes by version " + std::to_string(version) +
                                    " of the map of keys; the present one is " + std::to_string(version_));
  if (const auto one = nodes_.find(node); one != nodes_.end()) nodes_.erase(one);
}

void KeyMapManager::left(Node worker) {
  left_.insert(worker);
  nodes_.erase(worker);
}

void KeyMapManager::migrated(const TransferKey& key) {
  if (key.phase != TransferPhase::migrate || key.iteration != first_ || key.slice >= owner_.size() ||
      owner_[key.slice] != key.server || keys_.erase(key.slice) == 0)
    throw Error(ErrorKind::run, "the " + describe(key) + ", is in, but wasn't to be, or was before");
}

void KeyMapManager::finish_change(Picos now, const UseOfPort& use) {
  for (std::size_t s = 0; s < before_.size(); ++s) before_[s] = use(job_.servers[s].node);
  if (decided_ != never<Picos>) result_.migrating += now - std::exchange(decided_, never<Picos>);
}

void KeyMapManager::check(const TransferKey& key, std::uint32_t version) const {
  if (version == version_ && owner_.at(key.slice) == key.server && settled()) return;
  throw Error(ErrorKind::internal, "the " + describe(key) + ", goes by version " + std::to_string(version) +
                                       " of the map of keys; by the present one, " + std::to_string(version_) +
                                       ", its key is server " + std::to_string(index(owner_.at(key.slice))) + "'s");
}

}  // namespace ocs
