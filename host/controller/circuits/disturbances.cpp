// The last start that disturbs an output counts.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/disturbances.hpp"

#include <algorithm>
#include <bit>

namespace ocs {

Disturbances::Disturbances(const Neighbours& neighbours, int ports)
    : neighbours_(neighbours), disturbed_until_(static_cast<std::size_t>(ports)) {}

void Disturbances::on(const Event& event) {
  if (!any() || event.kind > EventKind::failed) return;
  const bool dark = event.kind == EventKind::tuning || event.kind == EventKind::locking;
  const bool starts = event.kind != EventKind::idle && (event.kind == EventKind::tuning || !starting_.test(event.port));
  starting_.set(event.port, dark || (event.kind == EventKind::held && starting_.test(event.port)));
  if (!starts) return;
  const auto ports = static_cast<int>(disturbed_until_.size());
  for (std::uint32_t left = neighbours_.distances; left != 0; left &= left - 1) {
    const int distance = std::countr_zero(left) + 1;
    for (const int o : {event.port - distance, event.port + distance})
      if (o >= 0 && o < ports) disturbed_until_[static_cast<std::size_t>(o)] = event.at + neighbours_.disturbed;
  }
}

Cycles Disturbances::calm(const Outputs& outs, Cycles now, std::uint32_t sent) const {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  Cycles calm = now;
  for_each_output(outs, [&](std::size_t out) { calm = std::max(calm, disturbed_until_[out]); });
  std::int64_t later = sent < 2 ? 0 : neighbours_.disturbed.n;
  for (std::uint32_t k = 2; k < sent && later < most; ++k) later *= 2;
  later = std::min(later, most);
  const auto apart = static_cast<std::int64_t>(outs._Find_first());
  return calm + Cycles{later + later * apart / static_cast<std::int64_t>(disturbed_until_.size())};
}

}  // namespace ocs
