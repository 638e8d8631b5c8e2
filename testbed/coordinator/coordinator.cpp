// Virtual time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/coordinator.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "host/transport/run_set.hpp"
#include "testbed/nodes/payload_math.hpp"

namespace ocs {
namespace {

bool is_local(const TransferKey& key) { return key.worker == key.server; }

constexpr std::uint32_t first_migration = std::uint32_t{1} << 31;  // coflows above it are migrations

}  // namespace

Coordinator::Coordinator(const NodeJob& job, const GateRules& rules, std::vector<NodeDeath> deaths,
                         std::vector<Node> nodes, std::chrono::milliseconds timeout, Transport& transport,
                         Network& network, Progress* progress, std::function<void(const JobMoment&)> on_moment,
                         LoadKeeper* keeper)
    : job_(job),
      nodes_(std::move(nodes)),
      network_(network),
      progress_(progress),
      on_moment_(std::move(on_moment)),
      talk_(transport, nodes_, timeout, [this](const std::string& who) { show(who); }),
      gate_(job, rules),
      by_layer_(rules.by_layer),
      phases_(rules.entry.compute == ComputeStart::after_last_pull),
      deaths_(std::move(deaths)),
      keeper_(keeper) {
  if (phases_ && rules.duration == never<Picos>) result_.iterations.resize(job.iterations);
  if (job.learning) evaluator_.emplace(job);
  std::stable_sort(deaths_.begin(), deaths_.end(), [](const NodeDeath& a, const NodeDeath& b) { return a.at > b.at; });
}

/// Of a scheme with phases, all that is pushed or pulled in an iteration belongs together; else, what a worker pushes
/// or pulls. They are numbered as they come: with phases a pull is behind the push of its iteration, else before it.
Id Coordinator::coflow_of(const TransferKey& key) const {
  if (key.phase == TransferPhase::migrate) return Id{first_migration + key.iteration};
  if (phases_) return Id{key.iteration * 2 + index(key.phase)};
  const std::uint32_t phase = key.iteration * 2 + (key.phase == TransferPhase::push);
  return Id{phase * static_cast<std::uint32_t>(job_.workers.size()) +
            static_cast<std::uint32_t>(job_.worker_index(key.worker))};
}

JobResult Coordinator::run() {
  carry_out(gate_.start());
  for (;;) {
    talk_.exchange(now_);
    if (gate_.finished() && open_.empty()) break;
    if (progress_) show(gate_.summary());
    move_to(next_time());
    if (!deliveries_.empty()) {  // what they set off comes before the other things of this instant, by phase
      for (Delivery& delivery : std::exchange(deliveries_, {})) tell(std::move(delivery));
      continue;
    }
    const auto due = talk_.take(now_);
    for (const Stamped& said : due) act(said);
    if (due.empty() && wake()) continue;
    talk_.wake_promised(now_);
  }
  result_.end = now_;
  result_.slices = static_cast<std::int64_t>(job_.transfers());
  result_.sync = gate_.measured();
  collect_payload_results();
  result_.rounds = talk_.rounds();
  result_.messages = talk_.messages();
  return std::move(result_);
}

/// Until when nothing can happen that the network doesn't stop at by itself.
Picos Coordinator::next_time() {
  if (!deliveries_.empty()) return now_;  // local ones
  Picos t = std::min(talk_.earliest(), gate_.next());
  if (!deaths_.empty()) t = std::min(t, deaths_.back().at);
  if (t == never<Picos> && network_.next() == never<Picos>) deadlock();
  return t;
}

/// What comes last at an instant. @returns whether there was anything
bool Coordinator::wake() {
  if (gate_.next() <= now_) {
    carry_out(gate_.wake(now_));
    return true;
  }
  if (deaths_.empty() || deaths_.back().at > now_) return false;
  const Node node = deaths_.back().node;
  deaths_.pop_back();
  die(node);
  return true;
}

void Coordinator::die(Node node) {
  const std::string who = "node " + std::to_string(index(node)) + " died at " + std::to_string(now_.n) + " ps";
  if (job_.server_at(node))
    throw Error(ErrorKind::run, who + ": it is a parameter server, and its parameters are nowhere else");
  if (!dead_.insert(node).second) return;
  for (const auto& [id, one] : open_)
    if (one.key.worker == node) network_.abort(id, now_);
  carry_out(gate_.left(node, now_));
}

void Coordinator::move_to(Picos t) {
  const Picos before = now_;
  if (deliveries_.empty()) now_ = std::max(now_, network_.advance(t, deliveries_));
  guard_against_standstill(before);
}

void Coordinator::guard_against_standstill(Picos before) {
  rounds_here_ = now_ == before ? rounds_here_ + 1 : 0;
  if (rounds_here_ <= max_rounds_at_one_time) return;
  throw Error(ErrorKind::run, "more than " + std::to_string(max_rounds_at_one_time) + " rounds at " +
                                  std::to_string(now_.n) +
                                  " ps, so time stands still; the last messages: " + talk_.last_messages());
}

void Coordinator::carry_out(const std::vector<Order>& orders) {
  if (keeper_ && changes_map(orders))
    held_ = orders;
  else
    carry_out_now(orders);
}

/// Whether orders that begin an iteration have to wait for a new map. With phases it begins when workers compute, else
/// when they pull; the first one goes by the first map, and the final model is pulled from where it is.
bool Coordinator::changes_map(const std::vector<Order>& orders) {
  const auto begin = phases_ ? Order::What::compute : Order::What::release;
  const auto first = std::find_if(orders.begin(), orders.end(), [&](const Order& one) {
    return one.what == begin && one.iteration > 0 && one.iteration < job_.iterations;
  });
  if (first == orders.end()) return false;
  const auto map = keeper_->before(first->iteration, gate_.updates(), now_, network_);
  if (!map) return false;
  for (const Node node : nodes_) talk_.post(node, make_message(index(node), now_, *map));
  return true;
}

void Coordinator::go_on_when_settled() {
  if (!keeper_->settled() || held_.empty()) return;
  keeper_->settle(now_, network_);
  carry_out_now(std::exchange(held_, {}));
}

void Coordinator::carry_out_now(const std::vector<Order>& orders) {
  for (const Order& order : orders) {
    if (order.what != Order::What::release) {
      for (Node worker : order.workers) command(order, worker);
      continue;
    }
    if (order.iteration < result_.iterations.size()) result_.iterations[order.iteration].push_end = now_;
    for (const Served& server : job_.servers)
      talk_.post(server.node, make_message(index(server.node), now_, ReleaseFields{order.iteration, order.workers}));
  }
}

/// To compute, to take a step, to push, or nothing.
void Coordinator::command(const Order& order, Node worker) {
  const TransferKey key{order.iteration, TransferPhase::push, worker, {}};
  if (order.what == Order::What::stall) return note(JobMoment::What::stalls, key);
  const bool push = order.what == Order::What::push, step = order.what == Order::What::step;
  if (!push) note(JobMoment::What::computes, key);
  const ComputeFields fields{order.iteration, push ? Picos{0} : gate_.compute_time(worker, order.iteration),
                             static_cast<std::uint8_t>(!step)};
  talk_.post(worker, make_message(index(worker), now_, fields));
}

void Coordinator::act(const Stamped& said) {
  if (dead_.contains(said.about)) return;  // it was said before, and is heard only now
  switch (kind_of(said.message)) {
    case MessageKind::offers:
      for (const Offer& one : decode_fields<OffersFields>(said.message).list) {
        check_key(one.key, said.from);
        if (!dead_.contains(one.key.worker)) offer(one);
      }
      return;
    case MessageKind::pushed: {
      const auto [key, map] = decode_fields<PushedFields>(said.message);
      check_key(key, said.from);
      if (keeper_) keeper_->check(key, map);
      return carry_out(gate_.pushed(key, now_));
    }
    case MessageKind::pulled: {
      const auto iteration = decode_fields<PulledFields>(said.message).iteration;
      check_key({iteration, TransferPhase::pull, said.from, job_.servers.front().node}, said.from);
      if (iteration < result_.iterations.size()) result_.iterations[iteration].sync_end = now_ - job_.control_latency;
      return carry_out(gate_.pulled(said.from, iteration, now_));
    }
    case MessageKind::map_ack:
    case MessageKind::migrated:
    case MessageKind::wrong_owner:
      return act_on_map(said);
    case MessageKind::computed:
      return carry_out(gate_.stepped(said.from, now_));
    case MessageKind::missing: {
      const auto missing = decode_fields<MissingFields>(said.message);
      check_key(missing.key, said.from);
      if (dead_.contains(missing.key.worker)) return;
      if (missing.sent >= job_.attempts) words_are_missing(missing);
      const Node sender = missing.key.from();
      return talk_.post(sender, make_message(index(sender), now_, missing));
    }
    default:
      throw Error(ErrorKind::run, participant_name(index(said.from)) + " said \"" +
                                      std::string(name_of(kind_of(said.message))) + "\" to the coordinator");
  }
}

void Coordinator::act_on_map(const Stamped& said) {
  if (!keeper_)
    throw Error(ErrorKind::run, participant_name(index(said.from)) + " spoke of a map of keys; the job has none");
  if (kind_of(said.message) == MessageKind::map_ack) {
    keeper_->acknowledged(said.from, decode_fields<MapAckFields>(said.message).version);
    return go_on_when_settled();
  }
  if (kind_of(said.message) == MessageKind::migrated) {
    keeper_->migrated(decode_fields<MigratedFields>(said.message).key);
    return go_on_when_settled();
  }
  const auto refusal = decode_fields<WrongOwnerFields>(said.message);
  check_key(refusal.key, said.from);
  if (job_.payload != PayloadMode::none)
    throw Error(ErrorKind::run, "the " + describe(refusal.key) +
                                    ", went by an old version of the map of keys; its payload has been sent and let "
                                    "go of, so use payload \"none\" where workers may miss a map");
  keeper_->refused();
  const Node worker = refusal.key.worker;  // it hasn't heard of the map, so it is told again
  talk_.post(worker, make_message(index(worker), now_, keeper_->map()));
  talk_.post(worker, make_message(index(worker), now_, refusal));
}

void Coordinator::check_key(const TransferKey& key, Node from) const {
  const std::uint32_t iterations = job_.iterations + (key.phase == TransferPhase::pull && !phases_);
  if (key.iteration < iterations && job_.slice_of(key) &&
      (key.phase == TransferPhase::migrate ? job_.by_keys() && job_.server_at(key.worker) != nullptr
                                           : job_.worker_index(key.worker) >= 0))
    return;
  throw Error(ErrorKind::run,
              participant_name(index(from)) + " spoke of a transfer that the job hasn't: " + describe(key));
}

void Coordinator::offer(const Offer& one) {
  const TransferKey& key = one.key;
  if (key.phase == TransferPhase::push && one.attempt == 0 && key.iteration < result_.iterations.size())
    if (IterationResult& iteration = result_.iterations[key.iteration]; iteration.sync_start == Picos{0})
      iteration.sync_start = now_ - job_.control_latency;
  const Id id{next_id_++};
  open_.emplace(id, one);
  const Slice& slice = *job_.slice_of(key);
  note(JobMoment::What::offered, key, slice.ahead > 0);
  if (keeper_ && key.phase == TransferPhase::pull) keeper_->check(key, one.map);
  if (key.phase == TransferPhase::push && gate_.stepping(key.worker))  // it goes on
    note(JobMoment::What::computes, {key.iteration, TransferPhase::push, key.worker, {}});
  if (is_local(key)) {
    deliveries_.push_back({now_, key.to(), id, {{Words{0}, one.words}}, true, now_});
    return;
  }
  const Words words = one.carried();
  if (one.attempt > 0) {
    ++result_.retransmissions;
    result_.words_retransmitted += words.n;
  }
  network_.offer({id,
                  by_layer_ ? id : coflow_of(key),
                  key.from(),
                  {key.to()},
                  Bytes{words.n * job_.word_bytes},
                  now_,
                  slice.priority,
                  one.sent});
}

void Coordinator::tell(Delivery delivery) {
  const auto found = open_.find(delivery.transfer);
  if (found == open_.end() || found->second.key.to() != delivery.to)
    throw Error(ErrorKind::internal, "the network delivered transfer " + std::to_string(index(delivery.transfer)) +
                                         " to node " + std::to_string(index(delivery.to)) +
                                         ", which doesn't wait for it");
  const Offer one = found->second;
  if (dead_.contains(one.key.worker)) {
    if (delivery.final) open_.erase(found);
    return;
  }
  if (delivery.final && one.attempt == 0 && one.key.phase == TransferPhase::pull && delivery.began != never<Picos>)
    gate_.pull_began(one.key.worker, delivery.began);
  if (delivery.final && one.attempt == 0 && one.key.phase == TransferPhase::pull && job_.payload != PayloadMode::none &&
      job_.memory == ServerMemory::model)
    snapshots_.emplace(
        delivery.began == never<Picos> ? gate_.version_of(one.key.worker) : gate_.version_at(delivery.began), one.key);
  const Bytes bytes = job_.slice_of(one.key)->bytes;
  if (is_local(one.key)) {
    result_.bytes_local += bytes;
  } else {
    for (const WordRun& run : delivery.arrived) result_.words_delivered += run.count.n;
    if (delivery.final && one.attempt == 0) result_.bytes_delivered += bytes;  // what it lost comes later
  }
  DeliveredFields told{one.key, one.words, delivery.final, std::move(delivery.arrived), one.attempt, one.map};
  if (one.attempt > 0) told.runs = words_of(one.runs, told.runs);
  if (delivery.final) {
    open_.erase(found);
    note(JobMoment::What::delivered, one.key);
  }
  talk_.post(delivery.to, make_message(index(delivery.to), now_, told));
}

void Coordinator::note(JobMoment::What what, const TransferKey& key, bool early) const {
  if (on_moment_ && key.phase != TransferPhase::migrate) on_moment_({what, now_, key, early});
}

/// What workers do in real learning, worker by worker in its order. Those that take no local steps merge what they have
/// pulled, take one step, and push it.
std::vector<PastEvent> Coordinator::program(const std::vector<PastEvent>& decisions) const {
  if (!gate_.local_program().empty()) return gate_.local_program();
  std::vector<PastEvent> events;
  for (const PastEvent& push : decisions) {
    const std::uint32_t k = push.iteration;
    if (k > 0 || !phases_) events.push_back({PastEvent::What::merged, push.worker, {}, phases_ ? k - 1 : k, 0});
    events.push_back({PastEvent::What::stepped, push.worker, {}, k, push.weight});
    events.push_back({PastEvent::What::sent, push.worker, {}, k, 0});
  }
  return events;
}

/// What each model went through, and what each pull got of it.
void Coordinator::tell_history() {
  if (job_.memory != ServerMemory::model || job_.payload == PayloadMode::none) return;
  std::map<Node, std::vector<PastEvent>> told;
  std::int32_t weight = 0;
  std::uint64_t version = 0;
  auto snapshot = snapshots_.begin();
  const auto tell_snapshots = [&](bool rest) {
    for (; snapshot != snapshots_.end() && (rest || snapshot->first <= version); ++snapshot) {
      const TransferKey& key = snapshot->second;
      const PastEvent event{PastEvent::What::pulled, key.worker, key.server, key.iteration, weight, key.slice};
      told[key.server].push_back(event);
      if (key.worker != key.server) told[key.worker].push_back(event);
    }
  };
  const std::vector<PastEvent> decisions = gate_.decisions();
  std::uint32_t score = 0;
  const auto tell_scores = [&] {
    for (; evaluator_ && score < evaluator_->points().size() && evaluator_->points()[score].updates <= version; ++score)
      for (const Served& server : job_.servers)
        told[server.node].push_back({PastEvent::What::scored, {}, server.node, score, 0});
  };
  if (evaluator_) {
    evaluator_->plan(gate_.whole_updates());
    for (const PastEvent& event : program(decisions)) told[event.worker].push_back(event);
  }
  std::size_t flip = 0;
  const std::vector<Flip> no_flips;
  const std::vector<Flip>& flips = keeper_ ? keeper_->flips() : no_flips;
  const auto tell_flips = [&] {
    for (; flip < flips.size() && flips[flip].updates <= version; ++flip)
      for (const KeyMove& move : flips[flip].moves) {
        const Node from = job_.servers[move.from].node, to = job_.servers[move.to].node;
        told[from].push_back({PastEvent::What::gave, to, from, flips[flip].first, weight, move.key});
        told[to].push_back({PastEvent::What::took, from, to, flips[flip].first, weight, move.key});
      }
  };
  const auto tell_what_followed = [&] {  // with phases, pulls come before keys migrate
    tell_scores();
    if (!phases_) tell_flips();
    tell_snapshots(false);
    tell_flips();
  };
  tell_what_followed();
  for (PastEvent event : decisions) {
    for (const Served& server : job_.servers) {
      event.server = server.node;
      told[server.node].push_back(event);
    }
    if (event.what == PastEvent::What::dropped) continue;
    ++version;
    if (!job_.learning)
      weight += Pattern::push_weight(static_cast<std::size_t>(job_.worker_index(event.worker)), event.iteration);
    if (std::abs(weight) > Pattern::largest_sum)
      throw Error(ErrorKind::run, "the payload's model left what fp32 holds exactly after " + std::to_string(version) +
                                      " updates; use fewer iterations, or payload \"none\"");
    tell_what_followed();
  }
  tell_snapshots(true);
  for (const auto& [node, events] : told) talk_.post_history(node, events, now_);
}

void Coordinator::collect_payload_results() {
  tell_history();
  if (evaluator_)
    talk_.take_snapshots([this](Node server, const Message& message) { evaluator_->take(server, message); });
  for (const DoneFields& done : talk_.finish(now_)) {
    result_.crc_errors += static_cast<std::int64_t>(done.crc_errors);
    result_.sum_errors += static_cast<std::int64_t>(done.sum_errors);
    result_.chunks += static_cast<std::int64_t>(done.chunks);
    result_.payload_buffers += static_cast<std::int64_t>(done.buffers);
    result_.peak_rss += Bytes{static_cast<std::int64_t>(done.peak_rss)};
  }
  talk_.stop();
  if (!evaluator_) return;
  result_.learning = evaluator_->result();
  result_.learning->samples.assign(job_.workers.size(), 0);
  for (const PastEvent& event : program(gate_.decisions()))
    if (event.what == PastEvent::What::stepped)
      result_.learning->samples[static_cast<std::size_t>(job_.worker_index(event.worker))] += event.weight;
  result_.crc_errors += static_cast<std::int64_t>(result_.learning->crc_errors);
}

void Coordinator::show(const std::string& waiting_for) const {
  if (!progress_) return;
  std::int64_t words = 0;  // of one phase of one iteration, over the network
  for (const Served& server : job_.servers)
    words += (job_.by_keys() ? server.words.n / static_cast<std::int64_t>(job_.servers.size()) : server.words.n) *
             static_cast<std::int64_t>(job_.workers.size() - (job_.worker_index(server.node) >= 0));
  const double all = static_cast<double>(words) * (2.0 * job_.iterations + (gate_.starts_by_a_pull() ? 1 : 0));
  const double done = all > 0 ? static_cast<double>(result_.words_delivered) / all : 1.0;
  progress_->tick({now_, done, waiting_for, talk_.slowest()});
}

void Coordinator::deadlock() const {
  std::string text =
      "deadlock at " + std::to_string(now_.n) + " ps: all nodes only wait, the network is idle and the job isn't done";
  for (Node node : nodes_) text += "; node " + std::to_string(index(node)) + ": " + gate_.state_of(node);
  for (const auto& [id, one] : open_) text += "; not delivered: " + describe(one.key);
  throw Error(ErrorKind::run, text);
}

void Coordinator::words_are_missing(const MissingFields& missing) const {
  std::int64_t words = 0;
  for (const WordRun& run : missing.runs) words += run.count.n;
  throw Error(ErrorKind::run,
              "the " + describe(missing.key) + ", ended at " + std::to_string(now_.n) + " ps without " +
                  std::to_string(words) + " of its " + std::to_string(job_.slice_of(missing.key)->words.n) +
                  " words (" + describe(missing.runs) + "); the switch lost them and " +
                  (job_.attempts == 1 ? "nothing sends them again"
                                      : "so it did in each of " + std::to_string(job_.attempts) + " attempts"));
}

}  // namespace ocs
