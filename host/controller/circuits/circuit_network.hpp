// The circuit network: transfers become flows of a plan, a plan becomes circuits, runs of words become deliveries.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/controller/circuits/disturbances.hpp"
#include "host/controller/circuits/mirror_faults.hpp"
#include "host/controller/circuits/online_plan.hpp"
#include "host/controller/circuits/open_coflows.hpp"
#include "host/controller/plan_controller.hpp"
#include "host/controller/transfers/transfers.hpp"
#include "host/core/network.hpp"

namespace ocs {

struct CircuitConfig {
  ControlTimes times{};                        ///< tuning and locking: as the switch was made with
  std::uint64_t seed = 0;                      ///< for the scheduler
  WordCycles word_cycles{};                    ///< of each node at first
  std::vector<RateChange> rate_changes{};      ///< ascending
  std::vector<Outage> outages{};               ///< ascending; injected into the switch
  std::vector<MirrorChange> mirror_changes{};  ///< the same for faults of mirrors
  Neighbours neighbours{};                     ///< whom mirrors that move disturb, as the switch was made with
  /// What becomes ready is planned at once, together with all that hasn't begun; deliveries say when their transfer
  /// began. With a scheduler that plans around circuits that are busy.
  bool online = false;
  /// Online: transfers of different coflows share a flow too, where their ports are the same and
  /// they are ready at once.
  bool join_coflows = true;
  /// Online: plans are made anew when a coflow has ended, too, and reach to the instant that
  /// expect() has named; owners share by what they have been given. Coflows don't share flows then,
  /// and deliveries don't say when their transfer began.
  bool at_ends = false;
  /// Online: how long the last plan took, if planning takes time: none of it begins earlier after it was asked for, and
  /// until the first may have begun no other plan is asked for. What carries data goes on; what hasn't begun waits.
  std::function<Cycles()> charged{};
  /// Guards every plan before it runs: throws Error for one that breaks its problem. Required.
  std::function<void(const Problem&, const Plan&)> check{};
  std::function<void(const Event&)> on_event{};      ///< sees every event of the switch, in its order
  std::function<void(const Carried&)> on_carried{};  ///< sees every reservation that has ended
};

struct PlanRecord {
  Cycles asked;    ///< when the plan was asked for
  Cycles origin;   ///< Problem.now (README.md)
  Cycles ended;    ///< last end as executed so far; origin before the first
  Ticks makespan;  ///< last planned end, from origin
  Ticks bound;     ///< Plan.bound: no plan ends earlier, from origin
  std::int64_t flows = 0, reservations = 0;
  std::int64_t set_ups = 0;  ///< of the reservations: with a circuit to be set up
};

struct NetworkStats {
  std::vector<PlanRecord> plans;  ///< in the order in which they were asked for
  std::int64_t transfers = 0;     ///< final deliveries, one a transfer
  std::int64_t reservations = 0;  ///< executed
  std::int64_t set_ups = 0;       ///< of these: with a circuit to be set up
  std::int64_t cut = 0;           ///< of these: stopped by an abort
  std::int64_t late = 0;          ///< of the others: not in exactly the planned cycles
  std::int64_t guard_misses = 0;  ///< by timetable: began further from the planned cycle than their guard
};

/// One plane, any scheduler, controlled by confirmation or by timetable. README.md has the rules of time.
/// - Transfers are planned together when they are ready and no older plan is under way; those of the same ports share
///   a flow and a burst. A transfer is delivered, to each of its nodes, when a burst with words of it has ended. Each
///   gets exactly one final delivery, an aborted one too, with the words that passed before.
/// - `online`: they are planned when they are ready, with all that hasn't begun yet (docs/controller.md, rule 8).
/// - A transfer crosses at the rate that its ports have in the cycle in which it is planned for the first time.
/// - When a port dies, the flows that use it are cut: what hasn't passed is missing from their final deliveries.
///   Transfers from and to a dead port wait, and are planned when it lives again; all others are planned around it.
/// - A mirror that is stuck is tuned again until it is free; no plan counts with that, nor with one that is slow.
/// - Words that were lost wait until nothing disturbs their outputs, and longer each time that they are lost again.
/// - Instants are multiples of the cycle. Nothing acts in a cycle before advance() is asked to go beyond it, so that
///   all that is offered at one instant is planned as one.
class CircuitNetwork final : public Network {
 public:
  /// @param plane as made, driven by nobody else; outlives the network, as does the scheduler.
  /// @throws Error (internal) without a plan checker.
  CircuitNetwork(Switch& plane, const Scheduler& scheduler, CircuitConfig config);

