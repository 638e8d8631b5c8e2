// The gate of the synchronisation scheme and the barrier before computing.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/gate/gate.hpp"

#include <algorithm>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {

Gate::Gate(const NodeJob& job, const GateRules& rules)
    : job_(job),
      rules_(rules),
      scheme_(rules.entry.make(static_cast<std::uint16_t>(job.workers.size()), rules.settings)),
      workers_(job.workers.size()),
      pushes_at_(job.servers.size()),
      measures_(job.workers.size(), rules.duration) {
  for (Worker& worker : workers_) worker.has_push.assign(job.transfers(), 0);
}

void Gate::notify_scheme(GateEvent::Kind kind, std::size_t w, std::uint32_t iteration, Picos now) {
  const Worker& worker = workers_[w];
  const bool local = rules_.entry.compute == ComputeStart::local_steps;
  Picos computed{0};
  if (kind == GateEvent::Kind::pushed || kind == GateEvent::Kind::computed)
    computed = batch_time(worker, rules_.compute_of(w, local ? worker.steps.done - 1 : iteration));
  const GateEvent event{.kind = kind,
                        .at = Ticks{now.n},
                        .worker = static_cast<std::uint16_t>(w),
                        .iteration = iteration,
                        .seen = local ? worker.steps.covered : worker.seen,
                        .compute = Ticks{computed.n},
                        .blocked = Ticks{worker.blocked.n},
                        .net = Ticks{worker.pull_time.n}};
  take(scheme_->on(event), now);
}

std::vector<Order> Gate::start() {
  for (std::size_t w = 0; w < workers_.size(); ++w) ask(w, Picos{0});
  std::vector<Order> orders;
  order_released(Picos{0}, orders);
  return orders;
}

void Gate::ask(std::size_t w, Picos now) {
  Worker& worker = workers_[w];
  worker.doing = Doing::asking;
  worker.asked = now;
  notify_scheme(GateEvent::Kind::asked, w, worker.iteration, now);
}

void Gate::finish(std::size_t w, Picos now) {
  workers_[w].doing = Doing::finished;
  ++finished_;
  notify_scheme(GateEvent::Kind::finished, w, workers_[w].iteration, now);
}

/// Number of the slice among those of all servers.
std::size_t Gate::transfer_of(const TransferKey& key) const {
  std::size_t number = key.slice;
  if (job_.by_keys()) return number;  // of any owner
  for (const Served& server : job_.servers)
    if (server.node < key.server) number += server.slices.size();
  return number;
}

std::vector<Order> Gate::pushed(const TransferKey& key, Picos now) {
  const std::size_t w = number_of(key.worker);
  const auto s = static_cast<std::size_t>(job_.server_at(key.server) - job_.servers.data());
  Worker& worker = workers_.at(w);
  auto& at_server = pushes_at_.at(s);
  if (at_server.size() <= key.iteration) at_server.resize(key.iteration + std::size_t{1});
  char& has_push = worker.has_push.at(transfer_of(key));
  if (has_push != 0 || key.iteration != worker.iteration)
    throw Error(ErrorKind::internal, "the " + describe(key) + ", came to the gate twice or out of turn; iteration " +
                                         std::to_string(worker.iteration) + " goes on");
  has_push = 1;
  ++at_server[key.iteration];
  if (++worker.pushes_in < worker.has_push.size()) return {};
  worker.pushes_in = 0;
  std::fill(worker.has_push.begin(), worker.has_push.end(), 0);
  worker.push_open = true;
  measures_.pushed(w, now);
  notify_scheme(GateEvent::Kind::pushed, w, key.iteration, now);
  ++worker.iteration;
  if (ended_)
    finish(w, now);
  else
    ask(w, now);
  std::vector<Order> orders;
  order_released(now, orders);
  return orders;
}

void Gate::take_verdicts(const GateActions& actions, Picos now) {
  std::uint32_t together = 0;  // of the present update, still to come
  std::uint64_t base = version_;
  for (const Verdict& verdict : actions.pushes) {
    Worker& worker = workers_.at(verdict.worker);
    if (!worker.push_open || verdict.iteration >= job_.iterations)
      throw Error(ErrorKind::internal, "the scheme decided on iteration " + std::to_string(verdict.iteration) +
                                           " of worker " + std::to_string(verdict.worker) + ", which has no open push");
    if (verdict.what == Verdict::What::hold) continue;
    worker.push_open = false;
    const std::uint32_t divisor =
        rules_.entry.mean_of_members ? verdict.members : static_cast<std::uint32_t>(workers_.size());
    if (job_.memory == ServerMemory::model && job_.payload != PayloadMode::none)
      decisions_.push_back({verdict.what == Verdict::What::apply ? PastEvent::What::applied : PastEvent::What::dropped,
                            job_.workers[verdict.worker],
                            {},
                            verdict.iteration,
                            job_.learning ? static_cast<std::int32_t>(samples(worker)) : 0,
                            divisor});
    if (verdict.what == Verdict::What::drop) {
      measures_.dropped(now);
      continue;
    }
    if (together == 0) together = verdict.members, base = version_;
    --together;
    ++version_;
    if (together == 0 && job_.learning) whole_updates_.emplace_back(now, version_);
    ++worker.clock;
    const bool local = rules_.entry.compute == ComputeStart::local_steps;
    measures_.applied(base - std::min(base, worker.seen), now);
    if (!local) measures_.step(now);
  }
  if (versions_.empty() || versions_.back().second != version_) {
    if (!versions_.empty() && versions_.back().first == now)
      versions_.back().second = version_;
    else
      versions_.emplace_back(now, version_);
  }
}

