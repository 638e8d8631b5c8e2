// Commits and bursts in the cycle in which they act; what has passed becomes a delivery.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/map_network.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/controller/circuit_map.hpp"
#include "host/controller/transfers/offer_checks.hpp"
#include "host/core/error.hpp"

namespace ocs {

MapNetwork::MapNetwork(Switch& plane, const ControlTimes& times, MapHooks hooks, MapRules rules)
    : switch_(plane),
      times_(times),
      hooks_(std::move(hooks)),
      rules_(std::move(rules)),
      constants_(plane.constants()),
      cycle_(plane.clock().cycle()),
      to_(static_cast<std::size_t>(constants_.ports), -1),
      up_(to_.size()),
      uses_(to_.size()) {
  if (constants_.ahead || plane.clock().kind() == ClockKind::wall_time)
    throw Error(ErrorKind::input,
                "maps are set in exactly their cycle, which needs a switch whose commands cost no fabric time");
  if (times_.fibre.differ()) throw Error(ErrorKind::input, "maps need nodes that are equally far from the switch");
}

void MapNetwork::set(std::span<const std::int16_t> to) {
  std::vector<std::int16_t> map(to.begin(), to.end());
  map.resize(to_.size(), -1);
  maps_.emplace(to_cycles(reached_, cycle_) + times_.lead, std::move(map));
}

void MapNetwork::offer(Transfer transfer) {
  checked_words(transfer, constants_.ports, constants_.word_bytes, reached_);
  if (transfer.to.size() > 1)
    throw Error(ErrorKind::input, name_of_transfer(transfer.id) + " goes to several nodes, but a circuit has one end");
  const Cycles at = to_cycles(transfer.ready, cycle_) + times_.lead;
  offered_.emplace(at, std::move(transfer));
}

void MapNetwork::abort(Id transfer, Picos) {
  throw Error(ErrorKind::internal, name_of_transfer(transfer) + " has a circuit of its own and can't be aborted");
}

Picos MapNetwork::next() {
  if (!on_fibre_.empty()) return on_fibre_.front().at;
  if (offered_.empty() && running_.empty()) return never<Picos>;
  return to_picos(switch_.clock().now() + Cycles{1} + times_.fibre.longest(), cycle_);
}

Picos MapNetwork::quiet_until() const {
  if (!on_fibre_.empty()) return on_fibre_.front().at;
  Picos quiet = never<Picos>;
  const auto consider = [&](const Transfer& transfer, Cycles begin) {
    const Cycles word = std::max(word_of(index(transfer.from)), word_of(index(transfer.to.front())));
    const Cycles length = word * to_words(transfer.size, constants_.word_bytes).n;
    quiet = std::min(
        quiet, to_picos(std::max(begin + length, switch_.clock().now() + Cycles{1}) + times_.fibre.longest(), cycle_));
  };
  for (const auto& [id, one] : running_) consider(one.transfer, one.begin);
  for (const auto& [at, transfer] : offered_) consider(transfer, at + Cycles{1} + times_.fibre.longest());
  return quiet;
}

Picos MapNetwork::advance(Picos limit, std::vector<Delivery>& append) {
  if (limit == never<Picos> && next() == never<Picos>)
    throw Error(ErrorKind::internal, "the network has nothing to deliver and no instant to go to");
  FabricClock& clock = switch_.clock();
  const Cycles last{limit.n / cycle_.n};
  while (clock.now() < last) {
    act(clock.now());
    Cycles stop = last;
    if (!maps_.empty()) stop = std::min(stop, maps_.begin()->first);
    if (!offered_.empty()) stop = std::min(stop, offered_.begin()->first);
    if (!on_fibre_.empty()) stop = std::min(stop, to_cycles(on_fibre_.front().at, cycle_));
    clock.run_until(stop);
    events_.clear();
    switch_.take_events(events_);
    for (const Event& event : events_) take(event);
    const Picos now = to_picos(clock.now(), cycle_);
    if (on_fibre_.empty() || on_fibre_.front().at > now) continue;
    for (; !on_fibre_.empty() && on_fibre_.front().at <= now; on_fibre_.pop_front())
      append.push_back(std::move(on_fibre_.front()));
    return reached_ = now;
  }
  return reached_ = limit;
}

void MapNetwork::act(Cycles now) {
  for (; !maps_.empty() && maps_.begin()->first <= now; maps_.erase(maps_.begin())) change(maps_.begin()->second, now);
  while (!offered_.empty() && offered_.begin()->first <= now)
    start(std::move(offered_.extract(offered_.begin()).mapped()), now);
}

/// An output without light is made dark.
void MapNetwork::change(const std::vector<std::int16_t>& to, Cycles now) {
  std::vector<std::int16_t> from(to.size(), -1), before(to.size(), -1);
  for (std::size_t in = 0; in < to.size(); ++in) {
    if (to[in] >= 0) from[static_cast<std::size_t>(to[in])] = static_cast<std::int16_t>(in);
    if (to_[in] >= 0) before[static_cast<std::size_t>(to_[in])] = static_cast<std::int16_t>(in);
  }
  Commit commit{now, {}};
  Cycles last{0};
  for (std::size_t out = 0; out < to.size(); ++out) {
    if (from[out] == before[out]) continue;
    const auto output = static_cast<Output>(out);
    if (from[out] < 0) {
      commit.change.push_back({output, std::nullopt});
      continue;
    }
    const auto input = static_cast<Input>(from[out]);
    commit.change.push_back({output, input});
    up_[out] = now + Cycles{1} + times_.light(input, Outputs{}.set(out), constants_.ports) + times_.fibre.longest();
    last = std::max(last, up_[out]);
    ++tunings_;
  }
  for (Cycles& up : up_)
    if (rules_.all_stop) up = std::max(up, last);
  to_ = to;
  if (commit.change.empty()) return;
  if (const auto refusal = switch_.commit(commit)) refused_by_switch("a map", *refusal);
}

void MapNetwork::start(Transfer transfer, Cycles now) {
  const std::size_t in = index(transfer.from), out = index(transfer.to.front());
  if (to_[in] != static_cast<std::int16_t>(out))
    throw Error(ErrorKind::internal, name_of_transfer(transfer.id) + " goes from node " + std::to_string(in) +
                                         " to node " + std::to_string(out) + ", which have no circuit");
  const Cycles begin = std::max(now + Cycles{1} + times_.fibre.longest(), up_[out]);
  const Burst burst{.id = transfer.id,
                    .in = static_cast<Input>(in),
                    .length = to_words(transfer.size, constants_.word_bytes),
                    .not_before = begin,
                    .gated = true,
                    .word = std::max(word_of(in), word_of(out))};
  if (const auto refusal = switch_.start(burst)) refused_by_switch("a burst", *refusal);
  ++bursts_;
  const Id id = transfer.id;
  running_.emplace(id, Running{std::move(transfer), now, begin, {}});
}

void MapNetwork::take(const Event& event) {
  if (hooks_.on_event) hooks_.on_event(event);
  if (event.kind != EventKind::run && event.kind != EventKind::burst_done) return;
  const auto found = running_.find(event.burst);
  if (found == running_.end()) return;
  Running& one = found->second;
  if (event.kind == EventKind::run) {
    one.runs.push_back(event.words);
    return;
  }
  if (hooks_.on_carried) show(one, event);
  const PortUse more{one.transfer.size, to_picos(event.at - one.begin, cycle_)};
  for (const Node node : {one.transfer.from, one.transfer.to.front()})
    if (one.transfer.counts_at(node)) uses_[index(node)] += more;
  on_fibre_.push_back({.at = to_picos(event.at + times_.fibre.longest(), cycle_),
                       .to = one.transfer.to.front(),
                       .transfer = one.transfer.id,
                       .arrived = std::move(one.runs),
                       .began = to_picos(one.begin, cycle_)});
  running_.erase(found);
}

void MapNetwork::show(const Running& one, const Event& done) const {
  Outputs outs;
  outs.set(index(one.transfer.to.front()));
  const Reservation planned{
      .flow = one.transfer.id,
      .in = static_cast<Input>(index(one.transfer.from)),
      .outs = outs,
      .start = Ticks{one.start.n},
      .up = Ticks{one.begin.n},
      .end = Ticks{done.at.n},
      .offset = {},
      .word = Ticks{std::max(word_of(index(one.transfer.from)), word_of(index(one.transfer.to.front()))).n}};
  hooks_.on_carried({planned, one.transfer.id, one.start, one.begin, done.at, done.words.count});
}

}  // namespace ocs
