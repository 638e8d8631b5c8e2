// Iteration times over the Verilated switch against their closed forms, to the cycle; delta = T + L + 1.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t cycle = 5120, words = 65536, delta = 2001;  // of the switch: 10.24 us and a cycle

/// One block's cost on a server's port, ps.
std::int64_t tau(std::int64_t servers) { return (words / servers + delta) * cycle; }

struct Case {
  int workers, servers;
  std::int64_t compute_cycles;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int workers : {2, 4, 8})
    for (const int servers : {1, 2, 4})
      for (const std::int64_t compute : {0, 10'000, 100'000, 700'000})
        if (servers <= workers) all.push_back({workers, servers, compute});
  return all;
}

std::vector<std::string> settings(const Case& c) {
  return {"job.workers=" + std::to_string(c.workers), "job.servers=" + std::to_string(c.servers),
          "job.compute=" + std::to_string(c.compute_cycles * cycle) + " ps", "fabric.device=verilated",
          "job.iterations=40"};
}

void expect(const std::string& sync, const Case& c, std::int64_t ps, const std::vector<std::string>& more = {}) {
  std::vector<std::string> all = settings(c);
  all.insert(all.end(), more.begin(), more.end());
  const Row row = run_scheme(sync, all);
  ASSERT_TRUE(row.schemes);
  EXPECT_EQ(row.schemes->iteration_last.n, ps)
      << sync << ", " << c.workers << " workers, " << c.servers << " servers, compute " << c.compute_cycles;
}

/// A circuit of the phase before is still up that could serve a flow of the next one; the plan doesn't use it, so it
/// begins at once (docs/controller.md, rule 3).
TEST(ClosedForm, OfBspInPhases) {
  for (const Case& c : cases())
    expect("bsp_phase", c, c.compute_cycles * cycle + 2 * c.workers * tau(c.servers), {"scheduler=rotation_list"});
}

TEST(ClosedForm, OfEagerBspWithOneServer) {
  for (const Case& c : cases())
    if (c.servers == 1) expect("bsp", c, c.compute_cycles * cycle + (c.workers + 1) * tau(1));
}

TEST(ClosedForm, OfR2sp) {
  for (const Case& c : cases())
    expect("r2sp", c, std::max(c.workers * tau(c.servers), c.compute_cycles * cycle + 2 * c.servers * tau(c.servers)));
}

/// Everybody's first pull queues at the server, so that pushes come one behind the other from the first. On its way to
/// the steady state nobody is staler than in it. A snapshot taken at the request would count the queue: N - 1 for all.
TEST(ClosedForm, OfR2spsStaleness) {
  for (const Case& c : cases()) {
    if (c.servers != 1) continue;
    const std::int64_t beside = divide_up(c.compute_cycles * cycle + 2 * tau(1), tau(1)) - 1;
    const std::int64_t steady = std::min<std::int64_t>(c.workers - 1, beside);
    for (const std::string device : {"verilated", "model"})
      for (const std::string strict : {"false", "true"}) {
        std::vector<std::string> all = settings(c);
        all.insert(all.end(), {"fabric.device=" + device, "sync.strict=" + strict});
        const Row row = run_scheme("r2sp", all);
        EXPECT_EQ(row.schemes->staleness_max, steady) << c.workers << " workers, compute " << c.compute_cycles;
        EXPECT_EQ(row.schemes->staleness_p99, steady) << c.workers << " workers, compute " << c.compute_cycles;
      }
  }
}

/// A worker's life begins with a grant and a pull: of one iteration of four workers the pulls end at tau, 2 tau, 3 tau
/// and 4 tau, the pushes tau + Tc later each. ASP's final pulls follow the first ones, BSP's wait for the last push.
TEST(ClosedForm, OfAStartByAPull) {
  constexpr std::int64_t compute = 10'000 * cycle;
  const auto run = [](const char* sync) {
    return run_scheme(sync, {"job.workers=4", "job.servers=1", "job.iterations=1", "fabric.device=verilated",
                             "job.compute=" + std::to_string(compute) + " ps"});
  };
  EXPECT_EQ(run("asp").sim_time.n, 8 * tau(1));
  EXPECT_EQ(run("bsp").sim_time.n, 4 * tau(1) + compute + tau(1) + 4 * tau(1));
  EXPECT_EQ(run("asp").words_passed, 3 * 4 * words);
}

}  // namespace
}  // namespace ocs::test
