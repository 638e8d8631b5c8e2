// Changes in their order, and outputs to be tuned again.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/mirror_faults.hpp"

#include <algorithm>
#include <utility>

#include "host/controller/circuit_map.hpp"

namespace ocs {

MirrorFaults::MirrorFaults(Switch& plane, std::vector<MirrorChange> changes, Cycles lead)
    : switch_(plane), changes_(std::move(changes)), lead_(lead) {}

Cycles MirrorFaults::next() const {
  Cycles next = come_ < changes_.size() ? changes_[come_].at : never<Cycles>;
  for (const auto& [output, at] : retries_) next = std::min(next, at);
  return next;
}

void MirrorFaults::act(Cycles now) {
  for (; come_ < changes_.size() && changes_[come_].at <= now; ++come_) {
    const MirrorChange& change = changes_[come_];
    if (const auto refusal = switch_.set_mirror_fault(change.output, change.fault, change.amount))
      refused_by_switch("a fault of a mirror", *refusal);
  }
  for (auto retry = retries_.begin(); retry != retries_.end();) {
    if (retry->second > now) {
      ++retry;
      continue;
    }
    if (const auto refusal = switch_.retry(retry->first)) refused_by_switch("to tune an output again", *refusal);
    retry = retries_.erase(retry);
  }
}

void MirrorFaults::on(const Event& event) {
  if (changes_.empty() || event.kind > EventKind::failed) return;
  const Output output{event.port};
  retries_.erase(output);
  if (event.kind == EventKind::failed) retries_.emplace(output, event.at + lead_);
}

}  // namespace ocs
