// Requests for a commit, and the check of a map (section 3).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/commit.hpp"

namespace ocs::model {

std::optional<Refusal> check(const Map& map, std::size_t ports, bool multicast) {
  PortMask used;
  bool twice = false;
  for (const Selection& in : map) {
    if (!in) continue;
    if (index(*in) >= ports) return Refusal::range;
    twice = twice || used[index(*in)];
    used.set(index(*in));
  }
  if (twice && !multicast) return Refusal::conflict;
  return std::nullopt;
}

void CommitRequests::arm(std::uint32_t high, std::uint8_t tag) {
  timed_tag_ = tag;
  at_ = Cycle{high} << 32 | low_;
  armed_ = true;
}

Cycle CommitRequests::next_action(Cycle now) const {
  if (pending_) return now;
  return armed_ ? at_ : no_cycle;
}

std::optional<CommitRequests::Request> CommitRequests::take(Cycle c) {
  if (armed_ && c >= at_) {
    armed_ = false;
    return Request{Source::timed, c > at_, timed_tag_};
  }
  if (pending_) {
    pending_ = false;
    return Request{Source::software, false, tag_};
  }
  return std::nullopt;
}

}  // namespace ocs::model
