// Round-robin synchronous parallel: workers take turns at the gate, a gap apart.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "testbed/sync/batch.hpp"
#include "testbed/sync/ledger.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

class R2sp : public SyncScheme {
 public:
  R2sp(std::uint16_t workers, const SyncSettings& settings)
      : ledger_("R2SP", workers), settings_(settings), workers_(workers, Worker(settings)) {
    require_range("the denominator of sync.r", settings.r_den, 1, 1'000'000);
    if (settings.r_num > settings.r_den)
      throw Error(ErrorKind::input, "sync.r is " + std::to_string(settings.r_num) +
                                        (settings.r_den == 1 ? "" : "/" + std::to_string(settings.r_den)) +
                                        ", but must be from 0 to 1");
    require_range("sync.ema_shift", settings.ema_shift, 0, 16);
    if (settings.batch == 0) return;
    require_range("sync.batch_min", settings.batch_min, 1, settings.batch);
    require_range("sync.batch_max", settings.batch_max, settings.batch, 1'000'000'000);
    require_range("sync.batch_every", settings.batch_every, 1, 1'000'000);
  }

  GateActions on(const GateEvent& event) override {
    ledger_.take(event);
    GateActions actions;
    switch (event.kind) {
      case GateEvent::Kind::pushed:
        workers_[event.worker].length.add(ledger_.interval(event.worker));
        workers_[event.worker].computed += event.compute;
        take_push(event.worker, actions);
        break;
      case GateEvent::Kind::left:
        workers_[event.worker].left = true;
        [[fallthrough]];
      case GateEvent::Kind::finished:
        // A push that is held keeps its place: it came.
        if (!ledger_.pushed(event.worker))
          order_.erase(std::remove(order_.begin(), order_.end(), event.worker), order_.end());
        apply_in_order(actions);
        break;
      case GateEvent::Kind::asked:
      case GateEvent::Kind::computed:
      case GateEvent::Kind::timer:
        break;
    }
    release(actions);
    return actions;
  }

 private:
  struct Worker {
    explicit Worker(const SyncSettings& settings) : length(settings.ema_shift), batch(settings.batch) {}
    MovingAverage length;
    bool left = false;
    std::uint32_t batch, grants = 0;
    Ticks blocked, computed;
  };

  void take_push(std::uint16_t w, GateActions& actions) {
    if (!settings_.strict) {
      order_.erase(std::find(order_.begin(), order_.end(), w));
      ledger_.apply(actions, {w}, 2 * others());
      return;
    }
    if (order_.front() != w) ledger_.hold(actions, w);
    apply_in_order(actions);
  }

  void apply_in_order(GateActions& actions) {
    if (!settings_.strict) return;
    while (!order_.empty() && ledger_.pushed(order_.front())) {
      ledger_.apply(actions, {order_.front()}, others());
      order_.pop_front();
    }
  }

  std::uint64_t others() const { return ledger_.workers() - 1ULL; }

  void release(GateActions& actions) {
    for (std::uint16_t tried = 0; tried < ledger_.workers(); ++tried) {
      for (std::uint16_t skipped = 0; skipped < ledger_.workers() && !ledger_.active(turn_); ++skipped) pass_turn();
      if (!ledger_.asking(turn_) || ledger_.pushed(turn_)) return;
      if (ledger_.now() < next_ok_) {
        actions.timer = next_ok_;
        return;
      }
      adapt(turn_);
      ledger_.grant(actions, turn_, 1, 0, workers_[turn_].batch);
      order_.push_back(turn_);
      next_ok_ = ledger_.now() + gap();
      pass_turn();
    }
  }

  void pass_turn() { turn_ = static_cast<std::uint16_t>((turn_ + 1) % ledger_.workers()); }

  Ticks gap() const {
    std::int64_t longest = 0, members = 0;
    for (const Worker& worker : workers_) {
      if (worker.left) continue;
      if (!worker.length.known()) return Ticks{0};
      longest = std::max(longest, worker.length.value().n);
      ++members;
    }
    return {static_cast<std::int64_t>(Wide{settings_.r_num} * longest / (Wide{settings_.r_den} * members))};
  }

  /// Blocked and computing time are sums over the same grants, so that their ratio is that of the means.
  void adapt(std::uint16_t w) {
    if (settings_.batch == 0) return;
    Worker& worker = workers_[w];
    if (worker.grants == settings_.batch_every) {
      if (worker.computed > Ticks{0})
        worker.batch =
            next_batch(worker.batch, adapted_batch(worker.batch, worker.blocked, worker.batch, worker.computed),
                       settings_.batch_min, settings_.batch_max);
      worker.grants = 0;
      worker.blocked = worker.computed = Ticks{0};
    }
    ++worker.grants;
    worker.blocked += ledger_.now() - ledger_.asked_at(w);
  }

  Ledger ledger_;
  SyncSettings settings_;
  std::vector<Worker> workers_;
  std::deque<std::uint16_t> order_;  ///< granted, push not applied; in the order of the grants
  std::uint16_t turn_ = 0;
  Ticks next_ok_{0};
};

}  // namespace

std::unique_ptr<SyncScheme> make_r2sp(std::uint16_t workers, const SyncSettings& settings) {
  return std::make_unique<R2sp>(workers, settings);
}

std::string r2sp_text(const SyncSettings& s) {
  using std::to_string;
  const std::string batch = s.batch == 0 ? ""
                                         : " batch=" + to_string(s.batch) + " batch_min=" + to_string(s.batch_min) +
                                               " batch_max=" + to_string(s.batch_max) +
                                               " batch_every=" + to_string(s.batch_every);
  return "r=" + to_string(s.r_num) + "/" + to_string(s.r_den) + " strict=" + to_string(static_cast<int>(s.strict)) +
         " ema_shift=" + to_string(s.ema_shift) + batch;
}

}  // namespace ocs
