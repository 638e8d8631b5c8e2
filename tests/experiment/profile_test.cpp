// Where the wall time of a run goes, by a clock that the test sets.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/profile.hpp"

#include <gtest/gtest.h>

#include "host/device/sampled_stopwatch.hpp"

namespace ocs::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

Profile::Clock::time_point instant;
nanoseconds reading{0};  ///< what each look at the clock takes

Profile::Clock::time_point now() { return instant += reading; }

void pass(milliseconds time) { instant += time; }

class ProfileOfARun : public ::testing::Test {
 protected:
  ProfileOfARun() { reading = nanoseconds{0}; }
  ~ProfileOfARun() override { reading = nanoseconds{0}; }

  static void work(Profile& profile) {
    profile.start();
    pass(milliseconds{1});
    {
      const Profile::In network(&profile, Part::network);
      pass(milliseconds{2});
      {
        const Profile::In driver(&profile, Part::driver);
        const Profile::In device(&profile, Part::device);
        pass(milliseconds{4});
      }
      pass(milliseconds{8});
    }
    pass(milliseconds{16});
    profile.stop();
    pass(milliseconds{1000});
  }
};

TEST_F(ProfileOfARun, GivesTimeToTheInnermostPartAndBackToTheOneBefore) {
  Profile profile(&now);
  work(profile);
  EXPECT_EQ(profile.of(Part::rest), milliseconds{17});
  EXPECT_EQ(profile.of(Part::network), milliseconds{10});
  EXPECT_EQ(profile.of(Part::driver), milliseconds{0});
  EXPECT_EQ(profile.of(Part::device), milliseconds{4});
  EXPECT_EQ(profile.whole(), milliseconds{31});
  EXPECT_EQ(profile.stopwatch(), milliseconds{0});
}

TEST_F(ProfileOfARun, KeepsWhatTheStopwatchTakesApart) {
  reading = nanoseconds{100};
  Profile profile(&now);
  work(profile);
  EXPECT_EQ(profile.of(Part::network), milliseconds{10});
  EXPECT_EQ(profile.of(Part::device), milliseconds{4});
  EXPECT_EQ(profile.stopwatch(), nanoseconds{7 * 100});  // three parts begin and end, and the whole ends
  EXPECT_EQ(profile.whole(), milliseconds{31} + nanoseconds{700});
}

TEST_F(ProfileOfARun, BeginsAnewWithEachRow) {
  Profile profile(&now);
  work(profile);
  profile.evaluated(milliseconds{1}, 10);
  work(profile);
  EXPECT_EQ(profile.whole(), milliseconds{31});
  EXPECT_EQ(profile.evaluation(), milliseconds{0});
}

TEST_F(ProfileOfARun, ShowsPartsThatAddUp) {
  Profile profile(&now);
  work(profile);
  profile.evaluated(milliseconds{3}, 30);
  const std::string text = profile_text(profile, "a row");
  EXPECT_EQ(text.substr(0, text.find("  database")),
            "a row: 31.00 ms\n"
            "  rest             17.00 ms   54.8 %\n"
            "  controller       10.00 ms   32.3 %\n"
            "  RTL evaluation   3.000 ms    9.7 %   30 edges, 100.0 us each\n"
            "  glue             1.000 ms    3.2 %\n");
}

TEST_F(ProfileOfARun, NeverShowsMoreEvaluationThanTheDeviceTook) {
  Profile profile(&now);
  work(profile);
  profile.evaluated(milliseconds{5}, 30);  // by a sample: it may be too much
  EXPECT_EQ(profile.evaluation(), milliseconds{4});
}

TEST(SampledStopwatch, SeesNothingWhenItIsOff) {
  SampledStopwatch watch(false);
  int calls = 0;
  for (int k = 0; k < 100; ++k) watch([&] { ++calls; });
  EXPECT_EQ(calls, 100);
  EXPECT_EQ(watch.total().count(), 0);
}

struct TestClock {
  using duration = Profile::Clock::duration;
  static Profile::Clock::time_point now() { return ocs::test::now(); }
};

TEST(SampledStopwatch, CountsAllCallsByThoseThatItTimes) {
  reading = nanoseconds{25};
  SampledStopwatchBy<TestClock> watch(true);
  int calls = 0;
  for (int k = 0; k < 1300; ++k)
    watch([&] {
      ++calls;
      pass(milliseconds{2});
    });
  reading = nanoseconds{0};
  EXPECT_EQ(calls, 1300);
  EXPECT_EQ(watch.total(), milliseconds{2600});  // without the looks at the clock
}

}  // namespace
}  // namespace ocs::test
