// Limits, and who is beyond them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/judge.hpp"

#include <algorithm>
#include <tuple>

#include "host/core/error.hpp"

namespace ocs::characterize {
namespace {

/// Groups that were programmed before the output's, as all outputs changed at once.
std::int64_t groups_before(const CircuitSetUp& set_up, const SwitchProfile& profile) {
  return profile.program_time.n > 0 ? set_up.out / profile.program_lanes : 0;
}

Picos limit_of(const CircuitSetUp& set_up, const SwitchProfile& profile) {
  if (profile.at_most) return *profile.at_most;
  const ocs::Output out{set_up.out};
  const Picos waits = profile.program_time * groups_before(set_up, profile) + profile.neighbours.park;
  if (set_up.in) return profile.tuning_of(Input{*set_up.in}, out) + profile.longest_locking_of(out) + waits;
  Picos most;
  for (std::uint16_t in = 0; in < profile.ports; ++in) most = std::max(most, profile.tuning_of(Input{in}, out));
  return most + profile.longest_locking_of(out) + waits;
}

/// How many parts were rounded up to cycles. A profile's time of a group is one of them for each group; what a receiver
/// takes beyond the least is one, too.
std::int64_t parts(const CircuitSetUp& set_up, const SwitchProfile& profile) {
  const std::int64_t groups = profile.at_most ? 0 : groups_before(set_up, profile);
  const std::int64_t of_locking = profile.receivers ? 2 : 1;
  return (set_up.tuning.n > 0 ? 1 : 0) + (set_up.locking.n > 0 ? of_locking : 0) + groups;
}

}  // namespace

Verdict judge(const Findings& findings, const SwitchProfile& profile, Picos tolerance) {
  if (!profile.at_most && findings.ports > profile.ports)
    throw Error(ErrorKind::input, "switch \"" + profile.name + "\" has " + std::to_string(profile.ports) +
                                      " ports and no bounds.at_most, but " + findings.subject + " has " +
                                      std::to_string(findings.ports) + " ports to be judged");
  Verdict verdict{.against = profile.name, .limits = {}, .outside = {}, .count = 0, .worst = {}};
  // Ordered so that the greatest is the worst.
  const auto badness = [&](std::size_t k) {
    const CircuitSetUp& s = findings.set_ups[k];
    return std::tuple(!s.up, (s.together() - verdict.limits[k]).n, -int{s.out}, -(s.in ? int{*s.in} : 0));
  };
  for (std::size_t k = 0; k < findings.set_ups.size(); ++k) {
    const CircuitSetUp& set_up = findings.set_ups[k];
    verdict.limits.push_back(limit_of(set_up, profile) + tolerance);
    const Picos rounded = findings.cycle * parts(set_up, profile);
    const Picos least = set_up.together() - rounded;
    const bool late = rounded.n > 0 ? least >= verdict.limits[k] : least > verdict.limits[k];
    const bool unfinished = !set_up.up && set_up.from == From::unknown;  // a log may end while a mirror moves
    verdict.outside.push_back(late || (!set_up.up && !unfinished));
    if (!verdict.outside[k]) continue;
    ++verdict.count;
    if (!verdict.worst || badness(k) > badness(*verdict.worst)) verdict.worst = k;
  }
  return verdict;
}

}  // namespace ocs::characterize
