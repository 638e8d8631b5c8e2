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

/// Plans for a whole phase begin a cycle after they are asked for, since a circuit of the phase before is still up that
/// could serve one of their flows (host/controller/README.md, rule 3): two cycles an iteration.
TEST(ClosedForm, OfBspInPhases) {
  for (const Case& c : cases())
    expect("bsp_phase", c, c.compute_cycles * cycle + 2 * c.workers * tau(c.servers) + 2 * cycle,
           {"scheduler=rotation_list"});
}

TEST(ClosedForm, OfEagerBspWithOneServer) {
  for (const Case& c : cases())
    if (c.servers == 1) expect("bsp", c, c.compute_cycles * cycle + (c.workers + 1) * tau(1));
}

TEST(ClosedForm, OfR2sp) {
  for (const Case& c : cases())
    expect("r2sp", c, std::max(c.workers * tau(c.servers), c.compute_cycles * cycle + 2 * c.servers * tau(c.servers)));
}

TEST(ClosedForm, OfR2spsStaleness) {
  for (const Case& c : cases()) {
    if (c.servers != 1) continue;
    const Row row = run_scheme("r2sp", settings(c));
    EXPECT_LE(row.schemes->staleness_max, 2 * (c.workers - 1));
    std::vector<std::string> strict = settings(c);
    strict.emplace_back("sync.strict=true");
    EXPECT_LE(run_scheme("r2sp", strict).schemes->staleness_max, c.workers - 1);
  }
}

}  // namespace
}  // namespace ocs::test
