// An output that is given to another input leaves its old one dark.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/begun_circuits.hpp"

#include <algorithm>

namespace ocs {

void BegunCircuits::begin(const Reservation& r) {
  Port& in = inputs_[index(r.in)];
  const auto out = static_cast<std::int32_t>(r.outs._Find_first());
  if (in.peer >= 0) source_[static_cast<std::size_t>(in.peer)] = -1;
  std::int32_t& source = source_[static_cast<std::size_t>(out)];
  if (source >= 0) inputs_[static_cast<std::size_t>(source)].peer = -1;
  source = index(r.in);
  in.peer = out;
  in.free_at = r.end;
  ++in.carrying;
}

void BegunCircuits::end(const Reservation& r, Ticks at) {
  Port& in = inputs_[index(r.in)];
  if (--in.carrying == 0) in.free_at = std::min(in.free_at, at);
}

std::vector<Circuit> BegunCircuits::circuits(Ticks now, bool confirmed) {
  std::vector<Circuit> up;
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    Port& port = inputs_[in];
    if (port.peer < 0) continue;
    if (confirmed && port.carrying > 0) port.free_at = std::max(port.free_at, now + Ticks{1});  // it is late
    up.push_back({.plane = {},
                  .in = Input{static_cast<std::uint16_t>(in)},
                  .outs = Outputs{}.set(static_cast<std::size_t>(port.peer)),
                  .free_at = port.free_at});
  }
  return up;
}

}  // namespace ocs
