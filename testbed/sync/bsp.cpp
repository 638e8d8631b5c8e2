// Bulk synchronous parallel.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/bsp.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "host/core/error.hpp"

namespace ocs {
namespace {

class Bsp : public SyncScheme {
 public:
  explicit Bsp(std::uint16_t workers) : workers_(workers) {}

  GateActions on(const GateEvent& event) override {
    if (event.worker >= workers_.size())
      throw Error(ErrorKind::internal,
                  "BSP was told of worker " + std::to_string(event.worker) + " of " + std::to_string(workers_.size()));
    Worker& worker = workers_[event.worker];
    switch (event.kind) {
      case GateEvent::Kind::asked:
        worker.asked_for = event.iteration;
        break;
      case GateEvent::Kind::pushed:
        if (event.iteration != round_ || worker.pushed)
          throw Error(ErrorKind::internal, "BSP got a push of iteration " + std::to_string(event.iteration) +
                                               " from worker " + std::to_string(event.worker) + " in round " +
                                               std::to_string(round_));
        worker.pushed = true;
        break;
      case GateEvent::Kind::left:
        worker.left = true;
        worker.asked_for.reset();
        break;
      case GateEvent::Kind::computed:
      case GateEvent::Kind::timer:
        break;
    }
    GateActions actions;
    close_round(actions);
    release(actions);
    return actions;
  }

 private:
  struct Worker {
    std::optional<std::uint32_t> asked_for;
    bool pushed = false, left = false;
  };

  void close_round(GateActions& actions) {
    const bool all_in =
        std::all_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.pushed || w.left; });
    const auto members = std::count_if(workers_.begin(), workers_.end(), [](const Worker& w) { return w.pushed; });
    if (!all_in || members == 0) return;
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      if (!workers_[w].pushed) continue;
      actions.pushes.push_back(
          {static_cast<std::uint16_t>(w), round_, Verdict::What::apply, static_cast<std::uint32_t>(members)});
      workers_[w].pushed = false;
    }
    ++round_;
  }

  void release(GateActions& actions) {
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      if (!workers_[w].asked_for || *workers_[w].asked_for > round_) continue;
      workers_[w].asked_for.reset();
      actions.grants.push_back({static_cast<std::uint16_t>(w), 1, 0, 0});
    }
  }

  std::vector<Worker> workers_;
  std::uint32_t round_ = 0;  ///< iteration whose pushes are being collected
};

}  // namespace

std::unique_ptr<SyncScheme> make_bsp(std::uint16_t workers) { return std::make_unique<Bsp>(workers); }

}  // namespace ocs
