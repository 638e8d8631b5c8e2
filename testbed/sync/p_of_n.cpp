// p of n: a round closes when p workers are in, and everyone who must not be missed again.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/sync/ledger.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

class POfN : public SyncScheme {
 public:
  POfN(std::uint16_t workers, const SyncSettings& settings)
      : ledger_("p-of-n", workers), p_(settings.p), k_(settings.k), workers_(workers) {
    require_range("sync.p", p_, 1, workers);
    if (k_) require_range("sync.k", *k_, 0, 1'000'000);
  }

  GateActions on(const GateEvent& event) override {
    ledger_.take(event);
    GateActions actions;
    if (event.kind == GateEvent::Kind::pushed && workers_[event.worker].round != round_ && !must(event.worker))
      ledger_.drop(actions, event.worker);
    if (event.kind == GateEvent::Kind::left) refuse_too_few(event.worker);
    close_round(actions);
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w)
      if (ledger_.asking(w) && !ledger_.pushed(w)) {
        workers_[w].round = round_;
        ledger_.grant(actions, w);
      }
    return actions;
  }

 private:
  struct Worker {
    std::uint32_t round = 0;   ///< in which it pulled
    std::uint32_t missed = 0;  ///< rounds in a row
    bool left = false;
  };

  bool must(std::uint16_t w) const { return k_ && workers_[w].missed >= *k_; }

  void refuse_too_few(std::uint16_t w) {
    workers_[w].left = true;
    const auto remain = std::count_if(workers_.begin(), workers_.end(), [](const Worker& each) { return !each.left; });
    if (static_cast<std::uint64_t>(remain) < p_)
      throw Error(ErrorKind::run, "worker " + std::to_string(w) + " left, and p-of-n needs " + std::to_string(p_) +
                                      " members a round, but " + std::to_string(remain) + " remain");
  }

  void close_round(GateActions& actions) {
    std::vector<std::uint16_t> members;
    std::uint32_t could_be = 0;
    bool complete = true;
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w) {
      if (ledger_.pushed(w)) members.push_back(w);
      if (ledger_.pushed(w) || ledger_.active(w)) ++could_be;
      if (!ledger_.pushed(w) && ledger_.active(w) && must(w)) complete = false;
    }
    if (!complete || members.empty() || members.size() < std::min(p_, could_be)) return;
    ledger_.apply(actions, members, k_ ? *k_ * (ledger_.workers() - 1ULL) : Ledger::no_bound);
    for (Worker& worker : workers_) ++worker.missed;
    for (const std::uint16_t w : members) workers_[w].missed = 0;
    ++round_;
  }

  Ledger ledger_;
  std::uint32_t p_;
  std::optional<std::uint32_t> k_;
  std::vector<Worker> workers_;
  std::uint32_t round_ = 0;
};

}  // namespace

std::unique_ptr<SyncScheme> make_p_of_n(std::uint16_t workers, const SyncSettings& settings) {
  return std::make_unique<POfN>(workers, settings);
}

std::string p_of_n_text(const SyncSettings& s) {
  return "p=" + std::to_string(s.p) + " k=" + (s.k ? std::to_string(*s.k) : "any");
}

}  // namespace ocs
