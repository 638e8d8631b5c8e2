// The one checker that every plan passes before it runs, whoever made it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/policy.hpp"

namespace ocs {

/// What a plan can break, for messages; docs/plans.md says each in a line.
enum class PlanRule : std::uint8_t {
  unknown_flow,
  port_range,
  circuit,
  dead_port,
  times,
  early,
  part,
  conflict,
  settle,
  all_stop,
  missing,
  twice,
  bound,
  demand,     ///< of a plan made elsewhere: it is for another demand
  placement,  ///< of a placement: its servers don't hold each parameter once
  receivers,  ///< of a selection of receivers: check_selection()
  grant,      ///< of a synchronisation scheme: it releases a worker that can't begin
  push,       ///< of a synchronisation scheme: it decides on a push that isn't open
  steps       ///< of the list of a collective: check() of testbed/collectives
};

std::string_view name_of(PlanRule rule);

/// Which rule was broken, and by what.
class BrokenRule : public Error {
 public:
  BrokenRule(ErrorKind kind, PlanRule rule, const std::string& sentence) : Error(kind, sentence), rule_(rule) {}
  PlanRule rule() const noexcept { return rule_; }

 private:
  PlanRule rule_;
};

/// How long the circuit of `r` takes to be set up: delta, or the longest of its pairs' own.
Ticks set_up(const Problem& problem, const Reservation& r);

/// Checks a plan against its problem:
/// - each reservation names a flow of the problem (none that stays on its node), its input and some of its outputs,
///   on a plane and on ports that exist and aren't dead;
/// - nothing starts before Problem::now, before the flow is released, or while a circuit that is up is still busy;
/// - start <= up < end, and the data lies within the flow and cuts none of its words;
/// - a port carries one reservation at a time;
/// - delta (or the pair's own) lies between start and up, unless exactly this circuit is established at `start`: it is
///   up in the problem or was reserved, and none of its ports has been given to another circuit since;
/// - all-stop: no data flows while another circuit of the plane is set up;
/// - every word of every flow reaches each of its outputs exactly once (not checked if Plan::best_effort; with a
///   Problem::horizon the last words of a flow may be left out);
/// - the plan doesn't end before its own bound.
/// @param kind what a broken rule means to the caller: `internal` for plans of ours, `input` for other people's.
/// @throws BrokenRule that names the flow, its ports and the times; Error (input) if the problem itself is impossible.
void check_plan(const Problem& problem, const Plan& plan, ErrorKind kind = ErrorKind::internal);

/// "3", or "1,4,7" of several.
std::string ports_text(const Outputs& outputs);

/// The circuits that are established when the whole plan has been executed, ascending (plane, input), all free: what
/// Problem::up of the next plan has to say if it starts then. The plan must be one that check_plan() lets pass.
std::vector<EstablishedCircuit> circuits_after(const Problem& problem, const Plan& plan);

}  // namespace ocs
