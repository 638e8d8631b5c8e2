// Adds up the states of outputs.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/port_time.hpp"

namespace ocs {

void PortTime::leave(Port& port, Cycles at) {
  sums_[static_cast<std::size_t>(port.state)] += at - port.since;
  port.since = at;
}

void PortTime::entered(Output out, EventKind state, std::optional<Input>, Cycles at) {
  Port& port = outputs_.at(index(out));
  leave(port, at);
  port.state = state;
}

void PortTime::finish(Cycles now) {
  for (Port& port : outputs_) leave(port, now);
}

}  // namespace ocs
