// The slices of a timeline add up to the columns of its row, whatever kind of job ran.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/timeline/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "testbed/run/run.hpp"
#include "tests/timeline/small_point.hpp"

namespace ocs {
namespace {

using test::placed_servers;
using test::small_point;
using Json = nlohmann::json;

struct Traced {
  Row row;
  Json events;
};

Traced traced(const Point& point) {
  const std::string file = testing::TempDir() + "timeline_" + std::to_string(getpid()) + ".json";
  Timeline timeline(file, false);
  RunOptions options;
  options.watch = &timeline;
  Traced result;
  result.row = run_point(point, options);
  timeline.finish(result.row);
  std::ifstream in(file);
  result.events = Json::parse(in).at("traceEvents");
  EXPECT_EQ(static_cast<std::int64_t>(result.events.size()), timeline.events());
  std::filesystem::remove(file);
  return result;
}

std::int64_t ps(const Json& microseconds) { return std::llround(microseconds.get<double>() * 1e6); }
std::int64_t length(const Json& slice) { return slice.at("args").at("length_ps"); }

/// Slices of a group of tracks by name; those of one name and track must not overlap.
std::map<std::string, std::int64_t> sums(const Json& events, int first_group, int last_group,
                                         const std::set<int>& tracks = {}) {
  std::map<std::string, std::int64_t> sums;
  for (const Json& event : events) {
    const int group = event.at("pid"), track = event.at("tid");
    if (event.at("ph") != "X" || group < first_group || group > last_group) continue;
    if (tracks.empty() || tracks.contains(track)) sums[event.at("name")] += length(event);
  }
  return sums;
}

void expect_ports_add_up(const Traced& run) {
  auto states = sums(run.events, 10, 1000);
  const auto cycles = [&](const char* state) { return Cycles{states[state] / run.row.cycle.n}; };
  EXPECT_EQ(cycles("up"), run.row.port_up);
  EXPECT_EQ(cycles("tuning"), run.row.port_tuning);
  EXPECT_EQ(cycles("locking"), run.row.port_locking);
  EXPECT_EQ(cycles("held") + cycles("failed"), run.row.port_held);
  EXPECT_EQ(cycles("idle"), run.row.port_idle);
  std::int64_t words = 0;
  for (const Json& event : run.events)
    if (event.at("ph") == "X" && event.at("name") == "words") words += event.at("args").at("words").get<std::int64_t>();
  EXPECT_EQ(words, run.row.words_passed);
  EXPECT_GT(words, 0);
}

using Slice = std::pair<std::int64_t, std::int64_t>;  // from, -to: sorted, what contains others comes first

void expect_nested(std::vector<Slice> slices, const std::string& where) {
  std::sort(slices.begin(), slices.end());
  std::vector<std::int64_t> open;
  for (const auto& [from, minus_to] : slices) {
    while (!open.empty() && open.back() <= from) open.pop_back();
    EXPECT_TRUE(open.empty() || -minus_to <= open.back()) << where << ", from " << from;
    open.push_back(-minus_to);
  }
}

/// Each arrow begins and ends within a slice of its track, and no two slices of a track overlap without nesting:
/// neither in picoseconds nor as Perfetto rounds them, beginning and length each to a nanosecond. Perfetto takes
/// thread 0 of a process for the one with the number of the process.
void expect_well_formed(const Json& events) {
  const auto ns = [](const Json& microseconds) { return std::llround(microseconds.get<double>() * 1e3); };
  std::map<std::pair<int, int>, std::vector<Slice>> slices, rounded;
  for (const Json& event : events) {
    if (event.at("ph") != "X") continue;
    const std::pair<int, int> track{event.at("pid"), event.at("tid")};
    EXPECT_GT(track.second, 0);
    const std::int64_t from = ps(event.at("ts")), from_ns = ns(event.at("ts"));
    slices[track].emplace_back(from, -from - length(event));
    rounded[track].emplace_back(from_ns, -from_ns - ns(event.at("dur")));
  }
  for (const auto& [track, list] : slices) {
    const std::string where = "group " + std::to_string(track.first) + ", track " + std::to_string(track.second);
    expect_nested(list, where);
    expect_nested(rounded[track], where + ", rounded");
  }
  for (const Json& event : events) {
    if (event.at("ph") != "s" && event.at("ph") != "f") continue;
    const std::int64_t at = ps(event.at("ts"));
    const auto& list = slices[{event.at("pid"), event.at("tid")}];
    EXPECT_TRUE(std::ranges::any_of(list, [&](const auto& one) { return one.first <= at && at <= -one.second; }));
  }
}

std::int64_t count(const Json& events, const std::string& phase) {
  return std::ranges::count_if(events, [&](const Json& event) { return event.at("ph") == phase; });
}

TEST(Timeline, PortsAddUpToTheColumnsWithServers) {
  const Traced run = traced(small_point("", placed_servers));
  expect_ports_add_up(run);
  expect_well_formed(run.events);
  // Three workers push to two servers and pull from them, three times.
  EXPECT_EQ(count(run.events, "s"), 3 * 2 * 2 * 3);
  EXPECT_EQ(count(run.events, "f"), 3 * 2 * 2 * 3);
}

TEST(Timeline, PortsAddUpWithSeveralPlanes) {
  const Traced run = traced(small_point("planes = 2\n", placed_servers));
  expect_ports_add_up(run);
  expect_well_formed(run.events);
}

TEST(Timeline, PortsAddUpWhereAllStop) {
  const Traced run = traced(small_point("all_stop = true\n", placed_servers, "policy = 'solstice_allstop'\n"));
  EXPECT_GT(run.row.port_held.n, 0);
  expect_ports_add_up(run);
}

TEST(Timeline, PortsAddUpWithACollective) {
  const Traced run =
      traced(small_point("", "collective = 'all_reduce'\nworkers = 4\niterations = 2\ncompute = '2 us'\n"));
  expect_ports_add_up(run);
  expect_well_formed(run.events);
  std::set<std::string> legs;
  for (const Json& event : run.events)
    if (event.at("ph") == "b" && event.at("pid") == 2) legs.insert(event.at("name"));
  EXPECT_EQ(legs, (std::set<std::string>{"job 0: leg 0, iteration 0", "job 0: leg 0, iteration 1"}));
}

TEST(Timeline, PortsAddUpWhereAPolicySetsMaps) {
  for (const std::string policy : {"always", "never", "optimal", "together", "alternate", "overlap"}) {
    SCOPED_TRACE(policy);
    const bool of_planes = policy == "together" || policy == "alternate" || policy == "overlap";
    const Traced run = traced(
        small_point(of_planes ? "planes = 2\n" : "",
                    "collective = 'all_to_all'\nalgorithm = 'bruck'\nworkers = 4\niterations = 2\ncompute = '2 us'\n",
                    "collective.reconfigure = '" + policy + "'\n"));
    expect_ports_add_up(run);
    expect_well_formed(run.events);
    EXPECT_EQ(count(run.events, "s"), count(run.events, "f"));
  }
}

TEST(Timeline, PortsAddUpWithPeers) {
  expect_ports_add_up(traced(
      small_point("", "peers = 'mesh'\nworkers = 4\niterations = 2\ncompute = '2 us'\n", "policy = 'multicast'\n")));
}

TEST(Timeline, PortsAddUpWhenWordsAreSlowAndLost) {
  const Traced run =
      traced(small_point("outages = '1: 4 us - 9 us'\n", placed_servers, "nodes.rates = '100 Gbit/s, 50 Gbit/s'\n"));
  EXPECT_GT(run.row.words_retransmitted, 0);
  expect_ports_add_up(run);
  expect_well_formed(run.events);
}

/// What a row says of its workers is a mean, rounded down but for the last part.
TEST(Timeline, NodesAddUpToTheColumns) {
  const Traced run = traced(small_point("", placed_servers));
  const int workers = 3;
  std::set<int> tracks;
  for (const Json& event : run.events)  // those who compute are the workers
    if (event.at("ph") == "X" && event.at("name") == "computing") tracks.insert(event.at("tid").get<int>());
  ASSERT_EQ(tracks.size(), 3U);
  auto states = sums(run.events, 1, 1, tracks);
  EXPECT_EQ(Picos{states["computing"] / workers}, run.row.node_compute);
  EXPECT_EQ(Picos{(states["pushing"] + states["pulling"]) / workers}, run.row.node_communication);
  EXPECT_EQ(Picos{states["dark"] / workers}, run.row.node_dark);
  std::int64_t all = 0;
  for (const auto& [name, length] : states) all += length;
  EXPECT_EQ(Picos{all}, run.row.sim_time * workers) << "without gaps";
}

/// Of each grant but the first of a worker the row has what it waited for.
void expect_grants_add_up(const Traced& run, int workers) {
  std::int64_t grants = 0, waited = 0, longest = 0, slices = 0;
  std::map<int, std::int64_t> next;  // iteration, by track
  for (const Json& event : run.events) {
    if (event.at("pid") != 6 || event.at("ph") == "M") continue;
    if (event.at("ph") == "X") slices += length(event);
    if (event.at("ph") != "i") continue;
    const std::int64_t iteration = event.at("args").at("iteration"), wait = event.at("args").at("waited_ps");
    EXPECT_EQ(iteration, next[event.at("tid").get<int>()]++);
    EXPECT_EQ(event.at("name"), "granted iteration " + std::to_string(iteration));
    if (iteration == 0) continue;
    ++grants;
    waited += wait;
    longest = std::max(longest, wait);
  }
  EXPECT_EQ(next.size(), static_cast<std::size_t>(workers));
  ASSERT_GT(grants, 0);
  ASSERT_TRUE(run.row.schemes);
  EXPECT_LE(std::abs(waited / grants - run.row.schemes->blocked_mean.n), 1) << "it is rounded";
  EXPECT_EQ(Picos{longest}, run.row.schemes->blocked_max);
  EXPECT_GT(longest, 0);
  EXPECT_EQ(slices, waited) << "nobody waits for the first iteration";
}

TEST(Timeline, GrantsOfTheGateAddUpToTheColumns) {
  for (const char* sync : {"bsp_phase", "r2sp"}) {
    const Traced run = traced(
        small_point("", placed_servers + ("sync = '" + std::string(sync) + "'\n"), "compute.factors = '1: 3, 2: 2'\n"));
    SCOPED_TRACE(sync);
    expect_grants_add_up(run, 3);
  }
}

TEST(Timeline, HasTracksOfFirmwareAndOfTheChain) {
  const std::string file = testing::TempDir() + "tracks_" + std::to_string(getpid()) + ".json";
  Timeline timeline(file, false);
  RunShape shape;
  shape.ports = 2;
  shape.cycle = Picos{1000};
  timeline.begin(shape);
  timeline.firmware(0, Cycles{3}, "before the run");
  timeline.starts(0, Cycles{5});
  timeline.firmware(0, Cycles{7}, "a \"line\"");
  timeline.waited("dark", Picos{5000}, Picos{9000}, "output 1 tunes", "output 1");
  timeline.waited("communication", Picos{9000}, Picos{12'000}, "push", "");
  timeline.finish({});
  std::ifstream in(file);
  const Json events = Json::parse(in).at("traceEvents");
  std::filesystem::remove(file);
  std::vector<Json> lines;
  std::ranges::copy_if(events, std::back_inserter(lines), [](const Json& event) { return event.at("ph") == "i"; });
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("name"), "before the run");
  EXPECT_EQ(ps(lines[0].at("ts")), 0);
  EXPECT_EQ(lines[1].at("name"), "a \"line\"");
  EXPECT_EQ(ps(lines[1].at("ts")), 2000);
  EXPECT_EQ(lines[1].at("args").at("cycle"), 7);
  EXPECT_EQ(sums(events, 8, 8), (std::map<std::string, std::int64_t>{{"communication", 3000}, {"dark", 4000}}));
}

TEST(Timeline, ShowsNodesOverPackets) {
  const Traced run = traced(small_point("", placed_servers, "network = 'packet'\n"));
  EXPECT_GT(sums(run.events, 1, 1)["pushing"], 0);
  EXPECT_TRUE(sums(run.events, 10, 1000).empty()) << "there is no switch";
}

TEST(Timeline, ChangesNothing) {
  const Point point = small_point("", placed_servers);
  EXPECT_EQ(traced(point).row.event_log_hash, run_point(point, {}).event_log_hash);
}

}  // namespace
}  // namespace ocs
