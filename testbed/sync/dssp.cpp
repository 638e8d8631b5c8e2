// Dynamic stale synchronous parallel: the fastest may run on where a prediction says that its wait gets shorter.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/core/wide.hpp"
#include "testbed/sync/ledger.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

class Dssp : public SyncScheme {
 public:
  Dssp(std::uint16_t workers, const SyncSettings& settings)
      : ledger_("DSSP", workers), low_(settings.s_lo), up_(settings.s_up), workers_(workers) {
    require_range("sync.s_up", up_, 0, 1'000'000);
    require_range("sync.s_lo", low_, 0, up_);
  }

  GateActions on(const GateEvent& event) override {
    ledger_.take(event);
    GateActions actions;
    if (event.kind == GateEvent::Kind::pushed) {
      Worker& worker = workers_[event.worker];
      worker.interval = event.at - worker.last_push;
      worker.last_push = event.at;
      ledger_.apply(actions, {event.worker}, (2ULL * up_ + 1) * (ledger_.workers() - 1ULL));
    }
    const std::uint64_t near = std::uint64_t{ledger_.least_clock()} + low_;
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w)
      if (ledger_.asking(w) && ledger_.clock(w) <= near) {
        workers_[w].extra = 0;
        ledger_.grant(actions, w);
      }
    if (event.kind == GateEvent::Kind::asked && ledger_.asking(event.worker) && may_run_on(event.worker))
      ledger_.grant(actions, event.worker);
    return actions;
  }

 private:
  struct Worker {
    Ticks last_push, interval;
    std::uint32_t extra = 0;
  };

  /// Steps 2 and 3 of the rule: a worker asks as soon as its push is applied, so this is the moment of its push.
  bool may_run_on(std::uint16_t w) {
    const std::uint32_t gap = ledger_.clock(w) - ledger_.least_clock();
    if (gap > up_) return false;
    Worker& worker = workers_[w];
    if (worker.extra > 0) {
      --worker.extra;
      return true;
    }
    std::uint16_t slowest = w;
    for (std::uint16_t other = ledger_.workers(); other-- > 0;) {
      if (!ledger_.active(other)) continue;
      if (ledger_.clock(other) > ledger_.clock(w)) return false;
      if (ledger_.clock(other) <= ledger_.clock(slowest)) slowest = other;
    }
    if (ledger_.clock(w) < 2 || ledger_.clock(slowest) < 2) return false;
    const std::uint32_t more = choose(worker, workers_[slowest], up_ - gap + 1);
    if (more == 0) return false;
    worker.extra = more - 1;
    return true;
  }

  /// The r in 0..most whose end is nearest to one of the slowest worker's next most+1 ends; among equals the least.
  static std::uint32_t choose(const Worker& worker, const Worker& slowest, std::uint32_t most) {
    std::optional<Wide> nearest;
    std::uint32_t best = 0;
    for (std::uint32_t r = 0; r <= most; ++r) {
      const Wide from_slowest = Wide{worker.last_push.n} + Wide{r} * worker.interval.n - slowest.last_push.n;
      const Wide below = slowest.interval.n == 0 ? 1 : from_slowest / slowest.interval.n;
      for (const Wide k : {below, below + 1}) {
        const Wide ends = std::clamp<Wide>(k, 1, Wide{most} + 1) * slowest.interval.n;
        const Wide distance = ends > from_slowest ? ends - from_slowest : from_slowest - ends;
        if (nearest && distance >= *nearest) continue;
        nearest = distance;
        best = r;
      }
    }
    return best;
  }

  Ledger ledger_;
  std::uint32_t low_, up_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<SyncScheme> make_dssp(std::uint16_t workers, const SyncSettings& settings) {
  return std::make_unique<Dssp>(workers, settings);
}

std::string dssp_text(const SyncSettings& s) {
  return "s_lo=" + std::to_string(s.s_lo) + " s_up=" + std::to_string(s.s_up);
}

}  // namespace ocs
