// Coflows that are released over time, on one switch or on paper: planned anew whenever one comes or ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "host/controller/begun_circuits.hpp"
#include "host/controller/confirmed.hpp"
#include "host/core/network.hpp"

namespace ocs {

/// What a coflow carries from one port to another.
struct CoflowPart {
  std::uint16_t from, to;  ///< apart
  Words words;             ///< 1 to 2^32 - 1
  friend bool operator==(const CoflowPart&, const CoflowPart&) = default;
};

struct Coflow {
  Id id;
  std::uint32_t owner = 0;    ///< a job: fair sharing is among owners
  std::int32_t priority = 0;  ///< smaller goes first
  Cycles release;
  std::vector<CoflowPart> parts;  ///< at least one, at most one a pair of ports
};

/// Puts `coflow` behind those of `queue` that aren't released later than it: a queue stays ascending by release.
void insert_by_release(std::deque<Coflow>& queue, Coflow coflow);

struct CoflowEnd {
  Id coflow;
  Cycles at;  ///< its last word has reached its node
};

struct SessionConfig {
  int ports = 0;
  ControlTimes times{};                                      ///< by confirmation
  std::uint64_t seed = 0;                                    ///< for the scheduler
  std::function<void(const Problem&, const Plan&)> check{};  ///< guards every plan; may be left out on paper
  std::function<void(const Event&)> on_event{};              ///< sees every event of the switch
};

struct SessionStats {
  std::int64_t plans = 0, reservations = 0, set_ups = 0;  ///< reservations that were begun; with a circuit to be set up
  std::int64_t late = 0;                                  ///< not carried out in exactly the planned cycles
  std::int64_t flows_planned = 0;                         ///< sum over the plans of the flows in their problems
};

/// Rules of time: seams.md, section 7; by confirmation only. A plan is asked for in the cycle in which a coflow is
/// released or has ended, on what is left; what carries data goes on; the plan takes hold in that cycle. Coflows that
/// end or are released at one instant are planned as one. On paper everything is carried out as planned.
class CoflowSession {
 public:
  /// @param plane all dark, driven by nobody else; nullptr: on paper. It outlives the session, as does the scheduler,
  /// which must be one that plans around circuits that are busy. @throws Error (input) for control by timetable.
  CoflowSession(Switch* plane, const Scheduler& scheduler, SessionConfig config);

  /// Its release may lie ahead; before what advance() last returned it is an error (internal), as is a coflow without
  /// parts or under way.
  void release(Coflow coflow);

  /// More may be released at that instant, at the earliest: nothing is planned beyond it.
  void expect(Cycles release) { expected_ = release; }

  /// Nothing ends before it unless more is released; at least a cycle after now; never if nothing is under way.
  Cycles next() const;

  /// Goes on until `limit`, or to the first instant at which it is known that a coflow has ended: a fibre after its
  /// last word has left the switch. What is released then is planned with what is left. @returns the instant
  Cycles advance(Cycles limit, std::vector<CoflowEnd>& ended);

  const SessionStats& stats() const { return stats_; }
  /// Given to the owner so far, set-ups aside.
  Words served(std::uint32_t owner) const;

 private:
  struct Open {
    std::uint32_t owner = 0;
    Id first_flow{};
    std::int64_t to_plan = 0;    ///< words of which no reservation has begun
    std::int64_t under_way = 0;  ///< words that no burst that has ended has carried
    Cycles last_end{0};          ///< of the reservations that have begun
    std::int64_t left_out = 0;   ///< of to_plan: not in the present plan
    Cycles expected{0};          ///< its end, if nothing is left out
  };

  Cycles next_release() const { return pending_.empty() ? expected_ : std::min(expected_, pending_.front().release); }
  void take_in(Cycles now);
  void begin_until(Cycles now);
  void plan(Cycles now);
  void expect_ends();
  void end(Id coflow);
  void end_on_paper();
  void end_on_switch();
  Flow& flow_of(Id flow);

  Switch* plane_;
  const Scheduler& scheduler_;
  SessionConfig config_;
  std::unique_ptr<ConfirmedController> controller_;
  Cycles now_{0};
  bool plan_due_ = false;
  Cycles expected_ = never<Cycles>;  ///< what may be released by somebody
  std::deque<Coflow> pending_;       ///< by release
  std::deque<CoflowEnd> on_fibre_;   ///< not known yet
  std::map<Id, Open> open_;
  Problem problem_;  ///< what is left to be planned; flows by id, those of a coflow side by side
  BegunCircuits begun_circuits_;
  Plan plan_;                        ///< what hasn't begun is to be done
  std::size_t begun_ = 0;            ///< reservations of plan_, by start
  Cycles next_end_ = never<Cycles>;  ///< of a coflow, as planned
  std::map<Id, Id> coflow_of_flow_;  ///< by the first flow of each that is open
  std::map<std::uint32_t, std::int64_t> served_;
  std::uint32_t last_flow_ = 0;
  std::vector<Event> events_;
  SessionStats stats_;
};

}  // namespace ocs
