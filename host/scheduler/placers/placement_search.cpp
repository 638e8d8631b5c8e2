// Loads are recomputed for each step: exact, and small jobs have few ports.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/placement_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "host/core/wide.hpp"
#include "host/scheduler/job_traffic.hpp"

namespace ocs {
namespace {

using Kind = std::pair<std::int64_t, bool>;  // rate, whether it is a worker: what T depends on

class PlacementSearch {
 public:
  PlacementSearch(const Job& job, Placement first, std::int64_t steps)
      : job_(job),
        best_bound_(placement_bound(job, first)),
        best_(std::move(first)),
        order_(job.blocks.size()),
        steps_left_(steps) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return job.blocks[a].size > job.blocks[b].size; });
    for (const Block& block : job.blocks) left_ += block.size.n;
    at_.resize(order_.size());
  }

  void choose_servers(std::vector<Node> candidates) {
    std::sort(candidates.begin(), candidates.end());
    extend(candidates, 0);
  }

  SearchedPlacement result() { return {std::move(best_), steps_left_ >= 0}; }

 private:
  bool is_worker(Node node) const {
    return std::find(job_.workers.begin(), job_.workers.end(), node) != job_.workers.end();
  }
  Kind kind(Node node) const { return {job_.rate_bps[index(node)], is_worker(node)}; }

  void extend(const std::vector<Node>& candidates, std::size_t from) {
    if (steps_left_ < 0) return;
    if (servers_.size() == job_.servers) {
      std::vector<Kind> kinds = kinds_;
      std::sort(kinds.begin(), kinds.end());
      if (!tried_.insert(std::move(kinds)).second) return;
      bytes_.assign(servers_.size(), 0);
      assign(0);
      return;
    }
    // Of nodes of one kind the first is tried: with a later one the rest would be a set that comes with the first, too.
    std::set<Kind> kinds;
    for (std::size_t c = from; c + (job_.servers - servers_.size()) <= candidates.size(); ++c) {
      const Kind own = kind(candidates[c]);
      if (!kinds.insert(own).second) continue;
      if (--steps_left_ < 0) return;
      servers_.push_back(candidates[c]);
      kinds_.push_back(own);
      extend(candidates, c + 1);
      servers_.pop_back();
      kinds_.pop_back();
    }
  }

  void assign(std::size_t depth) {
    if (--steps_left_ < 0) return;
    const Ticks bound = lower_bound();
    if (bound >= best_bound_) return;
    if (depth == order_.size()) {
      best_bound_ = bound;
      best_.servers = servers_;
      best_.shards.clear();
      for (std::uint32_t k = 0; k < at_.size(); ++k)
        best_.shards.push_back({k, Bytes{0}, job_.blocks[k].size, servers_[at_[k]]});
      return;
    }
    const auto empty = static_cast<std::size_t>(std::count(bytes_.begin(), bytes_.end(), 0));
    const std::int64_t size = job_.blocks[order_[depth]].size.n;
    for (std::size_t v = 0; v < servers_.size(); ++v) {
      if (bytes_[v] > 0 && order_.size() - depth == empty) continue;
      bool twin = false;
      for (std::size_t u = 0; u < v; ++u) twin = twin || (bytes_[u] == bytes_[v] && kinds_[u] == kinds_[v]);
      if (twin) continue;
      bytes_[v] += size;
      left_ -= size;
      at_[order_[depth]] = v;
      assign(depth + 1);
      left_ += size;
      bytes_[v] -= size;
    }
  }

  std::int64_t rate(Node a, Node b) const { return std::min(job_.rate_bps[index(a)], job_.rate_bps[index(b)]); }

  /// T of what is placed, every server's set-ups included; or the mean load of the in-ports once all is placed.
  Ticks lower_bound() const {
    Ticks heaviest;
    Wide in_sum = 0, least = -1;  // least: what all that is left costs on the cheapest server, in in-port ticks
    std::vector<Ticks> out(job_.workers.size());
    const Ticks set_up = delta_ticks(job_);
    for (std::size_t v = 0; v < servers_.size(); ++v) {
      Ticks in, cost;
      Wide more = 0, more_each = 0;
      std::int64_t of_rate = 0;  // both costs are of this rate: most nodes have the same one, and divisions are slow
      for (std::size_t w = 0; w < job_.workers.size(); ++w) {
        if (job_.workers[w] == servers_[v]) continue;
        if (const std::int64_t bps = rate(job_.workers[w], servers_[v]); bps != of_rate) {
          of_rate = bps;
          cost = set_up + transfer_ticks({bytes_[v]}, bps, job_.tick);
          more_each = Wide{left_} * 8'000'000'000'000 / (Wide{bps} * job_.tick.n);
        }
        more += more_each;
        in += cost;
        out[w] += cost;
        heaviest = std::max(heaviest, out[w]);
      }
      heaviest = std::max(heaviest, in);
      in_sum += in.n;
      if (least < 0 || more < least) least = more;
    }
    // Rounding up may have charged a tick for each flow that the rest would share.
    const auto flows = static_cast<Wide>(servers_.size()) * static_cast<Wide>(job_.workers.size());
    const Wide mean = (in_sum + least - flows) / static_cast<Wide>(servers_.size());
    return std::max(heaviest, Ticks{static_cast<std::int64_t>(std::max<Wide>(0, mean))});
  }

  const Job& job_;
  Ticks best_bound_;
  Placement best_;
  std::vector<std::uint32_t> order_;  ///< blocks, largest first
  std::int64_t steps_left_;
  std::int64_t left_ = 0;  ///< bytes not placed yet
  std::vector<Node> servers_;
  std::vector<Kind> kinds_;          ///< of each server
  std::vector<std::int64_t> bytes_;  ///< of each server
  std::vector<std::size_t> at_;      ///< of each block: the number of its server
  std::set<std::vector<Kind>> tried_;
};

}  // namespace

SearchedPlacement search_placement(const Job& job, Placement first, std::int64_t steps) {
  PlacementSearch search(job, std::move(first), steps);
  search.choose_servers(job.candidates);
  return search.result();
}

}  // namespace ocs
