// What is left of flows that are planned anew whenever others come, and which of the present plan has begun.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/controller/circuits/started_circuits.hpp"
#include "host/core/units.hpp"

namespace ocs {

/// Flows on one plane. What has begun goes on; of the rest each plan is for all that is left.
class OnlinePlan {
 public:
  using OnBegin = std::function<void(const Flow&, const Reservation&)>;
  /// @param confirmed what has begun keeps its ports until end() reports its end; else until its planned end at most
  /// @param on_begin sees every reservation as it begins; empty: take_beginning() is asked instead
  explicit OnlinePlan(int ports, bool confirmed = true, OnBegin on_begin = {})
      : circuits_(ports), confirmed_(confirmed), on_begin_(std::move(on_begin)) {}

  /// Whether some of what is to be planned hasn't begun.
  bool any() const { return open_ > 0; }

  void add(const std::vector<Flow>& flows);
  /// What of the present plan starts before `now` isn't to be planned again.
  void begin_until(Cycles now);
  /// Changes the priority of what hasn't begun, from the next plan on.
  void prioritise(Id flow, std::int32_t priority);
  /// Nobody wants what is left of it. By timetable its circuits stay in the plan: others may use them.
  void drop(Id flow);
  /// Flows, by id, and circuits of a plan made at `now`. The flows are lent until adopt().
  void fill(Problem& problem, Cycles now);
  /// Makes the plan for fill()'s problem the present one, and takes the flows back. Its offsets, which count from what
  /// is left, are made to count from the flow's beginning; the words of a flow go in their order.
  void adopt(Problem& problem, Plan& plan);
  /// A reservation that has begun has ended, in cycle `at`.
  void end(const Reservation& r, Cycles at) { circuits_.end(r, Ticks{at.n}); }
  /// When the first reservation of a flow began. Asked once, when the flow is over; unless there is an on_begin.
  Cycles take_beginning(Id flow);

 private:
  /// Its place in flows_; their number if nothing of it is left.
  std::size_t place_of(Id flow) const;

  StartedCircuits circuits_;
  bool confirmed_;
  OnBegin on_begin_;
  std::vector<Flow> flows_;   ///< by id; the length is what hasn't begun, 0: nothing is left of it
  std::vector<Ticks> begun_;  ///< so much of each of them
  std::size_t open_ = 0;      ///< of them: with something left
  std::unordered_map<Id, Cycles> beginnings_;
  std::vector<Reservation> plan_;  ///< by start
  std::size_t next_ = 0;           ///< in plan_: the first that hasn't begun
};

}  // namespace ocs
