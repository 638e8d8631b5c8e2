// An output that is given to another input leaves its old one; an input that is given other outputs
// leaves its old ones.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/started_circuits.hpp"

#include <algorithm>

namespace ocs {
void StartedCircuits::begin(const Reservation& r) {
  Port& in = inputs_[index(r.in)];
  for_each_output(in.peers, [&](std::size_t out) { source_[out] = -1; });
  for_each_output(r.outs, [&](std::size_t out) {
    std::int32_t& source = source_[out];
    if (source >= 0) inputs_[static_cast<std::size_t>(source)].peers.reset(out);
    source = index(r.in);
  });
  in.peers = r.outs;
  in.free_at = r.end;
  in.last_start = r.start;
  ++in.carrying;
}

void StartedCircuits::end(const Reservation& r, Ticks at) {
  Port& in = inputs_[index(r.in)];
  --in.carrying;
  // Its end may become known after the next one on the input has begun, which the input then waits for.
  if (r.start == in.last_start) in.free_at = std::min(in.free_at, at);
}

std::vector<EstablishedCircuit> StartedCircuits::circuits(Ticks now, bool confirmed) {
  std::vector<EstablishedCircuit> up;
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    Port& port = inputs_[in];
    if (port.peers.none()) continue;
    if (confirmed && port.carrying > 0) port.free_at = std::max(port.free_at, now + Ticks{1});  // it is late
    up.push_back(
        {.plane = {}, .in = Input{static_cast<std::uint16_t>(in)}, .outs = port.peers, .free_at = port.free_at});
  }
  return up;
}

}  // namespace ocs
