// Counts down.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/open_coflows.hpp"

#include <optional>

namespace ocs {

void OpenCoflows::add(const Flow& flow, std::uint32_t owner) {
  flows_.emplace(flow.id, Left{flow.coflow, flow.length});
  Coflow& coflow = coflows_[flow.coflow];
  coflow.owner = owner;
  ++coflow.flows;
}

void OpenCoflows::give(Id coflow, Ticks length) { given_[coflows_.at(coflow).owner] += length; }

bool OpenCoflows::pass(Id flow, Ticks length) {
  Left* left = flows_.find(flow);
  if (left == nullptr) return false;  // it was dropped
  left->length -= length;
  return left->length.n == 0 && drop(flow);
}

bool OpenCoflows::drop(Id flow) {
  const std::optional<Left> left = flows_.extract(flow);
  if (!left) return false;
  const auto coflow = coflows_.find(left->coflow);
  if (--coflow->second.flows > 0) return false;
  coflows_.erase(coflow);
  return true;
}

std::vector<Attained> OpenCoflows::attained() const {
  std::vector<Attained> all;
  all.reserve(coflows_.size());
  for (const auto& [id, coflow] : coflows_) {
    const auto given = given_.find(coflow.owner);
    all.push_back({id, given == given_.end() ? Ticks{0} : given->second});
  }
  return all;
}

}  // namespace ocs
