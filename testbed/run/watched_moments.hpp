// Moments of a job with servers, as what watches a run wants them: who computes from when to when, what a transfer is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "testbed/coordinator/job.hpp"
#include "testbed/engine/run_watch.hpp"

namespace ocs {

/// @param watch outlives it. @param first_node where the job's node 0 is, of `ports`
inline GrantWatch shown_grants(RunWatch& watch, int first_node, int ports) {
  return [&watch, first_node, ports](const GateGrant& grant) {
    const Node node{static_cast<std::uint16_t>((first_node + index(grant.worker)) % ports)};
    watch.granted(node, grant.iteration, grant.asked, grant.at);
  };
}

class WatchedMoments {
 public:
  /// @param watch may be nullptr
  explicit WatchedMoments(RunWatch* watch) : watch_(watch) {}

  void on(const JobMoment& moment) {
    if (watch_ == nullptr) return;
    const TransferKey& key = moment.key;
    if (moment.what == JobMoment::What::computes &&
        computes_.try_emplace(key.worker, Since{key.iteration, moment.at}).second)
      watch_->computes(key.worker, key.iteration, moment.at);
    if (moment.what == JobMoment::What::stalls) stop(key.worker, moment.at);
    if (moment.what != JobMoment::What::offered) return;
    if (key.phase == TransferPhase::push && !moment.early) stop(key.worker, moment.at);
    if (key.worker != key.server) watch_->names_next(key);
  }

  /// Who still computes then does so until then.
  void finish(Picos end) {
    while (!computes_.empty()) stop(computes_.begin()->first, end);
  }

 private:
  struct Since {
    std::uint32_t iteration;
    Picos from;
  };
  void stop(Node worker, Picos at) {
    const auto found = computes_.find(worker);
    if (found == computes_.end()) return;
    watch_->computed(worker, found->second.iteration, found->second.from, at);
    computes_.erase(found);
  }

  RunWatch* watch_;
  std::map<Node, Since> computes_;
};

}  // namespace ocs
