// Asynchronous parallel: whoever asks is released.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/ledger.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

class Asp : public SyncScheme {
 public:
  explicit Asp(std::uint16_t workers) : ledger_("ASP", workers) {}

  GateActions on(const GateEvent& event) override {
    ledger_.take(event);
    GateActions actions;
    if (event.kind == GateEvent::Kind::pushed) ledger_.apply(actions, {event.worker}, Ledger::no_bound);
    if (event.kind == GateEvent::Kind::asked) ledger_.grant(actions, event.worker);
    return actions;
  }

 private:
  Ledger ledger_;
};

}  // namespace

std::unique_ptr<SyncScheme> make_asp(std::uint16_t workers, const SyncSettings& /*settings*/) {
  return std::make_unique<Asp>(workers);
}

}  // namespace ocs
