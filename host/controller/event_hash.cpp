// FNV-1a over the fields of events.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/event_hash.hpp"

namespace ocs {

void EventHash::add(const Event& event) {
  hash_.add(static_cast<std::uint64_t>(event.at.n), 8);
  hash_.add(index(event.plane), 1);
  hash_.add(static_cast<std::uint64_t>(event.kind), 1);
  hash_.add(event.port, 2);
  ++count_;
}

}  // namespace ocs