void Gate::take(const GateActions& actions, Picos now) {
  take_verdicts(actions, now);
  if (actions.timer != never<Ticks>) timer_ = Picos{actions.timer.n};
  if (actions.grants.empty()) return;
  std::uint32_t slowest = ~std::uint32_t{0};
  for (const Worker& worker : workers_)
    if (active(worker)) slowest = std::min(slowest, worker.clock);
  for (const Grant& grant : actions.grants) {
    Worker& worker = workers_.at(grant.worker);
    if (worker.doing != Doing::asking)
      throw Error(ErrorKind::internal,
                  "the scheme released worker " + std::to_string(grant.worker) + ", which doesn't ask");
    worker.seen = worker.granted_version = version_;
    worker.seen_known = false;
    worker.granted = now;
    worker.blocked = now - worker.asked;
    worker.batch = grant.batch;
    worker.steps.quota = grant.quota;
    worker.steps.ahead = grant.ahead;
    if (worker.iteration > 0) measures_.granted(worker.asked, now);
    if (rules_.on_grant) rules_.on_grant({job_.workers[grant.worker], worker.iteration, worker.asked, now});
    measures_.gap(worker.clock - slowest);
    worker.doing = pulls(worker.iteration) ? Doing::pulling : Doing::computing_or_pushing;
    released_[worker.iteration].push_back(grant.worker);
  }
}

/// Orders for all that was released at this event.
void Gate::order_released(Picos now, std::vector<Order>& orders) {
  while (!released_.empty()) {
    std::vector<std::size_t> over;
    for (auto& [iteration, workers] : std::exchange(released_, {})) {
      std::sort(workers.begin(), workers.end());  // released together: in ascending order
      std::vector<Node> nodes;
      for (const std::size_t w : workers) nodes.push_back(job_.workers[w]);
      if (iteration == job_.iterations) over = workers;
      if (pulls(iteration))
        orders.push_back({Order::What::release, phases() ? iteration - 1 : iteration, std::move(nodes)});
      else if (rules_.entry.compute != ComputeStart::local_steps)
        orders.push_back({Order::What::compute, 0, std::move(nodes)});
      else
        for (const std::size_t w : workers) go_on(w, orders);
    }
    for (const std::size_t w : over)  // it has the final model to pull, and counts for others no more
      notify_scheme(GateEvent::Kind::finished, w, workers_[w].iteration, now);
  }
}

std::uint64_t Gate::version_at(Picos at) const {
  const auto later = std::upper_bound(versions_.begin(), versions_.end(), at,
                                      [](Picos t, const auto& entry) { return t < entry.first; });
  return later == versions_.begin() ? 0 : std::prev(later)->second;
}

std::optional<Node> Gate::undecided() const {
  for (std::size_t w = 0; w < workers_.size(); ++w)
    if (workers_[w].push_open) return job_.workers[w];
  return std::nullopt;
}

std::vector<PastEvent> Gate::decisions() const {
  std::vector<PastEvent> all = decisions_;
  for (std::size_t w = 0; w < workers_.size(); ++w)
    if (workers_[w].push_open)
      all.push_back({PastEvent::What::dropped,
                     job_.workers[w],
                     {},
                     workers_[w].iteration - 1,
                     static_cast<std::int32_t>(job_.learning ? samples(workers_[w]) : 0)});
  return all;
}

void Gate::pull_began(Node node, Picos at) {
  Worker& worker = workers_.at(number_of(node));
  const std::uint64_t version = version_at(at);
  worker.seen = worker.seen_known ? std::min(worker.seen, version) : version;
  worker.seen_known = true;
}

std::vector<Order> Gate::pulled(Node node, std::uint32_t iteration, Picos now) {
  const std::size_t w = number_of(node);
  Worker& worker = workers_.at(w);
  std::vector<Order> orders;
  worker.pull_time = now - worker.granted;
  if (iteration + phases() == job_.iterations) {
    worker.doing = Doing::finished;
    ++finished_;
    return orders;
  }
  if (rules_.entry.compute == ComputeStart::local_steps) {
    worker.doing = Doing::computing_or_pushing;
    worker.steps.model_here = true;
    if (worker.steps.running) return orders;
    if (ended_)
      finish(w, now);
    else
      go_on(w, orders);
    order_released(now, orders);
    return orders;
  }
  if (ended_)
    finish(w, now);
  else
    begin_computing(w, orders);
  order_released(now, orders);
  return orders;
}

