// Elastic (after ZipLine): super-steps with a quota of pushes for each worker, so that all end at nearly one moment.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "testbed/sync/forecast.hpp"
#include "testbed/sync/ledger.hpp"
#include "testbed/sync/moment.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

class Elastic : public SyncScheme {
 public:
  Elastic(std::uint16_t workers, const SyncSettings& settings)
      : ledger_("elastic", workers), settings_(settings), workers_(workers, Worker(settings)) {
    require_range("sync.quota", settings.most_quota, 1, 256);
    require_range("sync.ema_shift", settings.ema_shift, 0, 16);
  }

  GateActions on(const GateEvent& event) override {
    ledger_.take(event);
    GateActions actions;
    if (event.kind == GateEvent::Kind::pushed) {
      Worker& worker = workers_[event.worker];
      worker.forecast.add(ledger_.interval(event.worker));
      if (++worker.done > worker.quota) ledger_.broken(event.worker, "pushes more than its quota");
      ledger_.apply(actions, {event.worker}, settings_.most_quota * (ledger_.workers() - 1ULL));
    }
    if (all_wait()) begin_super_step();
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w)
      if (ledger_.asking(w) && workers_[w].done < workers_[w].quota) ledger_.grant(actions, w, workers_[w].quota);
    return actions;
  }

 private:
  struct Worker {
    explicit Worker(const SyncSettings& settings) : forecast(settings.ema_shift, settings.trend) {}
    Forecast forecast;  ///< of intervals from grant to push
    std::uint32_t quota = 1, done = 0;
  };

  bool all_wait() const {
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w)
      if (ledger_.active(w) && (!ledger_.asking(w) || workers_[w].done < workers_[w].quota)) return false;
    return ledger_.active_workers() > 0;
  }

  void begin_super_step() {
    std::vector<std::uint16_t> members;
    std::vector<std::vector<Ticks>> ends;
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w) {
      if (!ledger_.active(w)) continue;
      members.push_back(w);
      ends.push_back(workers_[w].forecast.ends(ledger_.now(), settings_.most_quota));
    }
    const Moment moment = choose_moment(ends, settings_.objective);
    for (std::size_t i = 0; i < members.size(); ++i) {
      workers_[members[i]].quota = moment.quota[i];
      workers_[members[i]].done = 0;
    }
  }

  Ledger ledger_;
  SyncSettings settings_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<SyncScheme> make_elastic(std::uint16_t workers, const SyncSettings& settings) {
  return std::make_unique<Elastic>(workers, settings);
}

std::string elastic_text(const SyncSettings& s) {
  return "quota=" + std::to_string(s.most_quota) + " objective=" + std::string(name_of(s.objective)) +
         " ema_shift=" + std::to_string(s.ema_shift) + (s.trend ? " trend=1" : "");
}

}  // namespace ocs
