// Where two event logs part, in words.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/event_words.hpp"

#include <gtest/gtest.h>

#include "testbed/regress/outcome.hpp"
#include "testbed/regress/program_case.hpp"

namespace ocs::conformance {
namespace {

using Log = std::vector<LoggedEvent>;
const LoggedEvent tuning{800, 1, 3, 1}, up{812, 1, 3, 3}, locking{812, 1, 3, 2};

TEST(EventWords, SayWhatAnOutputDidInPlaceOfWhat) {
  EXPECT_EQ(first_difference_in_words(Log{tuning, locking}, Log{tuning, up}),
            "output 3 went from TUNING to UP at cycle 812; expected LOCKING");
  EXPECT_EQ(first_difference_in_words(Log{tuning, up}, Log{tuning, {815, 1, 3, 3}}),
            "output 3 went from TUNING to UP at cycle 815; expected cycle 812");
  EXPECT_EQ(first_difference_in_words(Log{tuning, up}, Log{tuning, up}), "");
}

TEST(EventWords, SayWhatIsMissingAndWhatIsTooMuch) {
  EXPECT_EQ(first_difference_in_words(Log{tuning, up}, Log{tuning}),
            "nothing more happened; expected that output 3 went from TUNING to UP at cycle 812");
  EXPECT_EQ(first_difference_in_words(Log{}, Log{tuning}),
            "output 3 went from IDLE to TUNING at cycle 800; expected no event");
}

TEST(EventWords, NameEveryClass) {
  EXPECT_EQ(first_difference_in_words(Log{{5, 0, 0, 0}}, Log{{5, 2, 1, 0}}),
            "the burst of input 1 ended at cycle 5; expected that the software map was committed at cycle 5");
  EXPECT_EQ(first_difference_in_words(Log{{5, 0, 2, 2}}, Log{{5, 0, 1, 1}}),
            "the timed map was refused at cycle 5; expected that the sequencer map wrapped around at cycle 5");
}

TEST(Differences, AreSaidOnceForAllThatDifferAlike) {
  regress::Differences differences;
  EXPECT_EQ(differences.outcome().verdict, regress::Verdict::passed);
  differences.add({"verilated", true, 0}, "output 3 is late", "detail");
  differences.add({"verilated_fast", false, 0}, "output 3 is late", "detail");
  differences.add({"sysc", true, 0}, "another", "");
  const regress::Outcome outcome = differences.outcome();
  EXPECT_EQ(outcome.sentence, "verilated and verilated_fast: output 3 is late");
  EXPECT_EQ(outcome.log,
            "verilated, warped\nverilated_fast, unwarped\n  output 3 is late\ndetail\nsysc, warped\n  another\n\n");
}

TEST(Cause, LeavesOutNumbersAndWhatIsInQuotesOrBrackets) {
  EXPECT_EQ(regress::cause_of("output 3 went to UP at cycle 812"),
            regress::cause_of("output 12 went to UP at cycle 9"));
  EXPECT_EQ(regress::cause_of("file \"a 1\" is wrong"), "file \" is wrong");
  EXPECT_EQ(regress::cause_of("op 3 [\"advance\",[1]]: in cycle 1 TUNINGS[0] is 2, not 1 (and 1 more)"),
            regress::cause_of("op 12 [\"advance_irq\",10000000]: in cycle 10000000 TUNINGS[1] is 4, not 3"));
  EXPECT_EQ(regress::cause_of("a) b"), "a) b");
  EXPECT_NE(regress::cause_of("expected UP"), regress::cause_of("expected HELD"));
}

}  // namespace
}  // namespace ocs::conformance
