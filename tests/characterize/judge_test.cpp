// Bounds, who is beyond them, and who is worst.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/judge.hpp"

#include "host/core/error.hpp"
#include "testbed/characterize/report.hpp"
#include "tests/characterize/rig.hpp"

namespace ocs::characterize {
namespace {

using test::findings_of;
using test::set_up;

SwitchProfile at_most(std::int64_t limit) {
  SwitchProfile profile;
  profile.name = "p";
  profile.ports = 2;
  profile.tuning = {Picos{1}};
  profile.locking = {Picos{0}};
  profile.at_most = Picos{limit};
  return profile;
}

TEST(Judge, NamesTheOneFarthestBeyondItsLimit) {
  const Findings findings =
      findings_of({set_up(0, 0, 90), set_up(0, 1, 101), set_up(1, 0, 80, 50), set_up(1, 1, 99, 31)});
  const Verdict verdict = judge(findings, at_most(100), {});
  EXPECT_EQ(verdict.count, 3u);
  EXPECT_EQ(verdict.outside, (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(complaint(findings, verdict),
            "3 of 4 set-ups are out of the bounds of \"p\"; the worst: output 1 from input 0, before it idle, 130 ps, "
            "but must be "
            "at most 100 ps")
      << "of two that are equally bad, the lower output and input";
}

TEST(Judge, GivesWhatWasMeasuredInCyclesTheBenefitOfTheDoubt) {
  const Findings findings = findings_of({set_up(0, 0, 110), set_up(0, 1, 60, 60), set_up(1, 0, 120)}, 2, Picos{10});
  EXPECT_EQ(judge(findings, at_most(101), {}).outside, (std::vector<bool>{false, false, true}))
      << "110 ps may have been 100.5, and 60 + 60 101";
  EXPECT_EQ(judge(findings, at_most(100), {}).outside, (std::vector<bool>{true, true, true}))
      << "but more than 100 each was";
}

TEST(Judge, LetsReceiversTakeTheLongestOfTheirTimes) {
  SwitchProfile profile = at_most(0);
  profile.at_most.reset();
  profile.ports = 4;
  profile.tuning = {Picos{100}};
  profile.locking = {Picos{20}};
  profile.receivers = ReceiverTimes{.warm_time = {}, .warm = {Picos{0}}, .cold = {Picos{5}, Picos{30}}};
  const Verdict verdict = judge(findings_of({set_up(3, 0, 100, 50), set_up(2, 0, 100, 51)}, 4, Picos{0}), profile, {});
  EXPECT_EQ(verdict.limits[0], Picos{150});
  EXPECT_EQ(verdict.outside, (std::vector<bool>{false, true}));
}

TEST(Judge, LetsMirrorsBeParkedBeforeTheyMove) {
  SwitchProfile profile = at_most(0);
  profile.at_most.reset();
  profile.ports = 4;
  profile.tuning = {Picos{100}};
  profile.locking = {Picos{20}};
  profile.neighbours.park = Picos{30};
  const Verdict verdict = judge(findings_of({set_up(3, 0, 130, 20), set_up(2, 0, 131, 20)}, 4, Picos{0}), profile, {});
  EXPECT_EQ(verdict.limits[0], Picos{150});
  EXPECT_EQ(verdict.outside, (std::vector<bool>{false, true}));
}

/// Of a profile's group a cycle may be rounding, for each group before.
TEST(Judge, AddsWhatMirrorsWaitForOthersThatAreProgrammedBefore) {
  SwitchProfile profile = at_most(0);
  profile.at_most.reset();
  profile.ports = 4;
  profile.tuning = {Picos{100}};
  profile.program_time = Picos{25};
  profile.program_lanes = 1;
  const auto judged = [&](Picos tuning, Picos cycle) {
    return judge(findings_of({set_up(3, 0, tuning.n)}, 4, cycle), profile, {});
  };
  EXPECT_EQ(judged(Picos{175}, Picos{0}).limits[0], Picos{175});
  EXPECT_EQ(judged(Picos{175}, Picos{0}).count, 0U);
  EXPECT_EQ(judged(Picos{176}, Picos{0}).count, 1U);
  EXPECT_EQ(judged(Picos{190}, Picos{10}).count, 0U) << "100 + 3 * 30";
  EXPECT_EQ(judged(Picos{220}, Picos{10}).count, 1U) << "more than 175 + 4 cycles";
  profile.program_lanes = 2;
  EXPECT_EQ(judged(Picos{125}, Picos{0}).count, 0U);
  EXPECT_EQ(judged(Picos{126}, Picos{0}).count, 1U);
}

TEST(Judge, AddsTheTolerance) { EXPECT_EQ(judge(findings_of({set_up(0, 0, 110)}), at_most(100), Picos{10}).count, 0u); }

TEST(Judge, HoldsEachPairToItsOwnDelayWithoutBounds) {
  SwitchProfile profile = at_most(0);
  profile.at_most.reset();
  profile.tuning = {Picos{10}, Picos{20}, Picos{30}, Picos{40}};  // in 0: out 0, 1; in 1: out 0, 1
  profile.locking = {Picos{1}, Picos{2}};
  const Findings findings = findings_of({set_up(0, 0, 11), set_up(1, 0, 23), set_up(0, 1, 30, 1), set_up(1, 1, 42)});
  EXPECT_EQ(judge(findings, profile, {}).outside, (std::vector<bool>{false, true, false, false}));
  CircuitSetUp unknown = set_up(1, 0, 42);
  unknown.in.reset();
  EXPECT_EQ(judge(findings_of({unknown}), profile, {}).limits[0], Picos{42}) << "the slowest pair of output 1";
  EXPECT_THROW(judge(findings_of({set_up(0, 0, 1)}, 3), profile, {}), Error);
}

TEST(Judge, TakesNeverUpForWorseThanAnyDelay) {
  CircuitSetUp never = set_up(0, 0, 5);
  never.up = false;
  const Findings findings = findings_of({set_up(1, 1, 1'000'000), never});
  const Verdict verdict = judge(findings, at_most(100), {});
  EXPECT_EQ(complaint(findings, verdict),
            "2 of 2 set-ups are out of the bounds of \"p\"; the worst: output 0 from input 0, before it idle, not up "
            "after 5 ps");
}

TEST(Judge, LetsALogEndInTime) {
  CircuitSetUp open = set_up(0, 0, 99);
  open.in.reset();
  open.from = From::unknown;
  open.up = false;
  EXPECT_EQ(judge(findings_of({open}), at_most(100), {}).count, 0u);
  open.tuning = Picos{101};
  const Findings late = findings_of({open});
  EXPECT_EQ(complaint(late, judge(late, at_most(100), {})),
            "1 of 1 set-up is out of the bounds of \"p\"; the worst: output 0, still dark after 101 ps");
}

}  // namespace
}  // namespace ocs::characterize
