// Offers to plans to deliveries; the clock moves no further than the next delivery or the limit.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/circuit_network.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "host/controller/circuit_map.hpp"
#include "host/controller/circuits/plan_origin.hpp"
#include "host/controller/transfers/offer_checks.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {

/// Reservations learn from their flows how long a word takes.
void say_words(const Problem& problem, Plan& plan) {
  std::unordered_map<std::uint32_t, Ticks> words;
  for (const Flow& flow : problem.flows)
    if (flow.word.n > 1) words.emplace(index(flow.id), flow.word);
  if (words.empty()) return;
  for (Reservation& r : plan.list)
    if (const auto word = words.find(index(r.flow)); word != words.end()) r.word = word->second;
}

CircuitConfig with_least_lead(CircuitConfig config, Cycles least) {
  config.times.lead = std::max(config.times.lead, least);
  return config;
}

/// A plan made while others go on has one cost of starting on an established circuit, and so one fibre: the longest. A
/// node that is nearer waits at the switch for the cycle that was planned.
ControlTimes times_of_plans(ControlTimes times, bool online) {
  if (online) times.fibre = times.fibre.longest();
  return times;
}

}  // namespace

CircuitNetwork::CircuitNetwork(Switch& plane, const Scheduler& scheduler, CircuitConfig config)
    : switch_(plane),
      scheduler_(scheduler),
      config_(with_least_lead(std::move(config), plane.constants().min_lead)),
      plan_times_(times_of_plans(config_.times, config_.online)),
      constants_(plane.constants()),
      cycle_(plane.clock().cycle()),
      controller_(make_controller(plane, config_.times, config_.online)),
      transfers_(cycle_, PortRates(config_.word_cycles, config_.rate_changes)),
      mirrors_(plane, config_.mirror_changes, config_.times.lead),
      disturbances_(config_.neighbours, constants_.ports),
      uses_(static_cast<std::size_t>(constants_.ports)) {
  if (!config_.check) throw Error(ErrorKind::internal, "a circuit network needs a plan checker");
  if (!config_.online) return;
  OnlinePlan::OnBegin on_begin;
  if (config_.at_ends) {
    coflows_.emplace();
    on_begin = [this](const Flow& flow, const Reservation& r) { coflows_->give(flow.coflow, r.end - r.up); };
  }
  online_plan_.emplace(constants_.ports, !by_timetable(), std::move(on_begin));
  reuse_ = Ticks{config_.times.reuse().n};
}

void CircuitNetwork::offer(Transfer transfer) {
  const auto name = [&transfer] { return name_of_transfer(transfer.id); };
  if (transfers_.contains(transfer.id)) refuse(name() + " is under way already; each needs an Id of its own");
  if (transfer.to.size() > 1 && !constants_.multicast) refuse(name() + " goes to several nodes, but multicast is off");
  const Words words = checked_words(transfer, constants_.ports, constants_.word_bytes, reached_);
  if (disturbances_.any() && transfer.sent_before > 0) {
    const Cycles ready = std::max(to_cycles(transfer.ready, cycle_), switch_.clock().now());
    transfer.ready = to_picos(disturbances_.calm(outputs_of(transfer), ready, transfer.sent_before), cycle_);
  }
  transfers_.add(std::move(transfer), words);
}

void CircuitNetwork::abort(Id transfer, Picos at) {
  if (!transfers_.contains(transfer) && on_its_way(transfer)) return;
  if (!transfers_.contains(transfer)) refuse(name_of_transfer(transfer) + " isn't under way and can't be aborted");
  if (at < reached_)
    refuse(name_of_transfer(transfer) + " can't be aborted at " + std::to_string(at.n) + " ps, it is " +
           std::to_string(reached_.n) + " ps already");
  aborts_.emplace(to_cycles(at, cycle_), transfer);
}

void CircuitNetwork::prioritise(Id transfer, std::int32_t priority) {
  if (!transfers_.contains(transfer)) {
    if (on_its_way(transfer)) return;
    refuse(name_of_transfer(transfer) + " isn't under way and can't be given a priority");
  }
  const auto flow = transfers_.prioritise(transfer, priority);
  if (flow && online_plan_) online_plan_->prioritise(flow->first, flow->second);
}

