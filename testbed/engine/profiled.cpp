// The coordinator's end of the transport, with a stopwatch.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/profiled.hpp"

#include <utility>

#include "host/transport/fields.hpp"

namespace ocs {

void ProfiledTransport::send(Message message) {
  const Profile::In in(&profile_, Part::transport);
  if (kind_of(message) == MessageKind::finish) part_ = Part::payload;
  inner_.send(std::move(message));
}

std::optional<Message> ProfiledTransport::receive(std::chrono::milliseconds patience) {
  const Profile::In in(&profile_, part_);
  return inner_.receive(patience);
}

}  // namespace ocs
