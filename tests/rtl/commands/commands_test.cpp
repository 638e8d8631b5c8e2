// Commands that wait (sections 1, 3 and 11): when they act, how they merge, what is taken back, the bounds they give.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <utility>

#include "Vocs_commands.h"
#include "Vocs_commands__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr std::uint32_t unbounded = 0xFFFF'FFFF;

class Commands : public Bench<Vocs_commands, Vocs_commands__Syms> {
 public:
  /// An edge at which the fabric moves or not; writes and what is done are set before and are over after it.
  void at(bool go) {
    top.go_i = go;
    edge();
    top.commit_we_i = top.cancel_we_i = top.commit_at_we_i = top.go_we_i = top.swap_we_i = top.stop_we_i = 0;
    top.start_we_i = top.halt_we_i = top.retry_we_i = top.sw_done_i = top.timed_done_i = top.go_i = 0;
    top.eval();
  }
  void arm(std::uint32_t low, std::uint32_t high, std::uint32_t strobes = 0xFFFF'FFFF) {
    top.biten_i = strobes;
    top.commit_at_we_i = 1;
    top.data_i = low;
    at(false);
    top.commit_at_we_i = 2;
    top.data_i = high;
    at(false);
  }
};

TEST(Commands, WaitForAnEdgeAtWhichTheFabricMovesAndMergeUntilThen) {
  Commands of;
  EXPECT_EQ(of.top.pending_bound_o, unbounded);
  of.top.start_we_i = 0b0001;
  of.top.halt_we_i = 0b1000;
  of.top.retry_we_i = 0b0010;
  of.top.go_we_i = of.top.swap_we_i = of.top.stop_we_i = 1;
  of.at(false);
  of.top.start_we_i = 0b0100;
  of.at(false);
  EXPECT_EQ(of.top.pending_bound_o, 1u);
  EXPECT_EQ(of.top.start_o, 0b0101);
  EXPECT_EQ(of.top.stop_o, 0b1000);
  EXPECT_EQ(of.top.retry_o, 0b0010);
  EXPECT_TRUE(of.top.seq_go_o & of.top.seq_swap_o & of.top.seq_stop_o);
  of.top.start_we_i = 0b0010;  // at the edge at which the others act
  of.at(true);
  EXPECT_EQ(of.top.start_o, 0b0010);
  EXPECT_FALSE(of.top.stop_o | of.top.retry_o | of.top.seq_go_o | of.top.seq_swap_o | of.top.seq_stop_o);
  of.at(true);
  EXPECT_EQ(of.top.pending_bound_o, unbounded);
}

TEST(Commands, KeepASoftwareCommitUntilItIsDoneOrTakenBack) {
  Commands of;
  of.top.commit_we_i = 1;
  of.at(false);
  of.at(true);  // it loses
  EXPECT_EQ(of.top.sw_o, 1);
  of.top.commit_we_i = of.top.sw_done_i = 1;  // done, and written again at the same edge
  of.at(true);
  EXPECT_EQ(of.top.sw_o, 1);
  of.top.sw_done_i = 1;
  of.at(true);
  EXPECT_EQ(of.top.sw_o, 0);
  of.top.commit_we_i = 1;
  of.at(false);
  of.top.cancel_we_i = 1;
  of.at(false);
  EXPECT_EQ(of.top.sw_o, 0);
  EXPECT_EQ(of.top.pending_bound_o, unbounded);
}

TEST(Commands, ArmByTheHighWordAlone) {
  Commands of;
  of.top.biten_i = 0xFFFF'FFFF;
  of.top.commit_at_we_i = 1;
  of.top.data_i = 77;
  of.at(false);
  EXPECT_EQ(of.top.armed_o, 0);
  EXPECT_EQ(of.top.commit_at_o, 0u);
  of.top.commit_at_we_i = 2;
  of.top.data_i = 5;
  of.at(false);
  EXPECT_EQ(of.top.armed_o, 1);
  EXPECT_EQ(of.top.commit_at_o, (std::uint64_t{5} << 32 | 77));
  of.arm(0xABCD, 0xFFFF, 0x0000'FF00);  // one byte of each
  EXPECT_EQ(of.top.commit_at_o, (std::uint64_t{0xFF05} << 32 | 0xAB4D));
  of.top.timed_done_i = 1;
  of.at(true);
  EXPECT_EQ(of.top.armed_o, 0);
  of.arm(1, 0);
  of.top.cancel_we_i = 1;
  of.at(false);
  EXPECT_EQ(of.top.armed_o, 0);
}

TEST(Commands, KeepTheTagThatTheyWereWrittenWith) {
  Commands of;
  const auto tags = [&of] { return std::pair<unsigned, unsigned>(of.top.sw_tag_o, of.top.timed_tag_o); };
  of.top.tag_i = 5;
  of.top.commit_we_i = 1;
  of.at(false);
  of.top.tag_i = 63;
  of.arm(1, 0);
  of.top.tag_i = 7;
  of.at(true);
  EXPECT_EQ(tags(), std::pair(5u, 63u));
  of.top.commit_we_i = 1;  // merges
  of.at(false);
  EXPECT_EQ(tags(), std::pair(7u, 63u));
  of.top.tag_i = 8;
  of.top.commit_at_we_i = 1;  // the low word arms nothing
  of.at(false);
  EXPECT_EQ(tags(), std::pair(7u, 63u));
  of.arm(2, 0);
  EXPECT_EQ(tags(), std::pair(7u, 8u));
}

TEST(Commands, BoundAStepByTheCycleOfTheTimedCommit) {
  Commands of;
  EXPECT_EQ(of.top.timed_bound_o, unbounded);
  of.arm(100, 0);
  const auto bound = [&of](std::uint64_t time) {
    of.top.time_i = time;
    of.top.eval();
    return of.top.timed_bound_o;
  };
  EXPECT_EQ(bound(40), 61u);
  EXPECT_EQ(bound(99), 2u);
  EXPECT_EQ(bound(100), 1u);
  EXPECT_EQ(bound(1000), 1u);  // past
  of.arm(0, 1);
  EXPECT_EQ(bound(0), unbounded);
  EXPECT_EQ(bound(1), unbounded);
  EXPECT_EQ(bound(2), unbounded);
  EXPECT_EQ(bound(3), unbounded - 1);
}

}  // namespace
}  // namespace ocs::test
