// Bulk synchronous parallel: a round closes when every worker's push is in, and then releases all.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/sync/ledger.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {
namespace {

class Bsp : public SyncScheme {
 public:
  explicit Bsp(std::uint16_t workers) : ledger_("BSP", workers) {}

  GateActions on(const GateEvent& event) override {
    ledger_.take(event);
    if (event.kind == GateEvent::Kind::left)
      throw Error(ErrorKind::run, "worker " + std::to_string(event.worker) + " left, and BSP needs every worker");
    GateActions actions;
    close_round(actions);
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w)
      if (ledger_.asking(w) && !ledger_.pushed(w)) ledger_.grant(actions, w);
    return actions;
  }

 private:
  void close_round(GateActions& actions) {
    std::vector<std::uint16_t> members;
    for (std::uint16_t w = 0; w < ledger_.workers(); ++w) {
      if (ledger_.pushed(w))
        members.push_back(w);
      else if (ledger_.active(w))
        return;
    }
    ledger_.apply(actions, members, 0);
  }

  Ledger ledger_;
};

}  // namespace

std::unique_ptr<SyncScheme> make_bsp(std::uint16_t workers, const SyncSettings& /*settings*/) {
  return std::make_unique<Bsp>(workers);
}

}  // namespace ocs
