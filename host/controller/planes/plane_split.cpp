// Loads of the ports of all planes.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/planes/plane_split.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ocs {

PlaneSplit::PlaneSplit(int planes, int ports, SplitRule rule, Words set_up)
    : planes_(static_cast<std::size_t>(planes)),
      ports_(static_cast<std::size_t>(ports)),
      rule_(rule),
      set_up_(set_up),
      load_(planes_ * ports_ * 2, 0) {}

void PlaneSplit::load(std::size_t plane, const SplitFlow& flow, std::int64_t cost) {
  at(plane, flow.from) += cost;
  at(plane, ports_ + flow.to) += cost;
}

std::size_t PlaneSplit::lightest(const SplitFlow& flow) const {
  std::size_t best = 0;
  std::pair<std::int64_t, std::int64_t> least{};
  for (std::size_t plane = 0; plane < planes_; ++plane) {
    const std::int64_t in = load_[plane * 2 * ports_ + flow.from], out = load_[plane * 2 * ports_ + ports_ + flow.to];
    const std::pair heavier{std::max(in, out), std::min(in, out)};
    if (plane != 0 && heavier >= least) continue;
    best = plane;
    least = heavier;
  }
  return best;
}

std::vector<std::vector<PlaneShare>> PlaneSplit::split(const std::vector<SplitFlow>& flows) {
  std::vector<std::vector<PlaneShare>> shares(planes_);
  std::vector<std::size_t> order(flows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return flows[a].words > flows[b].words; });
  for (const std::size_t n : order) {
    const SplitFlow& flow = flows[n];
    if (rule_ == SplitRule::longest) {
      const std::size_t plane = lightest(flow);
      shares[plane].push_back({n, Words{0}, flow.words});
      load(plane, flow, flow.words.n + set_up_.n);
      continue;
    }
    const std::int64_t part = divide_up(flow.words.n, static_cast<std::int64_t>(planes_));
    std::int64_t first = 0;
    for (std::size_t plane = 0; plane < planes_ && first < flow.words.n; ++plane, first += part)
      shares[plane].push_back({n, Words{first}, Words{std::min(part, flow.words.n - first)}});
  }
  for (auto& list : shares)
    std::sort(list.begin(), list.end(), [](const PlaneShare& a, const PlaneShare& b) { return a.flow < b.flow; });
  return shares;
}

void PlaneSplit::done(std::size_t plane, const SplitFlow& flow, Words words) {
  if (rule_ == SplitRule::longest) load(plane, flow, -(words.n + set_up_.n));
}

}  // namespace ocs
