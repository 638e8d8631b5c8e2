// The ready experiments against what docs/sync-schemes.md, section 6, states: orderings and ratios, not seconds. One
// seed and softmax here; LIGHTLOOP_LEARNING=all (tools/test --all) runs three seeds and the MLP.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "tests/learning/support.hpp"

namespace ocs::test {
namespace {

bool all_of_it() {
  const char* said = std::getenv("LIGHTLOOP_LEARNING");
  return said != nullptr && std::string_view(said) == "all";
}

/// One line of what docs/learning.md has.
void print(const std::string& experiment, const Row& row) {
  std::cout << experiment << ", seed " << row.seed << ", " << row.sync << " " << row.sync_settings << ", "
            << row.learning_settings << ": ";
  if (row.learning->to_target)
    std::cout << "target after " << static_cast<double>(row.learning->to_target->n) * 1e-12 << " s, "
              << *row.learning->updates_to_target << " updates";
  else
    std::cout << "target never reached";
  std::cout << "; in the end " << row.learning->accuracy << "; samples " << row.learning->samples << "; run in "
            << row.wall_time_s << " s\n"
            << std::flush;
}

/// Rows of an experiment by seed; when all of it is run, they are printed. @param shorter what makes it so, unless all
/// of it is run
std::map<std::uint64_t, std::vector<Row>> by_seed(const std::string& name, std::vector<std::string> shorter = {}) {
  shorter.emplace_back("seed=1");
  const std::vector<std::string> overrides = all_of_it() ? std::vector<std::string>{} : shorter;
  std::map<std::uint64_t, std::vector<Row>> rows;
  for (Row& row : learned_rows(name, overrides)) {
    if (all_of_it()) print(name, row);
    rows[row.seed].push_back(std::move(row));
  }
  return rows;
}

/// Seconds until the target; a year if it wasn't reached.
double seconds(const Row& row) {
  constexpr double year = 3e7;
  return row.learning->to_target ? static_cast<double>(row.learning->to_target->n) * 1e-12 : year;
}

/// Of the one row with this scheme and these settings (their beginning), and shards.
const Row& of(const std::vector<Row>& rows, const std::string& sync, const std::string& settings = "",
              const std::string& shards = "") {
  for (const Row& row : rows)
    if (row.sync == sync && row.sync_settings.starts_with(settings) &&
        row.learning_settings.find("shards=" + shards) != std::string::npos)
      return row;
  throw Error(ErrorKind::internal, "no row of " + sync + " " + settings + " " + shards);
}

/// @param least r2sp takes at least this share of the eager form
void expect_r2sp_ahead(const std::string& name, double over_eager, double over_phase, double least = 0,
                       double over_asp = 1.1) {
  for (const auto& [seed, rows] : by_seed(name)) {
    const double phase = seconds(of(rows, "bsp_phase")), eager = seconds(of(rows, "bsp")),
                 r2sp = seconds(of(rows, "r2sp"));
    EXPECT_LT(r2sp, 3e7) << name << ", seed " << seed << ": reaches its target";
    EXPECT_LE(r2sp, over_eager * eager) << name << ", seed " << seed;
    EXPECT_LE(r2sp, over_phase * phase) << name << ", seed " << seed;
    EXPECT_GE(r2sp, least * eager) << name << ", seed " << seed;
    EXPECT_LE(r2sp, over_asp * seconds(of(rows, "asp"))) << name << ", seed " << seed;
    for (const Row& row : rows) EXPECT_EQ(row.crc_errors, 0);
  }
}

TEST(LearningE1, TurnsLearnFasterThanBarriersWhereTransfersAreTheBottleneck) {
  NEEDS_DATASET();
  expect_r2sp_ahead("e1_communication_bound.toml", .85, .55);
}

TEST(LearningE2, TheSameHoldsForTheMlp) {
  NEEDS_DATASET();
  if (!all_of_it()) GTEST_SKIP() << "takes minutes: LIGHTLOOP_LEARNING=all, or tools/test --all";
  expect_r2sp_ahead("e2_mlp.toml", .85, .55);
}

TEST(LearningE3, TheGainShrinksWhereComputingIs) {
  NEEDS_DATASET();
  if (!all_of_it()) GTEST_SKIP() << "takes minutes: LIGHTLOOP_LEARNING=all, or tools/test --all";
  for (const char* name : {"e3_compute_bound.toml", "e3_compute_bound_mlp.toml"})
    expect_r2sp_ahead(name, .95, .80, .70, 1.2);
}

TEST(LearningE4, NoPushIsOlderThanItsSchemeAllows) {
  NEEDS_DATASET();
  for (const auto& [seed, rows] : by_seed("e4_staleness.toml"))
    for (const Row& row : rows) {
      const std::int64_t others = row.workers - 1, s = 2;
      const std::int64_t bound = row.sync == "ssp" ? (2 * s + 1) * others
                                 : row.sync == "r2sp" && row.sync_settings.find("strict=1") != std::string::npos
                                     ? others
                                 : row.sync == "r2sp" ? 2 * others
                                 : row.sync == "asp"  ? 1'000'000
                                                      : 0;
      EXPECT_LE(row.schemes->staleness_max, bound) << row.sync << " " << row.sync_settings << ", seed " << seed;
      EXPECT_EQ(row.schemes->staleness_max > 0, bound > 0) << row.sync;
    }
}

/// Rounds until the worst of the peers that are scored was at the target; very many if it never was.
double rounds(const Row& row) {
  constexpr double never = 1e9;
  return row.learning->updates_to_target ? static_cast<double>(*row.learning->updates_to_target) / row.workers : never;
}

TEST(LearningE5, MorePeersAreNeverWorseAndSkewMakesThemMatter) {
  NEEDS_DATASET();
  const auto all = by_seed("e5_peers.toml",
                           {"learning.shards=sorted", "peers.p=[4, 15]", "job.iterations=140", "learning.every=2240"});
  for (const auto& [seed, rows] : all) {
    const std::string which = "seed " + std::to_string(seed);
    const auto of_p = [&, &r = rows](int p, const char* shards) {
      return rounds(of(r, "random", "p=" + std::to_string(p) + " ", shards));
    };
    EXPECT_LE(of_p(15, "sorted"), 140) << which;
    EXPECT_GE(of_p(4, "sorted"), 1.5 * of_p(15, "sorted")) << which;
    for (const Row& row : rows) EXPECT_EQ(row.crc_errors, 0) << which;
    if (!all_of_it()) continue;
    constexpr double grain = 20;  // rounds between two evaluations
    for (const char* shards : {"iid", "sorted"})
      for (const auto& [less, more] : {std::pair(1, 2), {2, 4}, {4, 8}, {8, 15}})
        EXPECT_LE(of_p(more, shards), of_p(less, shards) + grain) << shards << ", " << which;
    EXPECT_LE(of_p(1, "iid"), 1.5 * of_p(15, "iid")) << which;
    EXPECT_GT(of_p(1, "sorted"), 1e6) << "not in 400 rounds, " << which;
  }
}

TEST(LearningE5, ReceiversByLoadAloneNeverMix) {
  NEEDS_DATASET();
  for (const auto& [seed, rows] : by_seed("e5_selection.toml", {"peers.p=[1]", "job.peers=[\"selmcast\"]",
                                                                "job.iterations=100", "learning.every=1600"})) {
    const std::string which = "seed " + std::to_string(seed);
    const auto row = [&, &r = rows](const char* selection, const char* settings) -> const Row& {
      return of(r, selection, settings);
    };
    EXPECT_LT(row("selmcast", "p=1 k=any").learning->accuracy, .4) << "one receiver for ever, " << which;
    EXPECT_GT(row("selmcast", "p=1 k=4").learning->accuracy, .6) << which;
    if (!all_of_it()) continue;
    EXPECT_GT(row("selmcast", "p=1 k=4").learning->accuracy, .75) << which;
    for (const char* slower : {"random", "mesh"})
      EXPECT_LE(seconds(row("selmcast", "p=4 k=4")), .9 * seconds(row(slower, "p=4 k=4"))) << slower << ", " << which;
  }
}

TEST(LearningE6, RoundsWithoutTheSlowestLoseItsClassesUnlessItMustComeNowAndThen) {
  NEEDS_DATASET();
  for (const auto& [seed, rows] : by_seed("e6_p_of_n.toml", {"learning.shards=sorted", "learning.every=160"})) {
    const auto row = [&, &r = rows](const char* settings, const char* shards) -> const Row& {
      return of(r, "p_of_n", settings, shards);
    };
    const double all = row("p=8 k=4", "sorted").learning->accuracy,
                 bounded = row("p=7 k=4", "sorted").learning->accuracy,
                 any = row("p=7 k=any", "sorted").learning->accuracy;
    EXPECT_GT(bounded, any + .02) << "seed " << seed;
    EXPECT_GT(all, any + .02) << "seed " << seed;
    for (const CurveEntry& point : row("p=7 k=any", "sorted").learning->curve)
      EXPECT_LT(point.accuracy, .79) << "seed " << seed << " at " << point.at.n;
    if (!all_of_it()) continue;
    EXPECT_LE(seconds(row("p=7 k=4", "iid")), .6 * seconds(row("p=8 k=4", "iid"))) << "seed " << seed;
    const double iid = row("p=8 k=4", "iid").learning->accuracy, iid_any = row("p=7 k=any", "iid").learning->accuracy;
    EXPECT_GT(iid_any, iid - .01) << "on IID shards nothing of it is seen, seed " << seed;
  }
}

TEST(LearningE7, NotWaitingIsFasterButLocalStepsDriftApartOnSkewedShards) {
  NEEDS_DATASET();
  for (const auto& [seed, rows] :
       by_seed("e7_elastic_predictive.toml", {"learning.shards=sorted", "learning.every=80"})) {
    const auto time = [&, &r = rows](const char* sync, const char* shards) { return seconds(of(r, sync, "", shards)); };
    for (const char* sync : {"asp", "elastic"})
      EXPECT_LT(time(sync, "sorted"), time("bsp", "sorted")) << sync << ", seed " << seed;
    for (const char* sync : {"asp", "elastic", "bsp"})
      EXPECT_GT(time("predictive", "sorted"), time(sync, "sorted")) << sync << ", seed " << seed;
    if (!all_of_it()) continue;
    for (const char* sync : {"asp", "elastic", "predictive"})
      EXPECT_LE(time(sync, "iid"), .6 * time("bsp", "iid")) << sync << ", seed " << seed;
  }
}

TEST(LearningE8, BatchesThatGrowByTheWaitLearnFaster) {
  NEEDS_DATASET();
  for (const auto& [seed, rows] : by_seed("e8_adaptive_batch.toml")) {
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_LE(seconds(rows[1]), .75 * seconds(rows[0])) << "seed " << seed;
  }
}

/// Without a server rounds are shorter, and the same rounds make the same model: that of bsp but for rounding.
TEST(LearningE9, AnAllReduceLearnsInTheRoundsOfBspAndInAThirdOfItsTime) {
  NEEDS_DATASET();
  const auto barriers = by_seed("e1_communication_bound.toml", {"job.sync=bsp"});
  for (const auto& [seed, rows] : by_seed("e9_all_reduce.toml")) {
    const Row& bsp = of(barriers.at(seed), "bsp");
    ASSERT_EQ(rows.size(), 3U);
    for (const Row& row : rows) {
      SCOPED_TRACE(row.collective + ", seed " + std::to_string(seed));
      EXPECT_EQ(row.learning->updates_to_target, bsp.learning->updates_to_target);
      EXPECT_NEAR(row.learning->loss, bsp.learning->loss, 1e-5);
      EXPECT_NEAR(row.learning->accuracy, bsp.learning->accuracy, 1e-3);
      EXPECT_EQ(row.crc_errors + row.sum_errors, 0);
    }
    EXPECT_LE(seconds(rows[0]), .33 * seconds(bsp)) << "ring";
    EXPECT_LT(seconds(rows[0]), seconds(rows[1])) << "halving_doubling changes circuits in each round";
    EXPECT_LT(seconds(rows[1]), seconds(rows[2])) << "recursive_doubling sends whole gradients";
  }
}

/// The ready experiments on faults, shortened: rows that lose words have the points of the first one, later.
TEST(LearningFaults, ReadyExperimentsLoseTimeAlone) {
  NEEDS_DATASET();
  for (const char* name : {"faults_port.toml", "faults_guard.toml"}) {
    std::vector<std::string> shorter = {"seed=1"};
    if (!all_of_it()) shorter.insert(shorter.end(), {"job.iterations=75", "learning.every=400"});
    const auto rows = learned_rows(name, shorter);
    EXPECT_EQ(rows.front().words_retransmitted, 0) << name;
    std::size_t with_losses = 0;
    for (const Row& row : rows) {
      EXPECT_EQ(scores(row), scores(rows.front())) << name;
      if (row.words_retransmitted == 0) continue;
      ++with_losses;
      EXPECT_GT(row.learning->curve.back().at, rows.front().learning->curve.back().at) << name;
    }
    EXPECT_EQ(with_losses, 1U) << name;
  }
}

}  // namespace
}  // namespace ocs::test
