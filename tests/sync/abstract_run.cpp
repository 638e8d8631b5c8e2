// One handler a kind of event.
// SPDX-License-Identifier: Apache-2.0
#include "tests/sync/abstract_run.hpp"

#include <algorithm>
#include <memory>

#include "testbed/sync/catalogue.hpp"
#include "tests/sync/agenda.hpp"

namespace ocs::abstract {
namespace {

using Kind = GateEvent::Kind;

/// One direction of the server's port.
struct Side {
  std::int64_t free = 0, dark = 0;
  std::optional<std::uint16_t> peer;
};

class AbstractRun {
 public:
  explicit AbstractRun(const Input& input)
      : input_(input),
        entry_(find(sync_schemes(), input.scheme, "synchronisation scheme")),
        scheme_(entry_.make(static_cast<std::uint16_t>(input.compute.size()), input.settings)),
        workers_(input.compute.size()) {}

  Output go() {
    for (std::uint16_t w = 0; w < workers_.size(); ++w) notify_scheme(Kind::asked, w);
    start_granted();
    while (!agenda_.empty() && (!input_.horizon || agenda_.next().at <= *input_.horizon)) {
      const Event event = agenda_.next();
      agenda_.drop();
      now_ = event.at;
      handle(event);
      start_granted();
    }
    output_.all_finished = std::all_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.finished; });
    return std::move(output_);
  }

 private:
  struct Worker {
    Push row{};  ///< of the iteration that goes on
    std::uint32_t iteration = 0, clock = 0;
    std::int64_t quota = 1, arrival = 0;
    std::optional<std::int64_t> length;  ///< moving average of push - grant
    bool ready = false, held = false, finished = false;
    bool starts = false;  ///< its pull has been scheduled to start
  };

  bool done(std::uint16_t w) const { return !input_.horizon && workers_[w].iteration == input_.compute[w].size(); }

  void notify_scheme(Kind kind, std::uint16_t w) {
    const Worker& worker = workers_[w];
    const auto iteration = worker.iteration;
    const std::int64_t compute = worker.row.computed - worker.row.pulled;
    const GateActions actions =
        scheme_->on({kind, Ticks{now_}, w, iteration, worker.row.seen, Ticks{compute}, Ticks{0}});
    const bool held = !actions.pushes.empty() && actions.pushes[0].what == Verdict::What::hold;
    if (kind == Kind::pushed && !held) list_push(workers_[w]);
    take_verdicts(actions);
    granted_.insert(granted_.end(), actions.grants.begin(), actions.grants.end());
    if (actions.timer != never<Ticks>) agenda_.add(actions.timer.n, Moves::timer, 0);
  }

  /// A push is listed when it arrives, one that is held when it is applied.
  void list_push(Worker& worker) {
    worker.row.push = now_;
    worker.row.stale = version_ - worker.row.seen;
    worker.row.applied = true;
    output_.pushes.push_back(worker.row);
  }

  void take_verdicts(const GateActions& actions) {
    std::vector<std::uint16_t> members;
    for (const Verdict& verdict : actions.pushes) {
      Worker& worker = workers_[verdict.worker];
      if (verdict.what == Verdict::What::hold) worker.held = true;
      if (verdict.what == Verdict::What::drop) output_.pushes.back().applied = false;
      if (verdict.what != Verdict::What::apply) continue;
      if (worker.held) list_push(worker);
      worker.held = false;
      ++version_;
      ++worker.clock;
      members.push_back(verdict.worker);
    }
    if (!members.empty()) output_.rounds.push_back({now_, members});
  }

  /// Everything that was granted at this event.
  void start_granted() {
    if (granted_.size() == workers_.size() && now_ > 0) end_super_step();
    while (!granted_.empty()) {
      const std::vector<Grant> batch = std::move(granted_);
      granted_.clear();
      for (const Grant& grant : batch) start(grant);
      for (const Grant& grant : batch)
        if (done(grant.worker)) {
          workers_[grant.worker].finished = true;
          notify_scheme(Kind::finished, grant.worker);
        }
    }
  }

  void end_super_step() {
    SuperStep step{now_, {}, 0};
    for (const Worker& worker : workers_) {
      step.quota.push_back(worker.quota);
      step.wait_total += now_ - worker.arrival;
    }
    output_.super_steps.push_back(step);
  }

