// Collectives in place of parameter servers: key and checks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/phases.hpp"
#include "testbed/collectives/plane_plans.hpp"
#include "testbed/collectives/policies.hpp"
#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// "none", and all collectives.
std::vector<std::string> collective_names();
/// "default", and the algorithms of all collectives.
std::vector<std::string> algorithm_names();
/// "scheduler", all policies of one switch, all rules of planes, and "copies".
std::vector<std::string> reconfigure_names();

/// The algorithm of a point with a collective. @throws Error (input) if the collective doesn't have it
CollectiveEntry algorithm_of(const JobSettings& job);
/// "all_reduce/ring", with "/optimal" if that is the policy; or "none".
std::string collective_text(const JobSettings& job);

/// A point's collective, and how its model is cut. @throws Error (input) with half a sentence:
/// "must ...", without place
struct PointCollective {
  Collective list;
  std::vector<Words> sizes;  ///< of its blocks
  std::vector<Leg> legs;
  std::int64_t words = 0;           ///< of the model, as one; of phases all that cross in an iteration
  Cycles tail{0};                   ///< of phases: computing after the last of them
  std::vector<PhaseList> phases{};  ///< of phases, with payload
};
/// Words between the arrival of a word and its being sent on, where all circuits of a leg begin together.
std::int64_t streaming_lag(const Point& point);
/// @param iteration of phases that differ
PointCollective collective_of(const Point& point, std::uint32_t iteration = 0);

/// The legs of one iteration on the point's switch, for a policy; the switch is dark at first.
LegSequence leg_sequence(const Point& point, const std::vector<Leg>& legs);

/// A rule of planes says which circuits there are.
bool shares_planes(const Point& point);
/// Each plane runs the list on its own share of the words, with the maps of `optimal`.
bool runs_copies(const Point& point);
/// The list on a plane's share: of the words, or of each pair's. Without legs if that is nothing.
/// @pre runs_copies() @throws Error (input) as collective_of()
PointCollective copy_of(const Point& point, std::uint32_t plane);
/// The steps of one iteration, for a rule of planes; these are dark at first.
struct NumberedPlaneSteps {
  PlaneSteps steps;
  std::vector<std::uint32_t> numbers;  ///< of each step, in its list
};
NumberedPlaneSteps plane_steps(const Point& point, const std::vector<Leg>& legs);

/// Checks that the point's collective can be run. @throws Error (input).
void check_collective(const Point& point, const Origins& origins);

}  // namespace ocs