  /// @throws Error (input) for an Id under way, a local, empty or oversized (2^32 words) transfer, a node without a
  /// port, several nodes without multicast, or `ready` before what advance() last returned.
  void offer(Transfer transfer) override;

  /// Acts in the cycle of `at`; the final delivery is sent one cycle later. A burst that other transfers share goes on.
  /// What has passed the switch is delivered all the same. @throws Error (input) for an Id that isn't under way or an
  /// instant before what advance() last returned.
  void abort(Id transfer, Picos at) override;

  Picos next() override;
  Picos advance(Picos limit, std::vector<Delivery>& append) override;
  void expect(Picos at) override { expected_ = to_cycles(at, cycle_); }
  /// What has been planned keeps its place unless `online`. @throws Error (input) for an Id that isn't under way.
  void prioritise(Id transfer, std::int32_t priority) override;

  /// Counts what has ended: a burst keeps its ports busy from its first possible word to its end.
  PortUse use(Node node) const override { return uses_.at(index(node)); }

  /// As planned; of a transfer that shares its flow with others, words of the flow up to the transfer's own.
  Words sent(Id transfer) override;

  const NetworkStats& stats() const { return stats_; }

 private:
  /// What of a burst counts at one of its ports.
  struct PortWords {
    std::uint16_t port;
    Words words;
  };
  Cycles next_abort();
  Cycles next_outage() const;
  void let_ports_die(Cycles now);
  void act(Cycles now);
  void plan(Cycles now);
  void fill(Problem& problem, Cycles now);
  Cycles next_plan(Cycles now) const;
  bool plan_is_due(Cycles now);
  void cut(Id flow, Cycles now);
  void take_carried(std::span<const PortWords> counted = {});
  bool by_timetable() const { return config_.times.mode == ControlMode::timetable; }
  void coflow_ended(bool ended) { ended_ = (ended_ || ended) && coflows_->any(); }
  void take(const Event& event);
  std::span<const PortWords> counted(const Reservation& ended, Words sent);
  void count(const Carried& carried, std::span<const PortWords> counted);
  void say_beginning(const Reservation& ended, std::ptrdiff_t first);
  void send_off();
  bool on_its_way(Id transfer) const;

  Switch& switch_;
  const Scheduler& scheduler_;
  CircuitConfig config_;
  ControlTimes plan_times_;  ///< by which plans are made
  Constants constants_;
  Picos cycle_;
  std::unique_ptr<PlanController> controller_;
  Transfers transfers_;
  std::optional<OnlinePlan> online_plan_;  ///< online
  std::optional<OpenCoflows> coflows_;     ///< at_ends
  bool ended_ = false;                     ///< a coflow since the last plan, and others are open
  Cycles expected_ = never<Cycles>;        ///< of expect()
  Cycles planned_until_ = never<Cycles>;   ///< the last plan
  Cycles busy_until_{0};                   ///< planning takes time: the first cycle in which another may be asked for
  Ticks reuse_;                            ///< online: what starting on an established circuit costs
  std::multimap<Cycles, Id> aborts_;       ///< transfers to be aborted
  std::size_t outages_ = 0;                ///< that have come
  MirrorFaults mirrors_;
  Disturbances disturbances_;
  Picos reached_{0};  ///< what advance() last returned
  std::vector<Event> events_;
  std::vector<Delivery> passed_;    ///< have left the switch now
  std::deque<Delivery> on_fibre_;   ///< on their way to a node, by arrival
  std::vector<PortUse> uses_;       ///< of each port
  std::vector<PortWords> counted_;  ///< of the burst that ended last
  NetworkStats stats_;
};

}  // namespace ocs
