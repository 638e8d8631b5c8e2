// Workers that take local steps, push at their quota, and merge the model when it is here.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "testbed/sync/catalogue.hpp"
#include "tests/sync/abstract_run.hpp"
#include "tests/sync/agenda.hpp"

namespace ocs::abstract {
namespace {

using PredictiveKind = GateEvent::Kind;

class PredictiveRun {
 public:
  explicit PredictiveRun(const Input& input)
      : input_(input),
        scheme_(find(sync_schemes(), "predictive", "synchronisation scheme")
                    .make(static_cast<std::uint16_t>(input.compute.size()), input.settings)),
        workers_(input.compute.size()) {}

  PredictiveOutput go() {
    for (std::uint16_t w = 0; w < workers_.size(); ++w) notify_scheme(PredictiveKind::asked, w, 0, 0);
    while (agenda_.next().at <= input_.horizon.value()) {
      const Event event = agenda_.next();
      agenda_.drop();
      now_ = event.at;
      if (event.kind == Moves::push_in) push_in(event.worker);
      if (event.kind == Moves::pulled) model_is_here(event.worker);
      if (event.kind == Moves::computed) step_ends(event.worker);
    }
    for (const Worker& worker : workers_) output_.steps_done.push_back(worker.steps);
    return std::move(output_);
  }

 private:
  struct Worker {
    std::int64_t steps = 0, covered = 0, quota = 0;  ///< covered: steps in the pushes that it has sent
    std::uint32_t pushes = 0;
    bool waits = false, model_here = false, stalled = true;
  };

  std::int64_t step_length(std::uint16_t w) const {
    const auto& times = input_.compute[w];
    return times[static_cast<std::size_t>(workers_[w].steps) % times.size()];
  }

  void notify_scheme(PredictiveKind kind, std::uint16_t w, std::uint32_t iteration, std::int64_t compute) {
    const auto covered = static_cast<std::uint64_t>(workers_[w].covered);
    const GateActions actions =
        scheme_->on({kind, Ticks{now_}, w, iteration, covered, Ticks{compute}, Ticks{0}, Ticks{input_.net.pull}});
    if (!actions.pushes.empty()) {
      Sync sync{now_, {}, {}};
      for (const Worker& worker : workers_) {
        sync.quota.push_back(worker.quota);
        sync.carried.push_back(worker.steps - worker.covered);
      }
      output_.syncs.push_back(sync);
    }
    for (const Grant& grant : actions.grants) {
      Worker& worker = workers_[grant.worker];
      worker.quota = grant.quota;
      if (worker.pushes == 0)
        begin_step(grant.worker);
      else
        agenda_.add(now_ + input_.net.pull, Moves::pulled, grant.worker);
    }
  }

  void begin_step(std::uint16_t w) {
    workers_[w].stalled = false;
    agenda_.add(now_ + step_length(w), Moves::computed, w);
  }

  void push_in(std::uint16_t w) {
    notify_scheme(PredictiveKind::pushed, w, workers_[w].pushes, 0);
    ++workers_[w].pushes;
    notify_scheme(PredictiveKind::asked, w, workers_[w].pushes, 0);
  }

  void model_is_here(std::uint16_t w) {
    workers_[w].model_here = true;
    if (workers_[w].stalled) go_on(w);
  }

  void step_ends(std::uint16_t w) {
    const std::int64_t length = step_length(w);
    ++workers_[w].steps;
    notify_scheme(PredictiveKind::computed, w, static_cast<std::uint32_t>(workers_[w].steps - 1), length);
    go_on(w);
  }

  void go_on(std::uint16_t w) {
    Worker& worker = workers_[w];
    if (worker.waits && worker.model_here) {
      worker.waits = worker.model_here = false;
      output_.merges.push_back({w, now_, worker.steps});
    }
    if (!worker.waits && worker.steps - worker.covered >= worker.quota) {
      worker.covered = worker.steps;
      worker.waits = true;
      agenda_.add(now_ + input_.net.push, Moves::push_in, w);
    }
    if (worker.waits) output_.max_ahead = std::max(output_.max_ahead, worker.steps - worker.covered);
    worker.stalled = worker.waits && worker.steps - worker.covered >= input_.settings.ahead;
    if (!worker.stalled) begin_step(w);
  }

  const Input& input_;
  std::unique_ptr<SyncScheme> scheme_;
  std::vector<Worker> workers_;
  Agenda agenda_;
  PredictiveOutput output_;
  std::int64_t now_ = 0;
};

}  // namespace

PredictiveOutput run_predictive(const Input& input) { return PredictiveRun(input).go(); }

}  // namespace ocs::abstract
