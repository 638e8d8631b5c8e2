// The counters (section 7): where each word goes, and 64 bits of it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "Vocs_counters.h"
#include "Vocs_counters__Syms.h"
#include "Vocs_counters___024root.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned idle = 0, tuning = 1, up = 3, held = 4, failed = 5;
using Counters = Bench<Vocs_counters, Vocs_counters__Syms>;

/// Output 0 selects input 1 and is in `state`; the others select nothing.
void connect(Counters& counters, unsigned state) {
  counters.top.valid_i = state == idle ? 0 : 1;
  counters.top.input_i[0] = 1;
  counters.top.state_i[0] = state;
  counters.top.passes_i = state == up ? 1 : 0;
  counters.top.routed_i = state == idle ? 0 : 2;
}

TEST(Counters, PassWordsInUpAndLoseThemInEveryOtherState) {
  Counters counters;
  counters.top.step_i = 5;
  counters.top.words_i[1] = 3;
  for (const unsigned state : {tuning, 2u, up, held, failed, idle}) {
    connect(counters, state);
    counters.edge();
  }
  EXPECT_EQ(counters.top.passed_o[0], 3u);
  EXPECT_EQ(counters.top.lost_o[0], 12u);
  EXPECT_EQ(counters.top.dark_o[0], 20u);
  EXPECT_EQ(counters.top.sent_o[1], 18u);
  EXPECT_EQ(counters.top.unrouted_o[1], 3u);
}

/// Disturbed or dim: the state stays UP.
TEST(Counters, LoseTheWordsOfAnOutputThatIsUpButPassesNothing) {
  Counters counters;
  counters.top.step_i = 5;
  counters.top.words_i[1] = 3;
  connect(counters, up);
  counters.top.passes_i = 0;
  counters.edge();
  EXPECT_EQ(counters.top.passed_o[0], 0u);
  EXPECT_EQ(counters.top.lost_o[0], 3u);
  EXPECT_EQ(counters.top.dark_o[0], 0u);
  EXPECT_EQ(counters.top.sent_o[1], 3u);
  EXPECT_EQ(counters.top.unrouted_o[1], 0u);
}

TEST(Counters, CountWordsOfThePositionThatAStuckMirrorShows) {
  Counters counters;
  counters.top.step_i = 5;
  connect(counters, failed);
  counters.top.position_i[0] = 2;
  counters.top.words_i[1] = 3;
  counters.top.words_i[2] = 4;
  counters.edge();
  EXPECT_EQ(counters.top.misrouted_o[0], 0u) << "a position alone shows nothing";
  counters.top.misroutes_i = 1;
  counters.edge();
  EXPECT_EQ(counters.top.misrouted_o[0], 4u);
  EXPECT_EQ(counters.top.lost_o[0], 6u) << "the words of the selection are counted besides";
  EXPECT_EQ(counters.top.unrouted_o[2], 8u) << "those of the position go where their own outputs say";
  for (unsigned o = 1; o < 4; ++o) EXPECT_EQ(counters.top.misrouted_o[o], 0u);
  counters.top.step_i = 0;
  counters.edge();
  EXPECT_EQ(counters.top.misrouted_o[0], 4u);
}

TEST(Counters, CountNothingOnABusEdge) {
  Counters counters;
  connect(counters, up);
  counters.top.words_i[1] = 3;
  counters.top.taken_i = counters.top.late_i = counters.top.dropped_i = 1;
  counters.top.started_i = counters.top.restarted_i = 1;
  counters.edge();
  EXPECT_EQ(counters.top.passed_o[0] + counters.top.sent_o[1] + counters.top.commits_o + counters.top.late_o, 0u);
  EXPECT_EQ(counters.top.dropped_o + counters.top.tunings_o[0] + counters.top.restarts_o[0], 0u);
  counters.top.step_i = 3;
  counters.edge();
  EXPECT_EQ(counters.top.tunings_o[0], 1u);
  EXPECT_EQ(counters.top.restarts_o[0], 1u);
  EXPECT_EQ(counters.top.commits_o, 1u);
  EXPECT_EQ(counters.top.late_o, 1u);
  EXPECT_EQ(counters.top.dropped_o, 1u);
}

TEST(Counters, CopyAMulticastWordToEveryOutput) {
  Counters counters;
  counters.top.step_i = 4;
  counters.top.valid_i = 0xF;
  counters.top.routed_i = 4;
  counters.top.words_i[2] = 4;
  counters.top.passes_i = 7;
  for (unsigned o = 0; o < 4; ++o) {
    counters.top.input_i[o] = 2;
    counters.top.state_i[o] = o == 3 ? tuning : up;
  }
  counters.edge();
  for (unsigned o = 0; o < 3; ++o) EXPECT_EQ(counters.top.passed_o[o], 4u);
  EXPECT_EQ(counters.top.lost_o[3], 4u);
  EXPECT_EQ(counters.top.unrouted_o[2], 0u);
}

TEST(Counters, CarryThroughAllSixtyFourBits) {
  Counters counters;
  auto& state = *counters.top.rootp;
  for (auto* set :
       {&state.ocs_counters__DOT__passed_q, &state.ocs_counters__DOT__dark_q, &state.ocs_counters__DOT__tunings_q,
        &state.ocs_counters__DOT__restarts_q, &state.ocs_counters__DOT__sent_q, &state.ocs_counters__DOT__lost_q,
        &state.ocs_counters__DOT__unrouted_q, &state.ocs_counters__DOT__misrouted_q})
    for (unsigned p = 0; p < 4; ++p) (*set)[p] = 0x7FFF'FFFF'FFFF'FFFF;
  state.ocs_counters__DOT__commits_q = state.ocs_counters__DOT__refused_q = state.ocs_counters__DOT__late_q =
      state.ocs_counters__DOT__dropped_q = 0x7FFF'FFFF'FFFF'FFFF;
  counters.edge();  // what is computed from the state follows
  counters.top.step_i = 1;
  counters.top.taken_i = counters.top.late_i = counters.top.dropped_i = 1;
  counters.top.started_i = counters.top.restarted_i = 0xF;
  counters.top.valid_i = counters.top.misroutes_i = 0xF;
  counters.top.routed_i = counters.top.passes_i = 3;
  for (unsigned p = 0; p < 4; ++p) {
    counters.top.words_i[p] = 1;
    counters.top.input_i[p] = p % 2;
    counters.top.state_i[p] = p < 2 ? up : tuning;
  }
  counters.edge();
  constexpr std::uint64_t carried = 0x8000'0000'0000'0000;
  EXPECT_EQ(counters.top.passed_o[0], carried);
  EXPECT_EQ(counters.top.lost_o[2], carried);
  EXPECT_EQ(counters.top.dark_o[3], carried);
  EXPECT_EQ(counters.top.tunings_o[1], carried);
  EXPECT_EQ(counters.top.restarts_o[3], carried);
  EXPECT_EQ(counters.top.sent_o[0], carried);
  EXPECT_EQ(counters.top.unrouted_o[3], carried);
  EXPECT_EQ(counters.top.misrouted_o[2], carried);
  EXPECT_EQ(counters.top.commits_o, carried);
  EXPECT_EQ(counters.top.late_o, carried);
  EXPECT_EQ(counters.top.dropped_o, carried);
  counters.top.taken_i = 0;
  counters.top.refused_i = 1;
  counters.edge();
  EXPECT_EQ(counters.top.refused_o, carried);
  EXPECT_EQ(counters.top.commits_o, carried);
}

}  // namespace
}  // namespace ocs::test
