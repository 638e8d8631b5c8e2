// Counters of words, and segments (sections 7 and 8).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/words.hpp"

namespace ocs::model {

void Words::reset() { *this = Words(outputs_.size()); }

void Words::count(const Crossbar& crossbar, Cycle now, std::span<const Engine::Offer> offers) {
  for (std::size_t i = 0; i < offers.size(); ++i) {
    inputs_[i].sent += offers[i].count;
    if (crossbar.fanout(i).selecting == 0) inputs_[i].unrouted += offers[i].count;
  }
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const Crossbar::Port& out = crossbar.output(o);
    if (!out.selected) continue;
    const Engine::Offer& offer = offers[index(*out.selected)];
    if (offer.count == 0) continue;
    if (out.state != State::up || crossbar.disturbed(o, now) || out.detector.dim()) {
      outputs_[o].lost += offer.count;
      continue;
    }
    outputs_[o].passed += offer.count;
    Segment& segment = open_[o];
    if (segment.count == 0) segment = {index(*out.selected), offer.tag, offer.first, 0};
    segment.count += offer.count;
  }
  if (crossbar.misroutes()) count_misrouted(crossbar, offers);
}

/// Section 6: what comes out of mirrors that are stuck elsewhere.
void Words::count_misrouted(const Crossbar& crossbar, std::span<const Engine::Offer> offers) {
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    if (const Selection in = crossbar.misrouted(o)) outputs_[o].misrouted += offers[index(*in)].count;
}

bool Words::whole(std::size_t input, std::size_t selecting) const {
  std::size_t passed = 0;
  for (const Segment& segment : open_)
    if (segment.input == input && segment.first == 0 && static_cast<std::uint32_t>(segment.count) != 0) ++passed;
  return selecting > 0 && passed == selecting;
}

bool Words::end_segments(const PortMask& outputs, const PortMask& engines, const PortMask& whole) {
  if (outputs.none() && engines.none()) return false;
  bool overrun = false;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    Segment& segment = open_[o];
    if (segment.count == 0 || !(outputs[o] || engines[segment.input])) continue;
    if (static_cast<std::uint32_t>(segment.count) != 0) {
      overrun = overrun || full_[o];
      if (!whole[segment.input]) full_.set(o);
      written_[o] = segment;
    }
    segment = {};
  }
  return overrun;
}

}  // namespace ocs::model