/// Aborts of what has been delivered meanwhile are forgotten.
Cycles CircuitNetwork::next_abort() {
  while (!aborts_.empty() && !transfers_.contains(aborts_.begin()->second)) aborts_.erase(aborts_.begin());
  return aborts_.empty() ? never<Cycles> : aborts_.begin()->first;
}

bool CircuitNetwork::on_its_way(Id transfer) const {
  return std::any_of(on_fibre_.begin(), on_fibre_.end(),
                     [&](const Delivery& delivery) { return delivery.transfer == transfer && delivery.final; });
}

Words CircuitNetwork::sent(Id transfer) {
  const auto flow = transfers_.flow_of(transfer);
  const auto last = flow ? controller_->last_of(*flow) : std::nullopt;
  if (!last) return {};
  const Reservation& r = *last->planned;
  const std::int64_t words = (r.offset.n + (switch_.clock().now() - last->up).n) / r.word.n;
  return {std::clamp<std::int64_t>(words, 0, (r.offset + r.end - r.up).n / r.word.n)};
}

Picos CircuitNetwork::next() {
  const Fibres& fibre = config_.times.fibre;
  const Picos arrives = on_fibre_.empty() ? never<Picos> : on_fibre_.front().at;
  if (!on_fibre_.empty() && !fibre.differ()) return arrives;
  const Cycles now = switch_.clock().now();
  // What waits isn't planned before it.
  const Cycles planned = std::max({now, busy_until_, online_plan_ ? now : controller_->latest_end()});
  Cycles first = std::min(controller_->earliest_end(now), transfers_.earliest(planned));
  const bool waits_for_port = transfers_.any_on_dead_ports();
  if (waits_for_port || first != never<Cycles>) first = std::min(first, next_outage());
  if (waits_for_port && next_outage() == never<Cycles>) first = now;  // it never lives again: act() says so
  if (next_abort() != never<Cycles>) first = std::min(first, next_abort() + Cycles{1});
  if (coflows_ && online_plan_->any()) first = std::min(first, std::max(busy_until_, ended_ ? now : planned_until_));
  if (first == never<Cycles>) return arrives;
  const Cycles leaves = std::max(first, now + Cycles{1});  // what is overdue hasn't come by now
  return std::min(arrives, to_picos(leaves + fibre.shortest(), cycle_));
}

Picos CircuitNetwork::advance(Picos limit, std::vector<Delivery>& append) {
  if (limit < reached_)
    throw Error(ErrorKind::internal, "the network can't go back from " + std::to_string(reached_.n) + " ps to " +
                                         std::to_string(limit.n) + " ps");
  if (limit == never<Picos> && next() == never<Picos>)
    throw Error(ErrorKind::internal, "the network has nothing to deliver and no instant to go to");
  FabricClock& clock = switch_.clock();
  const Cycles last{limit.n / cycle_.n};  // the last cycle that has begun by then
  while (clock.now() < last) {
    act(clock.now());
    Cycles stop = std::min({last, controller_->next(), next_abort(), next_outage()});
    stop = std::min({stop, next_plan(clock.now()), mirrors_.next()});
    if (!on_fibre_.empty()) stop = std::min(stop, to_cycles(on_fibre_.front().at, cycle_));
    clock.run_until(stop);
    events_.clear();
    switch_.take_events(events_);
    for (const Event& event : events_) take(event);
    send_off();
    const Picos now = to_picos(clock.now(), cycle_);
    if (on_fibre_.empty() || on_fibre_.front().at > now) continue;
    for (; !on_fibre_.empty() && on_fibre_.front().at <= now; on_fibre_.pop_front())
      append.push_back(std::move(on_fibre_.front()));
    return reached_ = now;
  }
  return reached_ = limit;
}

/// What has left the switch is with its nodes a fibre later.
void CircuitNetwork::send_off() {
  for (Delivery& delivery : passed_) {
    delivery.at += to_picos(config_.times.fibre.of(index(delivery.to)), cycle_);
    const auto behind = std::upper_bound(on_fibre_.begin(), on_fibre_.end(), delivery.at,
                                         [](Picos at, const Delivery& other) { return at < other.at; });
    on_fibre_.insert(behind, std::move(delivery));
  }
  passed_.clear();
}

Cycles CircuitNetwork::next_outage() const {
  return outages_ < config_.outages.size() ? config_.outages[outages_].at : never<Cycles>;
}

