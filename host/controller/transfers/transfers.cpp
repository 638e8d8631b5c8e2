// Joining transfers to flows, and taking the words of flows apart again.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/transfers/transfers.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>

#include "host/controller/plan_controller.hpp"

namespace ocs {

namespace {

template <class Predicate>
bool any_port(const Transfer& transfer, const Predicate& is) {
  return is(index(transfer.from)) ||
         std::any_of(transfer.to.begin(), transfer.to.end(), [&](Node node) { return is(index(node)); });
}

/// What transfers of one flow have in common.
struct FlowKey {
  Node from;
  Outputs outs;
  Id coflow;
  friend bool operator==(const FlowKey&, const FlowKey&) = default;
};

struct FlowKeyHash {
  std::size_t operator()(const FlowKey& key) const {
    constexpr std::size_t odd = 0x9e3779b97f4a7c15;  // spreads numbers that are near one another
    return (std::hash<Outputs>{}(key.outs) + index(key.from)) * odd + index(key.coflow);
  }
};

}  // namespace

Outputs outputs_of(const Transfer& transfer) {
  Outputs outs;
  for (const Node node : transfer.to) outs.set(index(node));
  return outs;
}

std::optional<Id> Transfers::flow_of(Id transfer) const {
  const Id* flow = live_.find(transfer);
  if (flow == nullptr || !flows_.contains(*flow)) return std::nullopt;
  return *flow;
}

Ticks Transfers::word_of(const Transfer& transfer, Cycles now) const {
  Cycles slowest = rates_.word(index(transfer.from), now);
  for (const Node node : transfer.to) slowest = std::max(slowest, rates_.word(index(node), now));
  return Ticks{slowest.n};
}

Cycles Transfers::ready(const Part& part, Cycles now) const {
  const Transfer& transfer = part.transfer;
  if (waits_for_port(transfer)) return never<Cycles>;
  const Cycles asked = to_cycles(transfer.ready, cycle_), from = std::max(asked, now);
  Cycles then = from;
  for (const Node node : transfer.to) then = std::max(then, rates_.both_carry(index(transfer.from), index(node), from));
  return then == from ? asked : then;
}

void Transfers::add(Transfer transfer, Words words) {
  live_.emplace(transfer.id, transfer.id);
  const std::size_t receivers = transfer.to.size();
  waiting_.push_back({.transfer = std::move(transfer), .words = words.n, .left = {}});
  waiting_.back().left.assign(receivers, words.n);
}

std::optional<std::pair<Id, std::int32_t>> Transfers::prioritise(Id transfer, std::int32_t priority) {
  const auto flow = flow_of(transfer);
  std::int32_t most_urgent = std::numeric_limits<std::int32_t>::max();
  const auto look = [&](auto& parts) {
    for (Part& part : parts) {
      if (part.transfer.id == transfer) part.transfer.priority = priority;
      most_urgent = std::min(most_urgent, part.transfer.priority);
    }
  };
  flow ? look(flows_.at(*flow).parts) : look(waiting_);
  return flow ? std::optional(std::pair(*flow, most_urgent)) : std::nullopt;
}

Cycles Transfers::next_ready(Cycles now) const {
  Cycles first = never<Cycles>;
  for (const Part& part : waiting_) first = std::min(first, ready(part, now));
  return first;
}

std::uint32_t Transfers::sent_before(Cycles now) const {
  std::uint32_t most = 0;
  for (const Part& part : waiting_)
    if (ready(part, now) <= now) most = std::max(most, part.transfer.sent_before);
  flows_.for_each([&](Id, const Work& work) {
    for (const Part& part : work.parts)
      if (!part.final()) most = std::max(most, part.transfer.sent_before);
  });
  return most;
}

Cycles Transfers::earliest(Cycles now) const {
  Cycles first = next_ready(now);
  // Asked to start in cycle r, the first word leaves in r + 1, and a plan may deliver it alone.
  return first == never<Cycles> ? first : std::max(now, first) + Cycles{2};
}

bool Transfers::waits_for_port(const Transfer& transfer) const {
  if (dead_.none()) return false;
  return any_port(transfer, [&](std::uint16_t port) { return dead_[port]; });
}

bool Transfers::any_on_dead_ports() const {
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const Part& part) { return waits_for_port(part.transfer); });
}

std::vector<Id> Transfers::flows_of(std::uint16_t port) const {
  const auto uses = [&](const Part& part) {
    return any_port(part.transfer, [&](std::uint16_t p) { return p == port; });
  };
  std::vector<Id> flows;
  flows_.for_each([&](Id flow, const Work& work) {
    if (!work.cut && std::any_of(work.parts.begin(), work.parts.end(), uses)) flows.push_back(flow);
  });
  return flows;
}

std::optional<std::pair<Id, std::uint16_t>> Transfers::stuck(const std::function<bool(std::uint16_t)>& gone) const {
  std::optional<std::pair<Id, std::uint16_t>> found;
  for (const Part& part : waiting_)
    if (any_port(part.transfer, [&](std::uint16_t port) {
          if (dead_[port] && gone(port)) found.emplace(part.transfer.id, port);
          return found.has_value();
        }))
      break;
  return found;
}

