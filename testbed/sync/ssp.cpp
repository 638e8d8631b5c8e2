// Stale synchronous parallel: nobody is more than s pushes ahead of the slowest when it is released.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "testbed/sync/ledger.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

class Ssp : public SyncScheme {
 public:
  Ssp(std::uint16_t workers, std::uint32_t s)
      : ledger_("SSP", workers), s_(s), bound_((2ULL * s + 1) * (workers - 1ULL)) {
    require_range("sync.s", s, 0, 1'000'000);
  }

  GateActions on(const GateEvent& event) override {
    ledger_.take(event);
    GateActions actions;
    if (event.kind == GateEvent::Kind::pushed) ledger_.apply(actions, {event.worker}, bound_);
    const std::uint64_t furthest = std::uint64_t{ledger_.least_clock()} + s_;
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w)
      if (ledger_.asking(w) && ledger_.clock(w) <= furthest) ledger_.grant(actions, w);
    return actions;
  }

 private:
  Ledger ledger_;
  std::uint32_t s_;
  std::uint64_t bound_;
};

}  // namespace

std::unique_ptr<SyncScheme> make_ssp(std::uint16_t workers, const SyncSettings& settings) {
  return std::make_unique<Ssp>(workers, settings.s);
}

std::string ssp_text(const SyncSettings& s) { return "s=" + std::to_string(s.s); }

}  // namespace ocs