/// @throws Error (run) if a transfer waits for a port that never lives again.
void CircuitNetwork::let_ports_die(Cycles now) {
  for (; next_outage() <= now; ++outages_) {
    const Outage& outage = config_.outages[outages_];
    if (const auto refusal = switch_.set_dead(outage.port, outage.dead)) refused_by_switch("a dead port", *refusal);
    transfers_.set_dead(outage.port, outage.dead);
    if (!outage.dead) continue;
    for (const Id flow : transfers_.flows_of(outage.port)) {
      cut(flow, now);
    }
  }
  const auto gone = [&](std::uint16_t port) {
    return std::none_of(config_.outages.begin() + static_cast<std::ptrdiff_t>(outages_), config_.outages.end(),
                        [&](const Outage& outage) { return outage.port == port && !outage.dead; });
  };
  if (const auto stuck = transfers_.stuck(gone))
    throw Error(ErrorKind::run, name_of_transfer(stuck->first) + " waits for port " + std::to_string(stuck->second) +
                                    ", which is dead and never lives again");
}

/// Everything that acts in the present cycle. What it delivers leaves the switch in the next one.
void CircuitNetwork::act(Cycles now) {
  if (!config_.outages.empty()) let_ports_die(now);
  mirrors_.act(now);
  for (; next_abort() <= now; aborts_.erase(aborts_.begin())) {
    if (const auto flow = transfers_.abort(aborts_.begin()->second, now + Cycles{1}, passed_)) cut(*flow, now);
  }
  send_off();
  if (plan_is_due(now)) plan(now);
  controller_->act(now);
}

/// When one may be due, at the earliest; never: nothing is known that asks for one.
Cycles CircuitNetwork::next_plan(Cycles now) const {
  if (busy_until_ > now) return busy_until_;
  Cycles next = never<Cycles>;
  if (online_plan_ || controller_->idle()) next = transfers_.next_ready(now);
  if (coflows_ && planned_until_ > now && online_plan_->any()) next = std::min(next, planned_until_);
  return next;
}

bool CircuitNetwork::plan_is_due(Cycles now) {
  if (busy_until_ > now) return false;
  if (coflows_ && planned_until_ <= now) {
    online_plan_->begin_until(now);
    if (online_plan_->any()) return true;
    planned_until_ = never<Cycles>;
  }
  if (ended_) return true;
  return (online_plan_ || controller_->idle()) && transfers_.next_ready(now) <= now;
}

/// Nobody wants what is left of it.
void CircuitNetwork::cut(Id flow, Cycles now) {
  if (online_plan_) {
    online_plan_->begin_until(now);
    online_plan_->drop(flow);
    if (coflows_) coflow_ended(coflows_->drop(flow));
  }
  transfers_.cut(flow, controller_->abort(flow), now + Cycles{1}, passed_);
  take_carried();
}

/// Online: all that hasn't begun, and what has just become ready. By timetable, what starts before anything of the new
/// plan could act is kept as it is.
void CircuitNetwork::fill(Problem& problem, Cycles now) {
  const Cycles from = config_.times.online_origin(now);
  online_plan_->begin_until(from);
  const std::vector<Flow> flows = transfers_.gather(now, config_.join_coflows && !coflows_);
  online_plan_->add(flows);
  online_plan_->fill(problem, from);
  problem.reuse = reuse_;
  problem.now = Ticks{from.n};
  if (!coflows_) return;
  for (const Flow& flow : flows) coflows_->add(flow, transfers_.owner_of(flow.id));
  problem.attained = coflows_->attained();
  planned_until_ = expected_ > now ? expected_ : never<Cycles>;
  problem.horizon = Ticks{planned_until_.n};
  ended_ = false;
}

