// FNV-1a over the fields of events.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/event_hash.hpp"

namespace ocs {

void EventHash::add(const Event& event) {
  add_bytes(static_cast<std::uint64_t>(event.at.n), 8);
  add_bytes(index(event.plane), 1);
  add_bytes(static_cast<std::uint64_t>(event.kind), 1);
  add_bytes(event.port, 2);
  ++count_;
}

void EventHash::add_bytes(std::uint64_t value, int bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  for (int b = 0; b < bytes; ++b) {
    value_ = (value_ ^ ((value >> (8 * b)) & 0xff)) * prime;
  }
}

}  // namespace ocs
