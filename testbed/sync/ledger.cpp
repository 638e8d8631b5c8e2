// One check a rule of the life cycle.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/ledger.hpp"

#include <algorithm>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

std::string iteration_of(std::uint32_t iteration) { return "iteration " + std::to_string(iteration); }

}  // namespace

Ledger::Ledger(std::string scheme, std::uint16_t workers) : scheme_(std::move(scheme)), workers_(workers) {
  require_range("job.workers", workers, 1, std::numeric_limits<std::uint16_t>::max());
}

void Ledger::broken(std::uint16_t worker, const std::string& what) const {
  throw Error(ErrorKind::internal, scheme_ + ": worker " + std::to_string(worker) + " " + what);
}

void Ledger::take(const GateEvent& event) {
  if (event.at < now_) broken(event.worker, "is told of at " + std::to_string(event.at.n) + ", which is in the past");
  now_ = event.at;
  if (event.kind == GateEvent::Kind::timer) return;
  if (event.worker >= workers_.size()) broken(event.worker, "isn't one of " + std::to_string(workers_.size()));
  Worker& worker = workers_[event.worker];
  if (!worker.active) broken(event.worker, "does something after it has finished or left");
  switch (event.kind) {
    case GateEvent::Kind::asked:
      if (worker.asking || worker.running || event.iteration != worker.pushes)
        broken(event.worker, "asks for " + iteration_of(event.iteration) + " out of its turn, " +
                                 iteration_of(worker.pushes) + (worker.running ? " goes on" : " is next"));
      worker.asking = true;
      worker.asked_at = event.at;
      break;
    case GateEvent::Kind::pushed:
      take_push(event, worker);
      break;
    case GateEvent::Kind::finished:
    case GateEvent::Kind::left:
      worker.active = worker.asking = worker.running = false;
      break;
    case GateEvent::Kind::computed:
    case GateEvent::Kind::timer:
      break;
  }
}

void Ledger::take_push(const GateEvent& event, Worker& worker) {
  if (!worker.running || event.iteration != worker.pushes)
    broken(event.worker, "pushes " + iteration_of(event.iteration) + " out of its turn, " +
                             iteration_of(worker.pushes) + (worker.running ? " goes on" : " wasn't granted"));
  if (event.seen > version_)
    broken(event.worker, "pushes what was made from version " + std::to_string(event.seen) + ", but the model is at " +
                             std::to_string(version_));
  worker.running = false;
  worker.push_waits = true;
  worker.seen = event.seen;
  worker.interval = event.at - worker.granted_at;
  ++worker.pushes;
}

void Ledger::grant(GateActions& actions, std::uint16_t w, std::uint32_t quota, std::uint32_t ahead,
                   std::uint32_t batch) {
  Worker& worker = workers_[w];
  if (!worker.asking || worker.push_waits) broken(w, "is granted what it can't begin");
  worker.asking = false;
  worker.running = true;
  worker.granted_at = now_;
  actions.grants.push_back({w, quota, ahead, batch});
}

Ledger::Worker& Ledger::resolve(std::uint16_t w) {
  Worker& worker = workers_[w];
  if (!worker.push_waits) broken(w, "has no push that could be applied or dropped");
  worker.push_waits = false;
  return worker;
}

void Ledger::apply(GateActions& actions, const std::vector<std::uint16_t>& members, std::uint64_t stale_bound) {
  for (const std::uint16_t w : members) {
    Worker& worker = resolve(w);
    const std::uint64_t stale = version_ - worker.seen;
    if (stale > stale_bound)
      broken(w, "pushes " + iteration_of(worker.pushes - 1) + " with staleness " + std::to_string(stale) +
                    "; at most " + std::to_string(stale_bound) + " is promised");
    ++worker.clock;
    actions.pushes.push_back({w, worker.pushes - 1, Verdict::What::apply, static_cast<std::uint32_t>(members.size())});
  }
  version_ += members.size();
}

void Ledger::hold(GateActions& actions, std::uint16_t w) const {
  actions.pushes.push_back({w, workers_[w].pushes - 1, Verdict::What::hold, 0});
}

void Ledger::drop(GateActions& actions, std::uint16_t w) {
  const Worker& worker = resolve(w);
  actions.pushes.push_back({w, worker.pushes - 1, Verdict::What::drop, 0});
}

std::uint16_t Ledger::active_workers() const {
  return static_cast<std::uint16_t>(
      std::count_if(workers_.begin(), workers_.end(), [](const Worker& w) { return w.active; }));
}

std::uint32_t Ledger::least_clock() const {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (const Worker& worker : workers_)
    if (worker.active) least = std::min(least, worker.clock);
  return least == std::numeric_limits<std::uint32_t>::max() ? 0 : least;
}

void require_range(const std::string& what, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value < low || value > high)
    throw Error(ErrorKind::input, what + " is " + std::to_string(value) + ", but must be from " + std::to_string(low) +
                                      " to " + std::to_string(high));
}

}  // namespace ocs