void Gate::begin_computing(std::size_t w, std::vector<Order>& orders) {
  Worker& worker = workers_[w];
  worker.doing = Doing::waiting_for_others;
  if (rules_.entry.compute == ComputeStart::after_own_pull) {
    worker.doing = Doing::computing_or_pushing;
    orders.push_back({Order::What::compute, worker.iteration, {job_.workers[w]}});
    return;
  }
  const bool all = std::all_of(workers_.begin(), workers_.end(), [&](const Worker& other) {
    return !active(other) || (other.doing == Doing::waiting_for_others && other.iteration == worker.iteration);
  });
  if (!all) return;
  std::vector<Node> ready;
  for (std::size_t other = 0; other < workers_.size(); ++other) {
    if (!active(workers_[other])) continue;
    workers_[other].doing = Doing::computing_or_pushing;
    ready.push_back(job_.workers[other]);
  }
  orders.push_back({Order::What::compute, worker.iteration, std::move(ready)});
}

std::vector<Order> Gate::left(const NodeDeath& death, Picos now) {
  const std::size_t w = number_of(death.node);
  std::vector<Order> orders;
  if (!active(workers_[w])) return orders;
  const bool had_its_last_grant = workers_[w].doing == Doing::pulling && workers_[w].iteration == job_.iterations;
  workers_[w].doing = Doing::gone;
  ++finished_;
  measures_.left();
  if (had_its_last_grant) return orders;
  try {
    notify_scheme(GateEvent::Kind::left, w, workers_[w].iteration, now);
  } catch (const Error& error) {
    throw Error(error.kind(), describe(death) + ": " + error.what());
  }
  order_released(now, orders);  // those that waited for it
  return orders;
}

std::vector<Order> Gate::wake(Picos now) {
  if (timer_ <= now) {
    timer_ = never<Picos>;
    notify_scheme(GateEvent::Kind::timer, 0, 0, now);
  }
  if (!ended_ && now >= rules_.duration) {
    ended_ = true;
    for (std::size_t w = 0; w < workers_.size(); ++w)
      if (workers_[w].doing == Doing::asking || workers_[w].doing == Doing::waiting_for_others) finish(w, now);
  }
  std::vector<Order> orders;
  order_released(now, orders);
  return orders;
}

std::uint32_t Gate::samples(const Worker& worker) const {
  return worker.batch > 0 ? worker.batch : job_.learning->batch;
}

Picos Gate::compute_time(Node node, std::uint32_t iteration) const {
  const std::size_t w = number_of(node);
  return batch_time(workers_[w], rules_.compute_of(w, iteration)) + rules_.fixed;
}

/// What takes `time` with the usual batch, with that of the worker.
Picos Gate::batch_time(const Worker& worker, Picos time) const {
  __extension__ using Wide = __int128;
  const std::uint32_t batch = worker.batch, usual = rules_.settings.batch;
  if (batch == 0 || usual == 0) return time;
  return Picos{static_cast<std::int64_t>((Wide{time.n} * batch + usual / 2) / usual)};
}

std::string Gate::describe_worker(const Worker& worker) const {
  const std::string k = std::to_string(worker.iteration);
  const std::string previous = std::to_string(worker.iteration == 0 ? 0 : worker.iteration - 1);
  switch (worker.doing) {
    case Doing::waiting_to_start:
      return "waits to start";
    case Doing::computing_or_pushing:
      return "computes or pushes in iteration " + k + ", " + std::to_string(worker.pushes_in) + " of " +
             std::to_string(worker.has_push.size()) +
             (worker.has_push.size() == job_.servers.size() ? " servers have its push" : " slices of its push are in");
    case Doing::asking:
      return "waits at the gate for iteration " + k;
    case Doing::pulling:
      return worker.iteration == 0 ? "pulls the model that it starts with"
                                   : "pulls what iteration " + previous + " made";
    case Doing::waiting_for_others:
      return "waits for the others to pull before it computes iteration " + k;
    case Doing::finished:
      return "has finished";
    case Doing::gone:
      return "has left";
  }
  return "?";
}

std::string Gate::state_of(Node node) const {
  std::string text;
  if (const int w = job_.worker_index(node); w >= 0)
    text = "worker " + describe_worker(workers_[static_cast<std::size_t>(w)]);
  if (const Served* server = job_.server_at(node)) {
    const auto& pushes = pushes_at_[static_cast<std::size_t>(server - job_.servers.data())];
    std::size_t k = 0;
    const std::size_t all = job_.workers.size() * server->slices.size();
    while (k + 1 < job_.iterations && k < pushes.size() && pushes[k] == all) ++k;
    text += (text.empty() ? "" : ", ") + std::string("server has ") +
            std::to_string(k < pushes.size() ? pushes[k] : 0) + " of " + std::to_string(all) + " pushes of iteration " +
            std::to_string(k);
  }
  return text;
}

std::string Gate::summary() const {
  const auto slowest = std::min_element(workers_.begin(), workers_.end(), [](const Worker& a, const Worker& b) {
    return std::pair(a.iteration, a.doing) < std::pair(b.iteration, b.doing);
  });
  const auto w = static_cast<std::size_t>(slowest - workers_.begin());
  return "worker " + std::to_string(index(job_.workers[w])) + ": " + describe_worker(*slowest);
}

}  // namespace ocs
