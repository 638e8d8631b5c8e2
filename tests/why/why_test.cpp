// The chain of an iteration has no gaps and names the right causes, whatever kind of job ran.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "testbed/experiment/prepare.hpp"
#include "testbed/run/run.hpp"
#include "testbed/why/chain.hpp"
#include "testbed/why/difference.hpp"
#include "tests/timeline/small_point.hpp"

namespace ocs {
namespace {

using test::placed_servers;
using test::small_point;

std::pair<Row, std::unique_ptr<History>> watched(const Point& point) {
  auto history = std::make_unique<History>();
  RunOptions options;
  options.watch = history.get();
  Row row = run_point(point, options);
  return {std::move(row), std::move(history)};
}

Picos of(const Totals& totals, Cause cause) { return totals.causes[static_cast<std::size_t>(cause)]; }

/// Each link begins where the one before ends; all of the span is explained.
void expect_whole(const History& history, const Span& span) {
  Picos at = span.from;
  for (const Link& link : chain_of(history, span)) {
    EXPECT_EQ(link.from, at);
    EXPECT_GT(link.to, link.from);
    EXPECT_NE(link.what, "nothing that is known");
    at = link.to;
  }
  EXPECT_EQ(at, span.to);
}

struct Kind {
  const char* name;
  std::string fabric, job, head;
};

class EveryKind : public testing::TestWithParam<Kind> {};

TEST_P(EveryKind, LinksAddUpToTheIterationExactly) {
  const auto [row, history] = watched(small_point(GetParam().fabric, GetParam().job, GetParam().head));
  const std::vector<Span> spans = spans_of(*history);
  EXPECT_GE(spans.size(), 1U);
  for (const Span& span : spans) expect_whole(*history, span);
  const Span run = whole_run(*history);
  expect_whole(*history, run);
  const Totals totals = totals_of(chain_of(*history, run));
  EXPECT_GT(of(totals, Cause::communication), Picos{0});
  EXPECT_EQ(of(totals, Cause::compute) > Picos{0}, GetParam().job.find("compute = '2 us'") != std::string::npos);
}

const std::string servers = placed_servers;
const std::string policy_maps =
    "collective = 'all_to_all'\nalgorithm = 'bruck'\nworkers = 4\niterations = 2\ncompute = '2 us'\n";

INSTANTIATE_TEST_SUITE_P(
    Why, EveryKind,
    testing::Values(
        Kind{"phases", "", servers, ""}, Kind{"planes", "planes = 2\n", servers, ""},
        Kind{"all_stop", "all_stop = true\n", servers, "policy = 'solstice_allstop'\n"},
        Kind{"packets", "", servers, "network = 'packet'\n"},
        Kind{"timetable", "", servers, "control.mode = 'timetable'\ncontrol.guard = '20 ns'\n"},
        Kind{"far", "fibre = '50 ns'\n", servers, "nodes.control_latency = '300 ns'\n"},
        Kind{"far_apart", "fibre = '50 ns'\n", servers, "nodes.extra_fibre = '0 ns, 300 ns, 70 ns'\n"},
        Kind{"far_apart_eager", "", servers + "sync = 'ssp'\n", "nodes.extra_fibre = '0 ns, 300 ns, 70 ns'\n"},
        Kind{"collective", "", "collective = 'all_reduce'\nworkers = 4\niterations = 2\ncompute = '2 us'\n", ""},
        Kind{"maps", "", policy_maps, "collective.reconfigure = 'optimal'\n"},
        Kind{"maps_of_planes", "planes = 2\n", policy_maps, "collective.reconfigure = 'together'\n"},
        Kind{"peers", "", "peers = 'mesh'\nworkers = 4\niterations = 2\ncompute = '2 us'\n", "policy = 'multicast'\n"},
        Kind{"lost", "outages = '1: 4 us - 9 us'\n", servers, "nodes.rates = '100 Gbit/s, 50 Gbit/s'\n"}),
    [](const auto& kind) { return std::string(kind.param.name); });

/// One after the other: two workers push to one server, which then sends to both; each set-up takes 1.1 us.
TEST(Why, NamesTheTransferThatHeldThePort) {
  const auto [row, history] = watched(small_point("", "workers = 2\nservers = 1\niterations = 1\ncompute = '2 us'\n"));
  const std::vector<Span> spans = spans_of(*history);
  ASSERT_EQ(spans.size(), 2U);
  const Span last = std::ranges::max(spans, {}, [](const Span& span) { return span.to; });
  EXPECT_EQ(last.to, row.sim_time);
  const Totals totals = totals_of(chain_of(*history, last));
  EXPECT_EQ(of(totals, Cause::compute), Picos{2'000'000});
  EXPECT_EQ(of(totals, Cause::dark), (row.tuning + row.locking) * 4);
  const std::int64_t words = row.words_passed;  // of two pushes and two pulls, all of them one behind another
  EXPECT_EQ(of(totals, Cause::communication), row.cycle * words);
  ASSERT_EQ(totals.ports.size(), 2U);
  EXPECT_EQ(totals.ports.at("output 0").transfers, 1) << "one push waited for another";
  EXPECT_EQ(totals.ports.at("input 0").transfers, 1) << "one pull waited for another";
}

TEST(Why, NamesItToNodesThatAreFarApart) {
  const auto [row, history] = watched(small_point("", "workers = 2\nservers = 1\niterations = 1\ncompute = '2 us'\n",
                                                  "nodes.extra_fibre = '0 ns, 300 ns, 700 ns'\n"));
  const Totals totals = totals_of(chain_of(*history, whole_run(*history)));
  ASSERT_EQ(totals.ports.size(), 2U);
  EXPECT_EQ(totals.ports.at("output 0").transfers, 1);
  EXPECT_EQ(totals.ports.at("input 0").transfers, 1);
}

TEST(Why, SaysThatAPlanWasBeingMade) {
  const Point plain = small_point("", servers), charged = small_point("", servers, "charge_planning = '3 us'\n");
  const auto planning = [](const Point& point) {
    const auto [row, history] = watched(point);
    return of(totals_of(chain_of(*history, whole_run(*history))), Cause::planning);
  };
  EXPECT_EQ(planning(plain), Picos{0});
  EXPECT_EQ(planning(charged), Picos{3'000'000 + 320} * 6)
      << "a plan of pushes and one of pulls, three times, in cycles";
}

/// A fast worker may be one push ahead: what it waits for is the computing of the slow one.
TEST(Why, FollowsAWaitAtTheGateToTheSlowWorker) {
  const auto [row, history] = watched(small_point(
      "", "workers = 3\nservers = 2\niterations = 6\ncompute = '2 us'\nsync = 'ssp'\n", "compute.factors = '2: 20'\n"));
  const std::uint16_t fast = std::ranges::min(history->computing, {}, &Computing::to).node;
  bool waited = false;
  for (const Span& span : spans_of(*history)) {
    expect_whole(*history, span);
    if (span.worker == fast)
      for (const Link& link : chain_of(*history, span))
        waited = waited || (link.cause == Cause::compute && !link.what.starts_with("node " + std::to_string(fast)));
  }
  EXPECT_TRUE(waited);
}

/// r2sp lets workers go one after another, with gaps in which nothing happens for them.
TEST(Why, SaysThatTheGateHeldAWorkerBack) {
  const auto [row, history] =
      watched(small_point("", "workers = 3\nservers = 2\niterations = 6\ncompute = '200 us'\nsync = 'r2sp'\n"));
  Picos gate;
  for (const Span& span : spans_of(*history)) {
    expect_whole(*history, span);
    gate += of(totals_of(chain_of(*history, span)), Cause::gate);
  }
  EXPECT_GT(gate, Picos{0});
}

TEST(Why, KnowsWhereTheServersAre) {
  EXPECT_EQ(watched(small_point("", servers)).second->servers, (std::vector{Node{0}, Node{1}}));
  const std::string any_node = "policy = 'psscheduler'\n";
  EXPECT_EQ(watched(small_point("", servers, any_node)).second->servers,
            prepare(small_point("", servers, any_node)).placement.servers);
  EXPECT_TRUE(
      watched(small_point("", "collective = 'all_reduce'\nworkers = 4\niterations = 1\n")).second->servers.empty());
}

TEST(Why, FindsWhereTwoRunsPart) {
  const auto [row, history] = watched(small_point("", servers));
  const auto [other_row, other] = watched(small_point("", servers, "policy = 'psscheduler'\n"));
  const std::vector<std::string> same = partings_of(*history, *history), differ = partings_of(*history, *other);
  ASSERT_EQ(same.size(), 3U);
  for (const std::string& one : same) EXPECT_TRUE(one.starts_with("each ")) << one;
  EXPECT_TRUE(differ[1].starts_with("the first circuit that differs is number ")) << differ[1];
}

}  // namespace
}  // namespace ocs
