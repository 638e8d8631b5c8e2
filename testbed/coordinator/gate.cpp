// The gate of the synchronisation scheme and the barrier before computing.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/gate.hpp"

#include <algorithm>
#include <map>

namespace ocs {
Gate::Gate(const NodeJob& job, const SyncEntry& entry)
    : job_(job),
      compute_(entry.compute),
      scheme_(entry.make(static_cast<std::uint16_t>(job.workers.size()), SyncSettings{})),
      workers_(job.workers.size()),
      pushes_at_(job.servers.size(), std::vector<std::size_t>(job.iterations)) {}

GateEvent Gate::event(GateEvent::Kind kind, std::size_t worker, std::uint32_t iteration, Picos now) const {
  return {kind,      Ticks{now.n},          static_cast<std::uint16_t>(worker),
          iteration, workers_[worker].seen, Ticks{job_.compute.n},
          Ticks{0}};
}

std::vector<Order> Gate::start() {
  GateActions actions;
  for (std::size_t w = 0; w < workers_.size(); ++w) ask(w, 0, Picos{0}, actions);
  return orders(actions);
}

void Gate::ask(std::size_t worker, std::uint32_t iteration, Picos now, GateActions& actions) {
  workers_[worker].doing = Doing::asking;
  workers_[worker].iteration = iteration;
  const auto more = scheme_->on(event(GateEvent::Kind::asked, worker, iteration, now));
  actions.grants.insert(actions.grants.end(), more.grants.begin(), more.grants.end());
}

std::vector<Order> Gate::pushed(const TransferKey& key, Picos now) {
  const auto w = static_cast<std::size_t>(job_.worker_index(key.worker));
  const auto s = static_cast<std::size_t>(job_.server_at(key.server) - job_.servers.data());
  ++pushes_at_.at(s).at(key.iteration);
  Worker& worker = workers_.at(w);
  if (++worker.pushes_in < job_.servers.size()) return {};
  worker.pushes_in = 0;
  GateActions actions = scheme_->on(event(GateEvent::Kind::pushed, w, key.iteration, now));
  ask(w, key.iteration + 1, now, actions);
  return orders(actions);
}

std::vector<Order> Gate::pulled(Node node, std::uint32_t iteration) {
  const auto w = static_cast<std::size_t>(job_.worker_index(node));
  Worker& worker = workers_.at(w);
  if (iteration + 1 == job_.iterations) {
    worker.doing = Doing::finished;
    ++finished_;
    return {};
  }
  worker.doing = Doing::waiting_for_others;
  if (compute_ == ComputeStart::after_own_pull) {
    worker.doing = Doing::computing_or_pushing;
    return {{Order::What::compute, iteration + 1, {node}}};
  }
  const bool all = std::all_of(workers_.begin(), workers_.end(), [&](const Worker& other) {
    return other.doing == Doing::waiting_for_others && other.iteration == iteration + 1;
  });
  if (!all) return {};
  for (Worker& other : workers_) other.doing = Doing::computing_or_pushing;
  return {{Order::What::compute, iteration + 1, job_.workers}};
}

std::vector<Order> Gate::orders(const GateActions& actions) {
  for (const Verdict& verdict : actions.pushes)
    if (verdict.what == Verdict::What::apply) ++version_;
  std::map<std::uint32_t, std::vector<Node>> granted;
  for (const Grant& grant : actions.grants) {
    Worker& worker = workers_.at(grant.worker);
    worker.seen = version_;  // no update comes between the grant and the pull: the scheme is BSP
    worker.doing = worker.iteration == 0 ? Doing::computing_or_pushing : Doing::pulling;
    granted[worker.iteration].push_back(job_.workers[grant.worker]);
  }
  std::vector<Order> result;
  for (auto& [iteration, workers] : granted) {
    std::sort(workers.begin(), workers.end());  // released together: in ascending order
    if (iteration == 0)
      result.push_back({Order::What::compute, 0, std::move(workers)});
    else
      result.push_back({Order::What::release, iteration - 1, std::move(workers)});
  }
  return result;
}

std::string Gate::describe_worker(const Worker& worker) const {
  const std::string k = std::to_string(worker.iteration);
  const std::string previous = std::to_string(worker.iteration == 0 ? 0 : worker.iteration - 1);
  switch (worker.doing) {
    case Doing::waiting_to_start:
      return "waits to start";
    case Doing::computing_or_pushing:
      return "computes or pushes in iteration " + k + ", " + std::to_string(worker.pushes_in) + " of " +
             std::to_string(job_.servers.size()) + " servers have its push";
    case Doing::asking:
      return "waits at the gate for iteration " + k;
    case Doing::pulling:
      return "pulls what iteration " + previous + " made";
    case Doing::waiting_for_others:
      return "waits for the others to pull before it computes iteration " + k;
    case Doing::finished:
      return "has finished";
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
    while (k + 1 < pushes.size() && pushes[k] == job_.workers.size()) ++k;
    text += (text.empty() ? "" : ", ") + std::string("server has ") + std::to_string(pushes[k]) + " of " +
            std::to_string(job_.workers.size()) + " pushes of iteration " + std::to_string(k);
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
