// Timelines of overlapped pushes, computed by hand, to the cycle, on the model and on the RTL.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tuple>

#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t cycle = 5120, delta = 2001;  // of the switch: 10.24 us and a cycle

/// `two.csv` has tensors of 1000 and 3000 words. Computing takes 12000 cycles, 8000 of them the backward pass, whose
/// last 2000 are the first tensor's: the last tensor is ready 2000 cycles before the end.
Point two_tensors(const std::string& device, int workers, const std::vector<std::string>& more) {
  std::vector<std::string> all = {"job.workload=file:tests/overlap/two.csv",
                                  "job.workers=" + std::to_string(workers),
                                  "job.servers=1",
                                  "job.compute=" + std::to_string(12'000 * cycle) + " ps",
                                  "job.slice=1 MB",
                                  "job.iterations=3",
                                  "fabric.device=" + device};
  all.insert(all.end(), more.begin(), more.end());
  return scheme_job("bsp", all);
}

const std::string overlapped = "job.overlap=wait_free_backprop";

struct Carried4 {
  int in, out;
  std::int64_t up, end;
  friend bool operator==(const Carried4&, const Carried4&) = default;
  friend void PrintTo(const Carried4& c, std::ostream* out) {
    *out << "{" << c.in << ", " << c.out << ", " << c.up << ", " << c.end << "}";
  }
};

/// What crossed the switch in all, in the order of the ends.
std::vector<Carried4> crossed(const Point& point) {
  std::vector<Carried4> all;
  RunOptions options;
  options.on_carried = [&](const Carried& c) {
    EXPECT_FALSE(c.late());
    const auto out = static_cast<int>(c.planned.outs._Find_first());
    all.push_back({index(c.planned.in), out, c.planned.up.n, c.planned.end.n});
  };
  run_point(point, options);
  return all;
}

const std::vector<std::string> devices = {"model", "verilated"};

/// Node 0 serves. The pull arrives at 6001; the last tensor is ready at 16001, the first at 18001, behind the other
/// one. Later circuits are up already and cost a cycle.
TEST(OverlappedPushes, OfOneWorkerAreInTheCyclesComputedByHand) {
  const std::vector<Carried4> right = {{0, 1, 2001, 6001},                           // pull: set up, 4000 words
                                       {1, 0, 16001 + delta, 16001 + delta + 3000},  // the last tensor, at 6001 + 10000
                                       {1, 0, 21003, 22003},  // the first tensor, ready at 18001, behind it
                                       {0, 1, 22004, 26004},  //
                                       {1, 0, 36005, 39005},  // at 26004 + 10000, and a cycle
                                       {1, 0, 39006, 40006},  //
                                       {0, 1, 40007, 44007}};
  for (const std::string& device : devices) {
    const std::vector<Carried4> came = crossed(two_tensors(device, 1, {overlapped}));
    ASSERT_GE(came.size(), right.size()) << device;
    EXPECT_EQ(std::vector(came.begin(), came.begin() + static_cast<std::ptrdiff_t>(right.size())), right) << device;
  }
}

/// The second worker's last tensor is ready at 22002, while the first one's pushes hold the server's port until 22003.
TEST(OverlappedPushes, OfTwoWorkersQueueAtTheServersPort) {
  const std::vector<Carried4> right = {{0, 1, 2001, 6001},   {0, 2, 8002, 12002},  {1, 0, 18002, 21002},
                                       {1, 0, 21003, 22003}, {2, 0, 24004, 27004}, {2, 0, 27005, 28005},
                                       {0, 1, 30006, 34006}, {0, 2, 36007, 40007}, {1, 0, 46007, 49007},
                                       {1, 0, 49008, 50008}, {2, 0, 52009, 55009}, {2, 0, 55010, 56010}};
  for (const std::string& device : devices) {
    const std::vector<Carried4> came = crossed(two_tensors(device, 2, {overlapped}));
    ASSERT_GE(came.size(), right.size()) << device;
    EXPECT_EQ(std::vector(came.begin(), came.begin() + static_cast<std::ptrdiff_t>(right.size())), right) << device;
  }
}

/// With priorities each slice is by itself, earlier tensors first: in the pulls, both workers' first tensors.
TEST(Priorities, LetTheFirstLayersGoFirst) {
  const std::vector<Carried4> right = {
      {0, 1, 2001, 3001}, {0, 2, 5002, 6002}, {0, 1, 8003, 11003}, {0, 2, 13004, 16004}};
  for (const std::string& device : devices) {
    const std::vector<Carried4> came = crossed(two_tensors(device, 2, {"job.priorities=layer"}));
    ASSERT_GE(came.size(), right.size()) << device;
    EXPECT_EQ(std::vector(came.begin(), came.begin() + static_cast<std::ptrdiff_t>(right.size())), right) << device;
  }
}

/// Eager BSP, one server, k slices that all wait for the port but the first: the first push begins when the last tensor
/// is ready, a cycle goes by between two slices, and pulls follow each other: Tc - ahead + N (tau + k - 1) + tau.
TEST(OverlappedPushes, HaveAClosedFormWhereTheServersPortIsTheBottleneck) {
  for (const int n : {2, 4, 8})
    for (const std::string& device : devices) {
      const Row row = run_point(two_tensors(device, n, {overlapped, "job.iterations=6"}), {});
      const std::int64_t tau = 4000 + delta, k = 2;
      EXPECT_EQ(row.schemes->iteration_last.n, (12'000 - 2000 + n * (tau + k - 1) + tau) * cycle) << n << device;
    }
}

TEST(OverlappedPushes, ComputeNoLongerThanWithoutOverlap) {
  const Row alone = run_point(two_tensors("model", 2, {}), {});
  const Row row = run_point(two_tensors("model", 2, {overlapped}), {});
  EXPECT_EQ(row.node_compute.n, 3 * 12'000 * cycle);
  EXPECT_EQ(alone.node_compute, row.node_compute);
  EXPECT_LT(row.sim_time, alone.sim_time);
}

}  // namespace
}  // namespace ocs::test
