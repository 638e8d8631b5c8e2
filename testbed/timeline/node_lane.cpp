// A sweep over what overlaps.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/timeline/node_lane.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace ocs {

void NodeLane::delivered(std::uint32_t transfer, Picos at) {
  const auto found = open_.find(transfer);
  if (found == open_.end()) return;
  spans_.push_back({NodeState::waiting, found->second.at, at, found->second.peer});
  open_.erase(found);
}

std::vector<NodeSlice> NodeLane::close_slices(Picos to) {
  for (const auto& [id, open] : std::exchange(open_, {}))
    spans_.push_back({NodeState::waiting, open.at, to, open.peer});
  struct Edge {
    Picos at;
    std::size_t span;
    bool begins;
  };
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    const Picos from = std::max(spans_[k].from, settled_), until = std::min(spans_[k].to, to);
    if (from >= until) continue;
    edges.push_back({from, k, true});
    edges.push_back({until, k, false});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  const auto hides = [this](std::size_t a, std::size_t b) {
    return std::tuple(spans_[a].state, spans_[a].from, a) < std::tuple(spans_[b].state, spans_[b].from, b);
  };
  std::set<std::size_t, decltype(hides)> on(hides);
  std::vector<NodeSlice> slices;
  const auto add = [&](Picos until) {
    if (until <= settled_) return;
    const NodeState state = on.empty() ? NodeState::idle : spans_[*on.begin()].state;
    const auto peer = on.empty() ? std::nullopt : spans_[*on.begin()].peer;
    if (!slices.empty() && slices.back().state == state && slices.back().peer == peer)
      slices.back().to = until;
    else
      slices.push_back({state, settled_, until, peer});
    settled_ = until;
  };
  for (const Edge& edge : edges) {
    add(edge.at);
    edge.begins ? static_cast<void>(on.insert(edge.span)) : static_cast<void>(on.erase(edge.span));
  }
  add(to);
  std::erase_if(spans_, [&](const NodeSlice& span) { return span.to <= to; });
  return slices;
}

}  // namespace ocs
