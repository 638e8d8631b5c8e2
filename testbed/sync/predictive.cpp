// Predictive synchronisation: local steps back to back, pushed at quotas that are predicted to end at one moment.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "testbed/sync/ledger.hpp"
#include "testbed/sync/moment.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

class Predictive : public SyncScheme {
 public:
  Predictive(std::uint16_t workers, const SyncSettings& settings)
      : ledger_("predictive", workers), settings_(settings), workers_(workers, Worker(settings)) {
    require_range("sync.quota", settings.most_quota, 1, 256);
    require_range("sync.ema_shift", settings.ema_shift, 0, 16);
    require_range("sync.ahead", settings.ahead, 1, 64);
  }

  GateActions on(const GateEvent& event) override {
    GateEvent taken = event;
    taken.seen = 0;  // the ledger's is a version; here it counts steps
    ledger_.take(taken);
    if (event.kind == GateEvent::Kind::computed) take_step(event);
    if (event.kind == GateEvent::Kind::pushed) take_push(event);
    GateActions actions;
    synchronise(actions);
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w) {
      if (!ledger_.asking(w) || ledger_.pushed(w)) continue;
      if (ledger_.clock(w) == 0) workers_[w].begin = ledger_.now();
      ledger_.grant(actions, w, workers_[w].quota, settings_.ahead);
    }
    return actions;
  }

 private:
  struct Worker {
    explicit Worker(const SyncSettings& settings) : length(settings.ema_shift) {}
    MovingAverage length;  ///< of a step
    std::uint32_t quota = 1;
    std::uint64_t steps = 0, delivered = 0;  ///< ended; in pushes
    Ticks begin, pull;                       ///< of its running step; how long its last pull took
    std::optional<Ticks> answered;           ///< when its last push was, and its pull began
  };

  void take_step(const GateEvent& event) {
    Worker& worker = workers_[event.worker];
    if (event.iteration != worker.steps)
      ledger_.broken(event.worker, "ends step " + std::to_string(event.iteration) + ", but step " +
                                       std::to_string(worker.steps) + " is next");
    ++worker.steps;
    worker.length.add(event.compute);
    worker.begin = event.at;
    check_ahead(event.worker);
  }

  void take_push(const GateEvent& event) {
    Worker& worker = workers_[event.worker];
    if (event.seen > worker.steps || event.seen < worker.delivered + worker.quota)
      ledger_.broken(event.worker, "pushes its steps up to " + std::to_string(event.seen) + " of " +
                                       std::to_string(worker.steps) + "; its quota of " + std::to_string(worker.quota) +
                                       " counts from " + std::to_string(worker.delivered));
    // A worker that stalled began its running step when the model was here, not at the end of the step before.
    const bool may_have_stalled = worker.answered && worker.steps - worker.delivered >= settings_.ahead;
    if (may_have_stalled) worker.begin = std::max(worker.begin, *worker.answered + event.net);
    worker.delivered = event.seen;
    worker.pull = event.net;
    check_ahead(event.worker);
  }

  void check_ahead(std::uint16_t w) const {
    const Worker& worker = workers_[w];
    if (ledger_.pushed(w) && worker.steps - worker.delivered > settings_.ahead)
      ledger_.broken(w, "is " + std::to_string(worker.steps - worker.delivered) +
                            " steps past a push that isn't answered; at most " + std::to_string(settings_.ahead) +
                            " are allowed");
  }

  void synchronise(GateActions& actions) {
    std::vector<std::uint16_t> members, remain;
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w) {
      if (ledger_.pushed(w))
        members.push_back(w);
      else if (ledger_.active(w))
        return;
      if (ledger_.active(w)) remain.push_back(w);
    }
    ledger_.apply(actions, members, Ledger::no_bound);
    if (members.empty() || remain.empty()) return;
    std::vector<std::vector<Ticks>> ends;
    ends.reserve(remain.size());
    for (const std::uint16_t w : remain) ends.push_back(predicted_ends(workers_[w]));
    const Moment moment = choose_moment(ends, settings_.objective);
    for (std::size_t i = 0; i < remain.size(); ++i) {
      Worker& worker = workers_[remain[i]];
      worker.quota = static_cast<std::uint32_t>(worker.steps - worker.delivered) + moment.quota[i];
      worker.answered = ledger_.now();
    }
  }

  std::vector<Ticks> predicted_ends(const Worker& worker) const {
    const bool stalled = worker.steps - worker.delivered >= settings_.ahead;
    const Ticks begin = stalled ? ledger_.now() + worker.pull : worker.begin;
    std::vector<Ticks> ends;
    for (std::uint32_t k = 1; k <= settings_.most_quota; ++k)
      ends.push_back(std::max(ledger_.now(), begin + worker.length.value() * k));
    return ends;
  }

  Ledger ledger_;
  SyncSettings settings_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<SyncScheme> make_predictive(std::uint16_t workers, const SyncSettings& settings) {
  return std::make_unique<Predictive>(workers, settings);
}

std::string predictive_text(const SyncSettings& s) {
  return "quota=" + std::to_string(s.most_quota) + " ahead=" + std::to_string(s.ahead) +
         " objective=" + std::string(name_of(s.objective)) + " ema_shift=" + std::to_string(s.ema_shift);
}

}  // namespace ocs
