// Splits, hands out, waits for the last share.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/jobs/planes.hpp"

#include <algorithm>
#include <utility>

namespace ocs {

PlanesCarrier::PlanesCarrier(std::vector<std::unique_ptr<CoflowSession>> sessions, PlaneSplit split,
                             std::function<void()> settled)
    : sessions_(std::move(sessions)), split_(std::move(split)), settled_(std::move(settled)) {}

void PlanesCarrier::release(Coflow coflow) { insert_by_release(pending_, std::move(coflow)); }

Cycles PlanesCarrier::next() const {
  Cycles first = pending_.empty() ? never<Cycles> : pending_.front().release + Cycles{1};
  for (const auto& session : sessions_) first = std::min(first, session->next());
  return first;
}

/// What is released now.
void PlanesCarrier::hand_out() {
  for (; !pending_.empty() && pending_.front().release <= now_; pending_.pop_front()) {
    const Coflow& coflow = pending_.front();
    std::vector<SplitFlow> flows;
    for (const CoflowPart& part : coflow.parts) flows.push_back({part.from, part.to, part.words});
    Open& open = open_[coflow.id];
    open.shares.resize(sessions_.size());
    const auto shares = split_.split(flows);
    for (std::size_t plane = 0; plane < shares.size(); ++plane) {
      for (const PlaneShare& share : shares[plane])
        open.shares[plane].push_back({flows[share.flow].from, flows[share.flow].to, share.words});
      if (open.shares[plane].empty()) continue;
      ++open.left;
      Coflow part = coflow;
      part.parts = open.shares[plane];
      sessions_[plane]->release(std::move(part));
    }
  }
  if (pending_.empty()) return;
  for (const auto& session : sessions_) session->expect(pending_.front().release);
}

Cycles PlanesCarrier::advance(Cycles limit, std::vector<CoflowEnd>& ended) {
  const std::size_t before = ended.size();
  while (now_ < limit && ended.size() == before) {
    hand_out();
    Cycles stop = limit;
    if (!pending_.empty()) stop = std::min(stop, pending_.front().release);
    for (const auto& session : sessions_) stop = std::min(stop, session->next());
    for (std::size_t plane = 0; plane < sessions_.size(); ++plane) {
      std::vector<CoflowEnd> ends;
      sessions_[plane]->advance(stop, ends);
      for (const CoflowEnd& end : ends) {
        Open& open = open_.at(end.coflow);
        for (const CoflowPart& part : open.shares[plane])
          split_.done(plane, {part.from, part.to, part.words}, part.words);
        open.last = std::max(open.last, end.at);
        if (--open.left > 0) continue;
        ended.push_back({end.coflow, open.last});
        open_.erase(end.coflow);
      }
    }
    now_ = stop;
    if (settled_) settled_();
  }
  std::sort(ended.begin() + static_cast<std::ptrdiff_t>(before), ended.end(),
            [](const CoflowEnd& a, const CoflowEnd& b) { return a.coflow < b.coflow; });
  return now_;
}

}  // namespace ocs
