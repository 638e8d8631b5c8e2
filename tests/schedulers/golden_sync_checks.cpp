// Runs of the schemes against their golden cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/sync/batch.hpp"
#include "testbed/sync/moment.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {
namespace {

std::vector<std::int64_t> numbers(const std::vector<std::uint32_t>& list) { return {list.begin(), list.end()}; }

template <class Row>
void expect_rows(const std::vector<Row>& found, const std::vector<Row>& expected, const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], expected[i]) << what << ' ' << i;
}

std::int64_t wire_time(const ClosedFormCase& c, std::int64_t bytes) {
  return divide_up(8 * bytes * 1'000'000'000, c.rate_bps);
}

/// Of the last iteration, when all is steady.
std::int64_t period(std::string_view scheme, const ClosedFormCase& c) {
  constexpr std::size_t iterations = 40;
  const auto n = static_cast<std::size_t>(c.workers);
  abstract::Input input{scheme, {}, {n, std::vector<std::int64_t>(iterations, c.compute)}, {}, {}};
  input.net = {true, 0, 0, c.tau - c.delta, c.delta};
  const abstract::Output output = abstract::run(input);
  return output.pushes.back().push - output.pushes[output.pushes.size() - 1 - n].push;
}

}  // namespace

void check(const ServerCase& golden) {
  abstract::Input input = golden.input;
  input.scheme = golden.scheme;
  if (golden.predictive) {
    const abstract::PredictiveOutput output = abstract::run_predictive(input);
    EXPECT_EQ(output.steps_done, golden.predictive->steps_done);
    expect_rows(output.syncs, golden.predictive->syncs, "synchronisation");
    expect_rows(output.merges, golden.predictive->merges, "merge");
    EXPECT_EQ(output.max_ahead, golden.predictive->max_ahead);
    return;
  }
  const abstract::Output output = abstract::run(input);
  expect_rows(output.pushes, golden.pushes, "push");
  if (golden.grants) expect_rows(output.grants, *golden.grants, "grant");
  if (golden.rounds) expect_rows(output.rounds, *golden.rounds, "round");
  if (golden.super_steps) expect_rows(output.super_steps, *golden.super_steps, "super-step");
  EXPECT_EQ(output.dark_receive, golden.dark_receive.value_or(output.dark_receive));
  EXPECT_EQ(output.dark_send, golden.dark_send.value_or(output.dark_send));
}

void check(const MomentCase& golden) {
  std::vector<std::vector<Ticks>> ends(golden.ends.size());
  for (std::size_t w = 0; w < ends.size(); ++w)
    for (const std::int64_t at : golden.ends[w]) ends[w].push_back({at});
  const Moment moment = choose_moment(ends, golden.objective);
  EXPECT_EQ(moment.at.n, golden.at);
  EXPECT_EQ(numbers(moment.quota), golden.quota);
}

/// BSP and R2SP are also run, where there is one server; the collectives are arithmetic so far.
void check(const ClosedFormCase& golden) {
  const ClosedFormCase& c = golden;
  const std::int64_t n = c.workers, tau = wire_time(c, c.bytes / c.servers) + c.delta;
  EXPECT_EQ(tau, c.tau);
  EXPECT_EQ(c.compute + 2 * n * tau, c.bsp_phase);
  EXPECT_EQ(std::max(n * tau, c.compute + 2 * c.servers * tau), c.r2sp);
  if (c.bsp_eager) {
    EXPECT_EQ(c.compute + (n + 1) * tau, *c.bsp_eager);
    EXPECT_EQ(period("bsp", c), *c.bsp_eager);
    EXPECT_EQ(period("bsp_phase", c), c.bsp_phase);
    EXPECT_EQ(period("r2sp", c), c.r2sp);
  }
  const std::int64_t ring = 2 * (n - 1) * wire_time(c, c.bytes / n);
  EXPECT_EQ(ring, c.ring_warm);
  EXPECT_EQ(ring + c.delta, c.ring_cold);
  std::int64_t halving = 0, steps = 0;
  for (std::int64_t part = 2; part <= n; part *= 2, ++steps) halving += 2 * wire_time(c, c.bytes / part);
  EXPECT_EQ(halving + (2 * steps - 2) * c.delta, c.halving_warm);
  EXPECT_EQ(halving + (2 * steps - 1) * c.delta, c.halving_cold);
}

void check(const BatchCase& golden) {
  std::vector<std::int64_t> batch;
  for (std::size_t w = 0; w < golden.blocked.size(); ++w)
    batch.push_back(adapted_batch(static_cast<std::uint32_t>(golden.batch), Ticks{golden.blocked[w]},
                                  static_cast<std::uint64_t>(golden.speed[w]), Ticks{1'000'000'000}));
  EXPECT_EQ(batch, golden.expected);
}

}  // namespace ocs::golden
