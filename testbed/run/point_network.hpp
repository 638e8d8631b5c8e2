// The network that a point asks for, whatever the job: circuits over its switches, planned or set as maps, or packets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "host/controller/packets/packet_network.hpp"
#include "host/core/policy.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/engine/profiled.hpp"
#include "testbed/engine/watched_network.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/run/circuits.hpp"
#include "testbed/run/map_circuits.hpp"
#include "testbed/run/node_time.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

/// The packet network that the point asks for.
PacketConfig packet_config(const Point& point);

class PointNetwork {
 public:
  /// @param point, options and time outlive it. @param policy whose scheduler plans, unless the point names another.
  /// @param time sees what ports carry; may be nullptr. @throws Error (input) as Circuits.
  PointNetwork(const Point& point, const RunOptions& options, const Policy& policy, const CircuitRules& rules,
               NodeTime* time = nullptr);

  PointNetwork(const PointNetwork&) = delete;
  PointNetwork& operator=(const PointNetwork&) = delete;

  /// With a stopwatch where the options ask for a profile, and shown to who watches.
  Network& network() { return *outermost_; }

  /// Times of computing of node w in iteration k, shown to who watches: it computes from when it is asked for.
  std::function<Picos(std::size_t w, std::uint32_t k)> shown(std::function<Picos(std::size_t, std::uint32_t)> compute);

  /// Of circuits: who plans them, and what became of the plans; nullptr: packets.
  const Scheduler* scheduler() const { return scheduler_.get(); }
  const Circuits* circuits() const { return circuits_ ? &*circuits_ : nullptr; }
  /// Of a policy that sets maps; nullptr: circuits are planned, or packets.
  MapCircuits* maps() { return maps_ ? &*maps_ : nullptr; }
  const std::vector<Cycles>& charged() const { return charged_->charged(); }  ///< for each plan, if at all

  /// Adds counters, events, what planning was charged, and words that passed for nobody.
  void add_to(Row& row, const JobResult& job);

 private:
  void make(const Point& point, const RunOptions& options, const Policy& policy, const CircuitRules& rules,
            NodeTime* time);

  std::unique_ptr<Scheduler> scheduler_;
  std::optional<ProfiledScheduler> profiled_scheduler_;
  std::optional<ChargedScheduler> charged_;
  std::optional<Fabric> fabric_;
  std::optional<Circuits> circuits_;
  std::optional<MapCircuits> maps_;
  std::optional<PacketNetwork> packets_;
  std::optional<ProfiledNetwork> profiled_;
  std::optional<WatchedNetwork> watched_;
  RunWatch* watch_;
  Network* outermost_ = nullptr;
};

}  // namespace ocs