std::vector<Flow> Transfers::gather(Cycles now, bool join_coflows) {
  std::vector<Flow> flows;
  std::unordered_map<FlowKey, std::size_t, FlowKeyHash> pairs;  // number of the flow
  pairs.reserve(waiting_.size());
  flows.reserve(waiting_.size());
  std::vector<Part> later;
  for (Part& part : waiting_) {
    const Transfer& transfer = part.transfer;
    if (ready(part, now) > now) {
      later.push_back(std::move(part));
      continue;
    }
    const Outputs outs = outputs_of(transfer);
    const auto [pair, is_new] =
        pairs.try_emplace({transfer.from, outs, join_coflows ? Id{} : transfer.coflow}, flows.size());
    if (is_new)
      flows.push_back({.id = transfer.id,
                       .coflow = transfer.coflow,
                       .in = Input{index(transfer.from)},
                       .outs = outs,
                       .length = Ticks{0},
                       .release = Ticks{now.n},
                       .priority = transfer.priority,
                       .word = word_of(transfer, now)});
    Flow& flow = flows[pair->second];
    const std::int64_t before = flow.length.n / flow.word.n;
    if (before + part.words > max_flow_words) {
      later.push_back(std::move(part));
      continue;
    }
    part.first = before;
    flow.length.n += part.words * flow.word.n;
    flow.priority = std::min(flow.priority, transfer.priority);
    live_[transfer.id] = flow.id;
    flows_[flow.id].parts.push_back(std::move(part));
  }
  waiting_ = std::move(later);
  return flows;
}

std::optional<Id> Transfers::abort(Id transfer, Cycles at, std::vector<Delivery>& append) {
  const auto find = [&](auto& parts) {
    return std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.transfer.id == transfer; });
  };
  if (const auto part = find(waiting_); part != waiting_.end()) {
    give_up(*part, at, append);
    waiting_.erase(part);
    return std::nullopt;
  }
  auto& parts = flows_.at(live_.at(transfer)).parts;
  find(parts)->aborted = true;
  const bool unwanted = std::all_of(parts.begin(), parts.end(), [](const Part& p) { return p.aborted || p.final(); });
  return unwanted ? std::optional(live_.at(transfer)) : std::nullopt;
}

void Transfers::cut(Id flow, bool running, Cycles at, std::vector<Delivery>& append) {
  Work& work = flows_.at(flow);
  work.cut = true;
  if (running) return;
  for (Part& part : work.parts) give_up(part, at, append);
  flows_.erase(flow);
}

void Transfers::done(Id burst, const Reservation& reservation, Cycles at, std::vector<Delivery>& append) {
  const auto* of_burst = runs_.find(burst);
  Work& work = flows_.at(reservation.flow);
  const std::int64_t begin = reservation.offset.n / reservation.word.n, end = begin + words_of(reservation).n;
  bool open = false;
  for (Part& part : work.parts) {
    const auto within = [&](std::int64_t first, std::int64_t last) {  // of the flow; as a run of the part
      const std::int64_t from = std::max(first, part.first), to = std::min(last, part.first + part.words);
      return WordRun{Words{from - part.first}, Words{std::max<std::int64_t>(0, to - from)}};
    };
    for (std::size_t r = 0; r < part.left.size(); ++r) {
      const std::uint16_t output = index(part.transfer.to[r]);
      if (part.left[r] == 0 || (!reservation.outs[output] && !work.cut)) continue;
      part.left[r] = work.cut ? 0 : part.left[r] - within(begin, end).count.n;
      std::vector<WordRun> arrived;
      if (of_burst != nullptr)
        for (const OutputRun& run : *of_burst) {
          if (run.output != output) continue;
          const std::int64_t first = begin + run.words.first.n;
          const WordRun words = within(first, first + run.words.count.n);
          if (words.count.n > 0) arrived.push_back(words);
        }
      deliver(part, r, at, std::move(arrived), append);
    }
    open = open || !part.final();
  }
  runs_.erase(burst);
  if (!open) flows_.erase(reservation.flow);
}

Words Transfers::counted(const Reservation& reservation, Words sent, std::uint16_t port) const {
  const std::int64_t begin = reservation.offset.n / reservation.word.n, end = begin + sent.n;
  Words words;
  for (const Part& part : flows_.at(reservation.flow).parts)
    if (part.transfer.counts_at(Node{port}))
      words.n += std::max<std::int64_t>(0, std::min(end, part.first + part.words) - std::max(begin, part.first));
  return words;
}

void Transfers::deliver(Part& part, std::size_t receiver, Cycles at, std::vector<WordRun> arrived,
                        std::vector<Delivery>& append) {
  const bool final = part.left[receiver] == 0;
  if (!final && arrived.empty()) return;
  append.push_back({.at = to_picos(at, cycle_),
                    .to = part.transfer.to[receiver],
                    .transfer = part.transfer.id,
                    .arrived = std::move(arrived),
                    .final = final});
  if (!part.final()) return;
  ++delivered_;
  live_.erase(part.transfer.id);
}

/// Tells every receiver that still waits that nothing more will come.
void Transfers::give_up(Part& part, Cycles at, std::vector<Delivery>& append) {
  for (std::size_t r = 0; r < part.left.size(); ++r) {
    if (part.left[r] == 0) continue;
    part.left[r] = 0;
    deliver(part, r, at, {}, append);
  }
}

}  // namespace ocs
