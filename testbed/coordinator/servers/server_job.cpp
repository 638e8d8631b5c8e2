// Virtual time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/servers/server_job.hpp"

#include <algorithm>
#include <utility>

#include "testbed/coordinator/resend.hpp"

namespace ocs {
ServerJob::ServerJob(const NodeJob& job, const GateRules& rules, std::vector<NodeDeath> deaths, NodeExchange& talk,
                     JobActions& actions, std::function<void(const JobMoment&)> on_moment, KeyMapManager* key_map,
                     JobResult& result)
    : job_(job),
      talk_(talk),
      actions_(actions),
      on_moment_(std::move(on_moment)),
      gate_(job, rules),
      by_layer_(rules.by_layer),
      phases_(rules.entry.compute == ComputeStart::after_last_pull),
      whole_rounds_(rules.entry.whole_rounds),
      deaths_(std::move(deaths)),
      result_(result),
      key_map_(key_map),
      use_([this](Node node) { return actions_.use(node); }) {
  if (phases_ && rules.duration == never<Picos>) result_.iterations.resize(job.iterations);
  if (job.learning) evaluator_.emplace(job);
  std::stable_sort(deaths_.begin(), deaths_.end(), [](const NodeDeath& a, const NodeDeath& b) { return a.at > b.at; });
}

void ServerJob::begin() { carry_out(gate_.start()); }

bool ServerJob::is_over() const { return gate_.finished() && open_.empty() && change_ != Change::migrating; }

void ServerJob::finish() {
  result_.end = actions_.now();
  result_.slices = static_cast<std::int64_t>(job_.transfers());
  result_.sync = gate_.measured();
  if (key_map_) result_.load = key_map_->result();
  collect_payload_results();
}

Picos ServerJob::next() const { return deaths_.empty() ? gate_.next() : std::min(gate_.next(), deaths_.back().at); }

bool ServerJob::wake() {
  if (gate_.next() <= actions_.now()) {
    carry_out(gate_.wake(actions_.now()));
    return true;
  }
  if (deaths_.empty() || deaths_.back().at > actions_.now()) return false;
  const NodeDeath death = deaths_.back();
  deaths_.pop_back();
  die(death);
  return true;
}

void ServerJob::die(const NodeDeath& death) {
  const Node node = death.node;
  if (job_.server_at(node))
    throw Error(ErrorKind::run, describe(death) + ": it is a parameter server, and its parameters are nowhere else");
  if (std::ranges::find(job_.workers, node) == job_.workers.end()) return;  // it has no part in this placement
  if (!dead_.insert(node).second) return;
  open_.for_each([&](Id id, const Offer& one) {
    if (one.key.worker == node) actions_.abort(id);
  });
  under_way_.left(node);
  if (key_map_) key_map_->left(node);
  carry_out(gate_.left(death, actions_.now()));
  go_on_when_settled();
}

void ServerJob::carry_out(const std::vector<Order>& orders) {
  if (!key_map_ || !waits_for_map(orders)) return carry_out_now(orders);
  held_.insert(held_.end(), orders.begin(), orders.end());
  change_map_when_quiet();
}

/// Whether orders begin an iteration of all workers. With phases it begins when workers compute, else when they pull; the
/// first one goes by the first map, and the final model is pulled from where it is.
bool ServerJob::begins_iteration(const std::vector<Order>& orders) const {
  const auto begin = phases_ ? Order::What::compute : Order::What::release;
  return std::any_of(orders.begin(), orders.end(), [&](const Order& one) {
    return one.what == begin && one.iteration > 0 && one.iteration < job_.iterations;
  });
}

/// Whether orders have to wait for a new map. The policy is asked between two iterations of all workers, or else whenever
/// the model has had as many updates as there are workers.
bool ServerJob::waits_for_map(const std::vector<Order>& orders) {
  if (change_ != Change::none) return true;
  const std::uint64_t workers = job_.workers.size(), updates = gate_.updates();
  if (whole_rounds_ ? !begins_iteration(orders) : updates < asked_at_ + workers || updates / workers >= job_.iterations)
    return false;
  asked_at_ = updates;
  if (!key_map_->decide(actions_.now(), use_)) return false;
  change_ = Change::decided;
  return true;
}

/// Before an iteration of all workers nothing is under way. Without such iterations, workers come to rest because nothing
/// new is ordered. The round of updates numbers the migrations.
void ServerJob::change_map_when_quiet() {
  if (change_ != Change::decided || !under_way_.nothing() || !open_.empty()) return;
  const std::uint64_t updates = gate_.updates(), round = updates / job_.workers.size();
  if (round >= job_.iterations) return go_on();  // what is left are pulls of the final model, from where it is
  if (const auto worker = gate_.undecided())
    throw Error(ErrorKind::run, "keys are to move while a push of node " + std::to_string(index(*worker)) +
                                    " waits at its servers for a decision of the scheme; with such a scheme "
                                    "job.server_load must be \"placed\" or \"static\"");
  change_ = Change::migrating;
  asked_at_ = updates;
  const MapFields map = key_map_->change(static_cast<std::uint32_t>(round), updates, gate_.decided());
  for (const Node node : talk_.nodes()) talk_.post(node, make_message(index(node), actions_.now(), map));
}

void ServerJob::go_on_when_settled() {
  if (change_ == Change::migrating && key_map_->settled()) go_on();
}

/// Workers that have died since their orders were held get none.
void ServerJob::go_on() {
  key_map_->finish_change(actions_.now(), use_);
  change_ = Change::none;
  std::vector<Order> orders = std::exchange(held_, {});
  for (Order& order : orders) std::erase_if(order.workers, [this](Node worker) { return dead_.contains(worker); });
  std::erase_if(orders, [](const Order& order) { return order.workers.empty(); });
  carry_out_now(orders);
}

void ServerJob::carry_out_now(const std::vector<Order>& orders) {
  for (const Order& order : orders) {
    if (order.what != Order::What::release) {
      for (Node worker : order.workers) command(order, worker);
      continue;
    }
    if (order.iteration < result_.iterations.size()) result_.iterations[order.iteration].push_end = actions_.now();
    for (const Node worker : order.workers) under_way_.begins_pull(worker);
    for (const Served& server : job_.servers)
      talk_.post(server.node,
                 make_message(index(server.node), actions_.now(), ReleaseFields{order.iteration, order.workers}));
  }
}

/// To compute, to take a step, to push, or nothing.
void ServerJob::command(const Order& order, Node worker) {
  const TransferKey key{order.iteration, TransferPhase::push, worker, {}};
  if (order.what == Order::What::stall) return note(JobMoment::What::stalls, key);
  const bool push = order.what == Order::What::push, step = order.what == Order::What::step;
  if (!push) note(JobMoment::What::computes, key);
  if (!step) under_way_.begins_push(worker);
  const ComputeFields fields{order.iteration, push ? Picos{0} : gate_.compute_time(worker, order.iteration),
                             static_cast<std::uint8_t>(!step)};
  talk_.post(worker, make_message(index(worker), actions_.now(), fields));
}

void ServerJob::on(const Stamped& said) {
  if (dead_.contains(said.about)) return;  // it was said before, and is heard only now
  switch (kind_of(said.message)) {
    case MessageKind::offers:
      for (const Offer& one : std::get<OffersFields>(said.fields).list) {
        check_key(one.key, said.from);
        if (!dead_.contains(one.key.worker)) offer(one);
      }
      return;
    case MessageKind::pushed: {
      const auto& [key, map] = std::get<PushedFields>(said.fields);
      check_key(key, said.from);
      if (key_map_) key_map_->check(key, map);
      const std::vector<Order> orders = gate_.pushed(key, actions_.now());
      if (gate_.whole_pushes(key.worker) > key.iteration) under_way_.pushed(key.worker);
      return carry_out(orders);
    }
    case MessageKind::pulled: {
      const auto iteration = decode_fields<PulledFields>(said.message).iteration;
      check_key({iteration, TransferPhase::pull, said.from, job_.servers.front().node}, said.from);
      pulled_[said.from] = iteration + 1;
      under_way_.pulled(said.from);
      if (iteration < result_.iterations.size())
        result_.iterations[iteration].sync_end = actions_.now() - job_.control_latency;
      return carry_out(gate_.pulled(said.from, iteration, actions_.now()));
    }
    case MessageKind::map_ack:
    case MessageKind::migrated:
    case MessageKind::wrong_owner:
      return act_on_map(said);
    case MessageKind::computed:
      return carry_out(gate_.stepped(said.from, actions_.now()));
    case MessageKind::missing: {
      const auto missing = decode_fields<MissingFields>(said.message);
      check_key(missing.key, said.from);
      if (dead_.contains(missing.key.worker)) return;
      return pass_on(talk_, missing, job_.attempts, actions_.now());
    }
    default:
      throw Error(ErrorKind::run, participant_name(index(said.from)) + " said \"" +
                                      std::string(name_of(kind_of(said.message))) + "\" to the coordinator");
  }
}

void ServerJob::act_on_map(const Stamped& said) {
  if (!key_map_)
    throw Error(ErrorKind::run, participant_name(index(said.from)) + " spoke of a map of keys; the job has none");
  if (kind_of(said.message) == MessageKind::map_ack) {
    key_map_->acknowledged(said.from, decode_fields<MapAckFields>(said.message).version);
    return go_on_when_settled();
  }
  if (kind_of(said.message) == MessageKind::migrated) {
    key_map_->migrated(decode_fields<MigratedFields>(said.message).key);
    return go_on_when_settled();
  }
  const auto refusal = decode_fields<WrongOwnerFields>(said.message);
  check_key(refusal.key, said.from);
  if (job_.payload != PayloadMode::none)
    throw Error(ErrorKind::run, "the " + describe(refusal.key) +
                                    ", went by an old version of the map of keys; its payload has been sent and let "
                                    "go of, so use payload \"none\" where workers may miss a map");
  key_map_->refused();
  const Node worker = refusal.key.worker;  // it hasn't heard of the map, so it is told again
  talk_.post(worker, make_message(index(worker), actions_.now(), key_map_->map()));
  talk_.post(worker, make_message(index(worker), actions_.now(), refusal));
}

double ServerJob::fraction() const {
  std::int64_t words = 0;  // of one phase of one iteration, over the network
  for (const Served& server : job_.servers)
    words += (job_.by_keys() ? server.words.n / static_cast<std::int64_t>(job_.servers.size()) : server.words.n) *
             static_cast<std::int64_t>(job_.workers.size() - (job_.worker_index(server.node) >= 0));
  const double all = static_cast<double>(words) * (2.0 * job_.iterations + (gate_.starts_by_a_pull() ? 1 : 0));
  return all > 0 ? std::min(1.0, static_cast<double>(result_.words_delivered) / all) : 1.0;
}

std::string ServerJob::states() const {
  std::string text;
  for (Node node : talk_.nodes()) text += "; node " + std::to_string(index(node)) + ": " + gate_.state_of(node);
  open_.for_each([&](Id, const Offer& one) { text += "; not delivered: " + describe(one.key); });
  return text;
}

}  // namespace ocs