void CircuitNetwork::plan(Cycles now) {
  Problem problem;
  problem.ports = constants_.ports;
  const std::uint32_t sent = by_timetable() ? transfers_.sent_before(now) : 0;  // by confirmation there is no guard
  problem.delta = Ticks{plan_times_.set_up(sent).n};
  problem.pair_delta = plan_times_.pair_set_ups(constants_.ports, sent);
  problem.all_stop = constants_.all_stop;
  problem.seed = config_.seed;
  if (online_plan_) {
    fill(problem, now);
  } else {
    problem.up = controller_->circuits();
    problem.flows = transfers_.gather(now);
  }

  Plan plan = online_plan_ ? scheduler_.plan(problem) : plan_from(now, plan_times_, scheduler_, problem);
  if (online_plan_ && config_.charged)
    if (const Cycles took = config_.charged(); took.n > 0) busy_until_ = now + took + Cycles{1};
  config_.check(problem, plan);
  say_words(problem, plan);
  PlanRecord record{.asked = now,
                    .origin = Cycles{problem.now.n},
                    .ended = Cycles{problem.now.n},
                    .makespan = Ticks{0},
                    .bound = plan.bound,
                    .flows = static_cast<std::int64_t>(problem.flows.size()),
                    .reservations = static_cast<std::int64_t>(plan.list.size())};
  for (const Reservation& r : plan.list) {
    record.makespan = std::max(record.makespan, r.end - problem.now);
    if (r.up - r.start > reuse_) ++record.set_ups;
  }
  if (online_plan_) online_plan_->adopt(problem, plan);
  stats_.plans.push_back(record);
  controller_->adopt(std::move(plan), online_plan_ ? Cycles{problem.now.n} : now);
}

/// @param first of passed_: deliveries that the end of `ended` has brought.
void CircuitNetwork::say_beginning(const Reservation& ended, std::ptrdiff_t first) {
  const auto is_final = [](const Delivery& delivery) { return delivery.final; };
  if (std::none_of(passed_.begin() + first, passed_.end(), is_final)) return;
  const Picos began = to_picos(online_plan_->take_beginning(ended.flow), cycle_);
  for (auto delivery = passed_.begin() + first; delivery != passed_.end(); ++delivery) delivery->began = began;
}

/// Asked before transfers_ is told of the end, as that forgets whose words they were.
std::span<const CircuitNetwork::PortWords> CircuitNetwork::counted(const Reservation& ended, Words sent) {
  counted_.clear();
  const auto add = [&](std::uint16_t port) { counted_.push_back({port, transfers_.counted(ended, sent, port)}); };
  add(index(ended.in));
  for_each_output(ended.outs, [&](std::size_t out) { add(static_cast<std::uint16_t>(out)); });
  return counted_;
}

/// Words of one burst that count elsewhere took their share of its time.
void CircuitNetwork::count(const Carried& carried, std::span<const PortWords> counted) {
  if (carried.sent.n == 0) return;
  const Picos busy = to_picos(carried.end - carried.up, cycle_);
  for (const auto& [port, words] : counted) {
    const Wide share = Wide{busy.n} * words.n / carried.sent.n;
    uses_[port] += {Bytes{words.n * constants_.word_bytes}, Picos{static_cast<std::int64_t>(share)}};
  }
}

void CircuitNetwork::take(const Event& event) {
  if (config_.on_event) config_.on_event(event);
  if (event.kind == EventKind::run) transfers_.ran(event.burst, event.port, event.words);
  std::span<const PortWords> words;
  if (event.kind == EventKind::burst_done)
    if (const Reservation* reservation = controller_->running(event.burst)) {
      words = counted(*reservation, event.words.count);
      const auto before = static_cast<std::ptrdiff_t>(passed_.size());
      transfers_.done(event.burst, *reservation, event.at, passed_);
      // A node whose clock is early may have sent all of it before its start. No later plan begins before that.
      const Cycles begun{std::max(switch_.clock().now().n, reservation->start.n + 1)};
      if (online_plan_) online_plan_->begin_until(begun);
      if (online_plan_ && !coflows_) say_beginning(*reservation, before);
    }
  stats_.transfers = transfers_.delivered();
  controller_->on(event);
  mirrors_.on(event);
  disturbances_.on(event);
  take_carried(words);
}

/// @param counted of the one that has carried words
void CircuitNetwork::take_carried(std::span<const PortWords> counted) {
  for (const Carried& carried : controller_->take_carried()) {
    ++stats_.reservations;
    if (online_plan_) online_plan_->end(carried.planned, carried.end);
    if (coflows_) coflow_ended(coflows_->pass(carried.planned.flow, carried.planned.end - carried.planned.up));
    if (carried.planned.up - carried.planned.start > reuse_) ++stats_.set_ups;
    if (carried.missed_guard) ++stats_.guard_misses;
    if (carried.cut())
      ++stats_.cut;
    else if (carried.late())
      ++stats_.late;
    stats_.plans.back().ended = std::max(stats_.plans.back().ended, carried.end);
    count(carried, counted);
    if (config_.on_carried) config_.on_carried(carried);
  }
}

}  // namespace ocs