  void start(const Grant& grant) {
    Worker& worker = workers_[grant.worker];
    worker.quota = grant.quota;
    output_.grants.push_back({grant.worker, now_, gap()});
    std::uint32_t slowest = worker.clock;
    for (std::uint16_t w = 0; w < workers_.size(); ++w)
      if (!workers_[w].finished) slowest = std::min(slowest, workers_[w].clock);
    output_.widest_gap = std::max(output_.widest_gap, worker.clock - slowest);
    if (done(grant.worker)) return;
    worker.row = {grant.worker, worker.iteration, now_, 0, 0, 0, 0, 0, false};
    worker.starts = false;
    agenda_.add(now_, Moves::pull_starts, grant.worker);
  }

  std::int64_t gap() const {
    std::int64_t longest = 0;
    for (const Worker& worker : workers_) {
      if (!worker.length) return 0;
      longest = std::max(longest, *worker.length);
    }
    return input_.settings.r_num * longest /
           (std::int64_t{input_.settings.r_den} * static_cast<std::int64_t>(workers_.size()));
  }

  /// The instant at which a transfer of `w` on `side` starts, and how long it takes; the side is taken so long.
  std::pair<std::int64_t, std::int64_t> reserve(Side& side, std::uint16_t w, std::int64_t alone) const {
    if (!input_.net.circuit) return {now_, alone};
    const std::int64_t dark = side.peer == w ? 0 : input_.net.delta;
    const std::int64_t begin = std::max(now_, side.free);
    side.dark += dark;
    side.peer = w;
    side.free = begin + dark + input_.net.tx;
    return {begin, dark + input_.net.tx};
  }

  void handle(const Event& event) {
    Worker& worker = workers_[event.worker];
    switch (event.kind) {
      case Moves::push_in:
        push_in(event.worker);
        break;
      case Moves::pull_starts:
        if (!worker.starts) {
          const auto [begin, length] = reserve(send_, event.worker, input_.net.pull);
          output_.dark_send = send_.dark;
          worker.starts = true;
          agenda_.add(begin + length, Moves::pulled, event.worker);
          if (begin > now_) {
            agenda_.add(begin, Moves::pull_starts, event.worker);
            break;
          }
        }
        worker.row.seen = version_;
        break;
      case Moves::pulled:
        worker.row.pulled = now_;
        begin_computing(event.worker);
        break;
      case Moves::computed: {
        worker.row.computed = now_;
        const auto [begin, length] = reserve(receive_, event.worker, input_.net.push);
        output_.dark_receive = receive_.dark;
        agenda_.add(begin + length, Moves::push_in, event.worker);
        break;
      }
      case Moves::timer:
        notify_scheme(Kind::timer, 0);
        break;
    }
  }

  void push_in(std::uint16_t w) {
    Worker& worker = workers_[w];
    worker.arrival = now_;
    const std::int64_t length = now_ - worker.row.grant;
    worker.length = worker.length ? *worker.length + ((length - *worker.length) >> input_.settings.ema_shift) : length;
    notify_scheme(Kind::pushed, w);
    ++worker.iteration;
    notify_scheme(Kind::asked, w);
  }

  void begin_computing(std::uint16_t w) {
    workers_[w].ready = true;
    if (entry_.compute == ComputeStart::after_last_pull &&
        !std::all_of(workers_.begin(), workers_.end(), [](const Worker& each) { return each.ready; }))
      return;
    for (std::uint16_t each = 0; each < workers_.size(); ++each) {
      Worker& worker = workers_[each];
      if (!worker.ready) continue;
      worker.ready = false;
      const auto& times = input_.compute[each];
      agenda_.add(now_ + times[worker.iteration % times.size()], Moves::computed, each);
    }
  }

  const Input& input_;
  const SyncEntry& entry_;
  std::unique_ptr<SyncScheme> scheme_;
  std::vector<Worker> workers_;
  Agenda agenda_;
  std::vector<Grant> granted_;
  Side receive_, send_;
  Output output_;
  std::uint64_t version_ = 0;
  std::int64_t now_ = 0;
};

}  // namespace

Output run(const Input& input) { return AbstractRun(input).go(); }

}  // namespace ocs::abstract
