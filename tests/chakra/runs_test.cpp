// Traces on the engine: closed forms, one hash on model and RTL, and how long many nodes take.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/why/chain.hpp"
#include "tests/chakra/traces.hpp"
#include "tests/common/refusal.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

namespace fs = std::filesystem;

/// Files t.0.et, t.1.et, ... in a folder of their own.
class ChakraRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lightloop-chakra-" + std::to_string(::getpid()) + "-" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(int rank, const std::vector<TestNode>& nodes) const {
    std::ofstream(folder_ / ("t." + std::to_string(rank) + ".et"), std::ios::binary) << trace_bytes(nodes);
  }

  Point point(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"fabric.device=model", "fabric.ports=64",  "fabric.tuning=10.24 us",
                                    "policy=sunflow",      "job.iterations=1", "job.workload=chakra:t.%d.et"};
    all.insert(all.end(), more.begin(), more.end());
    std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
    for (const std::string& each : all) later.push_back(read_override(each));
    apply_overrides(settings, later);
    Names names = all_schemes();
    const fs::path folder = folder_;
    names.load_phases = [folder](std::string_view name) { return load_phased_input(name, folder); };
    return resolve(settings, names, "x.toml").points.front();
  }

  fs::path folder_;
};

constexpr std::int64_t chakra_cycle = 5120, chakra_delta = 2001;

std::int64_t cycles_after(std::int64_t us) { return (us * 1'000'000 + chakra_cycle - 1) / chakra_cycle; }

/// 100 us of computing, a ring of 4000 words, 10 us of computing.
TEST_F(ChakraRuns, TakeTheirComputingAndTheirCollectives) {
  for (int rank = 0; rank < 4; ++rank)
    write(rank, {compute_node(1, 100), collective_node(2, 0, 64 * 4000, {1}), compute_node(3, 10, {2})});
  const Point one = point();
  const Row row = run_point(one, {});
  const std::int64_t ring = 2 * 3 * 1000;
  EXPECT_EQ(row.sim_time.n, (cycles_after(100) + chakra_delta + ring) * chakra_cycle + 10'000'000);
  EXPECT_EQ(row.words_passed, 4 * ring);
  EXPECT_EQ(row.slices, 1);
}

TEST_F(ChakraRuns, ExplainTheirComputing) {
  for (int rank = 0; rank < 4; ++rank)
    write(rank, {compute_node(1, 100), collective_node(2, 0, 64 * 4000, {1}), compute_node(3, 10, {2})});
  History history;
  RunOptions options;
  options.watch = &history;
  run_point(point(), options);
  const auto causes = totals_of(chain_of(history, whole_run(history))).causes;
  EXPECT_EQ(causes[static_cast<std::size_t>(Cause::compute)], Picos{110'000'000});
  EXPECT_EQ(causes[static_cast<std::size_t>(Cause::gate)], Picos{0});
}

TEST_F(ChakraRuns, ComputeOneStepAtATime) {
  write(0, {compute_node(1, 100), compute_node(2, 50), send_node(3, 1, 64, {1, 2})});
  write(1, {receive_node(3, 0, 64)});
  EXPECT_EQ(run_point(point(), {}).sim_time.n, (cycles_after(150) + chakra_delta + 1) * chakra_cycle);
}

/// Two groups at once; a rank takes part in one exchange at a time.
TEST_F(ChakraRuns, OfGroupsRunSideBySide) {
  std::ofstream(folder_ / "g.json") << R"({"a": [0, 1], "b": [2, 3]})";
  for (int rank = 0; rank < 4; ++rank) {
    const std::string group = rank < 2 ? "a" : "b";
    write(rank, {collective_node(1, 0, 64 * 100, {}, group), collective_node(2, 0, 64 * 100, {}, group)});
  }
  const Row row = run_point(point({"job.workload=chakra:t.%d.et?groups=g.json"}), {});
  EXPECT_EQ(row.sim_time.n, (chakra_delta + 100 + 1 + 100) * chakra_cycle);
}

TEST_F(ChakraRuns, GiveOneHashOnModelAndRtl) {
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    write(static_cast<int>(rank), {compute_node(1, 10 + rank),
                                   collective_node(2, 0, 64 * 400, {1}),
                                   collective_node(3, 6, 64 * 400, {2}),
                                   send_node(4, (rank + 1) % 4, 999, {3}),
                                   receive_node(5, (rank + 3) % 4, 999, {3}),
                                   {6, 7, {4, 5}, 0, {{"comm_type", 9}}},
                                   collective_node(7, 2, 6400, {6}),
                                   collective_node(8, 7, 6400, {7}),
                                   collective_node(9, 5, 6400, {8})});
  const std::vector<std::string> ports = {"fabric.ports=16", "job.iterations=3"};
  const Row model = run_point(point(ports), {});
  const Row rtl = run_point(point({"fabric.ports=16", "job.iterations=3", "fabric.device=verilated"}), {});
  EXPECT_EQ(model.event_log_hash, rtl.event_log_hash);
  EXPECT_EQ(model.words_lost + model.words_misrouted, 0);
  EXPECT_EQ(model.schemes->updates, 3 * 4);
}

TEST_F(ChakraRuns, RefuseAMissingRank) {
  for (const int rank : {0, 1, 3}) write(rank, {compute_node(1, 1)});
  const std::string said = refusal([&] { point(); });
  EXPECT_NE(said.find("lacks the trace of rank 2: there is one of rank 3"), std::string::npos) << said;
}

TEST_F(ChakraRuns, RefuseWhatATraceDoesNotGoWith) {
  for (const int rank : {0, 1}) write(rank, {compute_node(1, 1)});
  EXPECT_NE(
      refusal([&] { point({"collective.reconfigure=optimal"}); }).find("collective.reconfigure must be \"scheduler\""),
      std::string::npos);
  EXPECT_NE(refusal([&] { point({"fabric.ports=1"}); }), "");
  EXPECT_NE(refusal([&] { point({"job.payload=full"}); })
                .find("job.payload is \"full\", but must be \"none\" with Chakra traces, which don't say what their "
                      "messages are made of"),
            std::string::npos);
}

/// Computing, a ring of all, computing, a message to each neighbour, two hundred times.
TEST_F(ChakraRuns, OfManyNodesCarryAllTheirWords) {
  constexpr std::uint64_t count = 1000;
  for (std::uint64_t rank = 0; rank < 64; ++rank) {
    std::vector<TestNode> nodes;
    for (std::uint64_t n = 0; n < count; n += 5) {
      std::vector<std::uint64_t> before;
      if (n > 0) before = {n - 1, n - 2};
      nodes.push_back(compute_node(n, 10, before));
      nodes.push_back(collective_node(n + 1, 0, 64 * 640, {n}));
      nodes.push_back(compute_node(n + 2, 5, {n + 1}));
      nodes.push_back(send_node(n + 3, (rank + 1) % 64, 4096, {n + 2}));
      nodes.push_back(receive_node(n + 4, (rank + 63) % 64, 4096, {n + 2}));
    }
    write(static_cast<int>(rank), nodes);
  }
  const Row row = run_point(point(), {});
  EXPECT_EQ(row.slices, 200 * 65);
  EXPECT_EQ(row.words_passed, 200 * 64 * (2 * 63 * 10 + 64));
}

}  // namespace
}  // namespace ocs::test
