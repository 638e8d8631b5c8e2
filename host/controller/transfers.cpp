// Joining transfers to flows, and taking the words of flows apart again.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/transfers.hpp"

#include <algorithm>
#include <utility>

namespace ocs {

Outputs outputs_of(const Transfer& transfer) {
  Outputs outs;
  for (const Node node : transfer.to) outs.set(index(node));
  return outs;
}

void Transfers::add(Transfer transfer, Words words) {
  live_.emplace(transfer.id, transfer.id);
  waiting_.push_back({.transfer = std::move(transfer), .words = words.n});
}

Cycles Transfers::next_ready() const {
  Cycles first = never<Cycles>;
  for (const Part& part : waiting_) first = std::min(first, ready(part));
  return first;
}

Cycles Transfers::earliest(Cycles now) const {
  Cycles first = never<Cycles>;
  // Asked to start in cycle r, the first word leaves in r + 1.
  for (const Part& part : waiting_) first = std::min(first, std::max(now, ready(part)) + Cycles{1 + part.words});
  return first;
}

std::vector<Flow> Transfers::gather(Cycles now) {
  std::vector<Flow> flows;
  std::map<std::pair<Node, std::vector<Node>>, std::size_t> pairs;  // number of the flow
  std::vector<Part> later;
  for (Part& part : waiting_) {
    const Transfer& transfer = part.transfer;
    if (ready(part) > now) {
      later.push_back(std::move(part));
      continue;
    }
    std::vector<Node> to = transfer.to;
    std::sort(to.begin(), to.end());
    const auto [pair, is_new] = pairs.try_emplace({transfer.from, std::move(to)}, flows.size());
    if (is_new)
      flows.push_back({.id = transfer.id,
                       .coflow = transfer.coflow,
                       .in = Input{index(transfer.from)},
                       .outs = outputs_of(transfer),
                       .length = Ticks{0},
                       .release = Ticks{now.n},
                       .priority = transfer.priority});
    Flow& flow = flows[pair->second];
    if (flow.length.n + part.words > max_flow_words) {
      later.push_back(std::move(part));
      continue;
    }
    part.first = flow.length.n;
    flow.length.n += part.words;
    flow.priority = std::min(flow.priority, transfer.priority);
    live_[transfer.id] = flow.id;
    flows_[flow.id].parts.push_back(std::move(part));
  }
  waiting_ = std::move(later);
  return flows;
}

std::optional<Id> Transfers::abort(Id transfer, Cycles at, std::vector<Delivery>& append) {
  const auto live = live_.find(transfer);
  if (live == live_.end()) return std::nullopt;  // delivered meanwhile
  const auto find = [&](std::vector<Part>& parts) {
    return std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.transfer.id == transfer; });
  };
  if (const auto part = find(waiting_); part != waiting_.end()) {
    deliver(*part, true, 0, {}, at, append);
    waiting_.erase(part);
    return std::nullopt;
  }
  std::vector<Part>& parts = flows_.at(live->second).parts;
  find(parts)->aborted = true;
  const bool unwanted = std::all_of(parts.begin(), parts.end(), [](const Part& p) { return p.aborted || p.final; });
  return unwanted ? std::optional(live->second) : std::nullopt;
}

void Transfers::cut(Id flow, bool running, Cycles at, std::vector<Delivery>& append) {
  Work& work = flows_.at(flow);
  work.cut = true;
  if (running) return;
  for (Part& part : work.parts)
    if (!part.final) deliver(part, true, 0, {}, at, append);
  flows_.erase(flow);
}

void Transfers::done(Id burst, const Reservation& reservation, Cycles at, std::vector<Delivery>& append) {
  const std::vector<Run> runs = std::exchange(runs_[burst], {});
  runs_.erase(burst);
  const auto work = flows_.find(reservation.flow);
  const std::int64_t begin = reservation.offset.n, end = begin + (reservation.end - reservation.up).n;
  bool open = false;
  for (Part& part : work->second.parts) {
    if (part.final) continue;
    part.carried += std::max<std::int64_t>(0, std::min(end, part.first + part.words) - std::max(begin, part.first));
    deliver(part, work->second.cut || part.carried >= part.words, begin, runs, at, append);
    open = open || !part.final;
  }
  if (!open) flows_.erase(work);
}

/// @param runs of a burst whose word 0 is word `offset` of the flow.
void Transfers::deliver(Part& part, bool final, std::int64_t offset, const std::vector<Run>& runs, Cycles at,
                        std::vector<Delivery>& append) {
  for (const Node to : part.transfer.to) {
    Delivery delivery{
        .at = to_picos(at, cycle_), .to = to, .transfer = part.transfer.id, .arrived = {}, .final = final};
    for (const Run& run : runs) {
      if (run.output != index(to)) continue;
      const std::int64_t first = std::max(part.first, offset + run.words.first.n);
      const std::int64_t end = std::min(part.first + part.words, offset + run.words.first.n + run.words.count.n);
      if (first < end) delivery.arrived.push_back({Words{first - part.first}, Words{end - first}});
    }
    if (final || !delivery.arrived.empty()) append.push_back(std::move(delivery));
  }
  if (!final) return;
  part.final = true;
  ++delivered_;
  live_.erase(part.transfer.id);
}

}  // namespace ocs
