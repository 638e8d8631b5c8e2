// Rounding, exchange, all kinds of servers where there are few, and a short search.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/psscheduler_placer.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_set>

#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placers/block_assignment.hpp"
#include "host/scheduler/placers/placement_relaxation.hpp"
#include "host/scheduler/placers/placement_search.hpp"

namespace ocs {
namespace {

constexpr std::int64_t polishing_work = 100'000;  // flows looked at: some milliseconds
constexpr std::size_t most_selections = 2'000;    // of kinds of servers that are all tried

bool is_worker(const Job& job, Node node) {
  return std::find(job.workers.begin(), job.workers.end(), node) != job.workers.end();
}

std::vector<Node> open_largest(const Job& job) {
  const Relaxation relaxation = relax_placement(job);
  std::vector<std::size_t> order(job.candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t v) {  // smaller goes first
    const Node node = job.candidates[v];
    return std::make_tuple(-relaxation.open[v], -relaxation.share[v], -job.rate_bps[index(node)], !is_worker(job, node),
                           node);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<Node> opened;
  opened.reserve(job.servers);
  for (std::size_t i = 0; i < job.servers; ++i) opened.push_back(job.candidates[order[i]]);
  std::sort(opened.begin(), opened.end());
  return opened;
}

/// What T depends on: rates and roles of the servers, in the order of their numbers. Sets of servers with one signature
/// differ in names alone, so one of them needs to be tried.
class Signatures {
 public:
  explicit Signatures(const Job& job) : kind_(job.rate_bps.size()) {
    std::map<std::pair<std::int64_t, bool>, std::uint16_t> kinds;
    for (const Node node : job.candidates) {
      const auto kind = std::make_pair(job.rate_bps[index(node)], is_worker(job, node));
      kind_[index(node)] = kinds.emplace(kind, static_cast<std::uint16_t>(kinds.size())).first->second;
    }
  }
  /// @returns whether the signature is a new one.
  bool add(const std::vector<Node>& opened) {
    std::u16string signature;
    for (const Node node : opened) signature.push_back(static_cast<char16_t>(kind_[index(node)]));
    return seen_.insert(std::move(signature)).second;
  }

 private:
  std::vector<std::uint16_t> kind_;  ///< of each node
  std::unordered_set<std::u16string> seen_;
};

/// All ways to choose servers that do not differ in names alone: how many of each kind (rate; worker or not).
class Selections {
 public:
  explicit Selections(const Job& job) : servers_(job.servers) {
    std::map<std::pair<std::int64_t, bool>, std::vector<Node>> kinds;
    for (const Node node : job.candidates) kinds[{job.rate_bps[index(node)], is_worker(job, node)}].push_back(node);
    for (auto& [kind, nodes] : kinds) {
      std::sort(nodes.begin(), nodes.end());
      nodes_.push_back(std::move(nodes));
    }
  }

  /// All choices of servers, each ascending and with the lowest numbers of
  /// a kind; none if there are more than `most`.
  std::vector<std::vector<Node>> all(std::size_t most) {
    most_ = most;
    extend(0);
    if (found_.size() > most) found_.clear();
    return std::move(found_);
  }

 private:
  void extend(std::size_t kind) {
    if (found_.size() > most_) return;
    if (chosen_.size() == servers_) {
      found_.push_back(chosen_);
      std::sort(found_.back().begin(), found_.back().end());
      return;
    }
    if (kind == nodes_.size()) return;
    const std::size_t before = chosen_.size();
    extend(kind + 1);
    for (const Node node : nodes_[kind]) {
      if (chosen_.size() == servers_) break;
      chosen_.push_back(node);
      extend(kind + 1);
    }
    chosen_.resize(before);
  }

  std::size_t servers_, most_ = 0;
  std::vector<std::vector<Node>> nodes_, found_;
  std::vector<Node> chosen_;
};

std::vector<Node> swapped(std::vector<Node> opened, Node out, Node in) {
  std::replace(opened.begin(), opened.end(), out, in);
  std::sort(opened.begin(), opened.end());
  return opened;
}

}  // namespace

Placement PsschedulerPlacer::place(const Job& job) const {
  check_job(job, "psscheduler");
  std::vector<Node> opened = open_largest(job), candidates = job.candidates;
  std::sort(candidates.begin(), candidates.end());
  const BlockAssignment assignment(job);
  BlockAssignment::Result best = assignment.assign(opened).value();
  Signatures signatures(job);
  signatures.add(opened);
  for (bool fell = true; fell;) {
    fell = false;
    std::vector<Node> next;
    for (const Node out : opened)
      for (const Node in : candidates) {
        if (std::binary_search(opened.begin(), opened.end(), in)) continue;
        std::vector<Node> tried = swapped(opened, out, in);
        if (!signatures.add(tried)) continue;
        if (auto result = assignment.assign(tried, best.bound)) {
          best = std::move(*result);
          next = std::move(tried);
          fell = true;
        }
      }
    if (fell) opened = std::move(next);
  }
  for (std::vector<Node>& tried : Selections(job).all(most_selections)) {
    if (!signatures.add(tried)) continue;
    if (auto result = assignment.assign(tried, best.bound)) {
      best = std::move(*result);
      opened = std::move(tried);
    }
  }
  Placement placement{std::move(opened), {}};
  for (std::uint32_t k = 0; k < job.blocks.size(); ++k)
    placement.shards.push_back({k, Bytes{0}, job.blocks[k].size, best.server[k]});
  const auto step = static_cast<std::int64_t>(job.workers.size() * job.servers);
  return search_placement(job, std::move(placement), polishing_work / step).placement;
}

}  // namespace ocs
