// All-to-alls that aren't even, and candidates, from keys to rows.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/demand.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "testbed/experiment/files/demand_file.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "tests/collectives/support.hpp"

namespace ocs::test {
namespace {

std::vector<std::int64_t> descending(std::vector<std::int64_t> row) {
  std::ranges::sort(row, std::greater<>());
  return row;
}

TEST(Demand, OfZipfHasThesePartsInADrawnOrder) {
  // 1, 1/2, 1/3, 1/4 are 25/12 together; a border between two parts is rounded down.
  const DemandMatrix one = drawn_demand(parse_demand("zipf:1"), 4, 2500, 7);
  const std::vector<std::int64_t> parts = descending(one[0]);
  for (const auto& [k, right] : {std::pair<std::size_t, int>{0, 1200}, {1, 600}, {2, 400}, {3, 300}})
    EXPECT_NEAR(static_cast<double>(parts[k]), right, 1.0);
  EXPECT_EQ(parts[0] + parts[1] + parts[2] + parts[3], 2500);
  EXPECT_EQ(one[1], one[0]);
  bool differ = false;
  for (std::uint64_t seed = 8; seed < 16; ++seed)
    differ = differ || drawn_demand(parse_demand("zipf:1"), 4, 2500, seed) != one;
  EXPECT_TRUE(differ);
  // 1, 1 / sqrt 2: the first has 2 - sqrt 2 of all.
  EXPECT_EQ(descending(drawn_demand(parse_demand("zipf:0.5"), 2, 1'000'000, 7)[0]),
            (std::vector<std::int64_t>{585'786, 414'214}));
}

TEST(Demand, OfTopKGoesToSoManyOthers) {
  const DemandMatrix matrix = drawn_demand(parse_demand("top_k:3"), 9, 100, 5);
  for (std::size_t s = 0; s < matrix.size(); ++s) {
    EXPECT_EQ(matrix[s][s], 0);
    const std::vector<std::int64_t> row = descending(matrix[s]);
    EXPECT_EQ(std::vector(row.begin(), row.begin() + 4), (std::vector<std::int64_t>{34, 33, 33, 0}));
  }
  EXPECT_NE(matrix[0], matrix[1]);
}

TEST(Demand, OfGiniHasThisCoefficient) {
  const std::vector<std::int64_t> row = drawn_demand(parse_demand("gini:0.3"), 8, 1'000'000, 5)[0];
  const std::vector<std::int64_t> sorted = descending(row);
  std::int64_t sum = 0, weighted = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    weighted += (static_cast<std::int64_t>(sorted.size()) - 1 - 2 * static_cast<std::int64_t>(k)) * sorted[k];
  }
  EXPECT_EQ(sum, 1'000'000);
  EXPECT_NEAR(static_cast<double>(weighted) / (8 * 1e6), 0.3, 1e-4);
}

/// All flows of one permutation, so every port has as many words out as in.
TEST(Demand, OfFlowsIsASumOfPermutations) {
  const DemandMatrix one = drawn_demand(parse_demand("flows:4,12,0.7"), 16, 1'003, 5);
  std::vector<std::int64_t> sent(16), received(16);
  int pairs = 0;
  for (std::size_t s = 0; s < 16; ++s) {
    EXPECT_EQ(one[s][s], 0);
    for (std::size_t t = 0; t < 16; ++t) sent[s] += one[s][t], received[t] += one[s][t], pairs += one[s][t] > 0;
  }
  EXPECT_EQ(sent, std::vector<std::int64_t>(16, 1'003));
  EXPECT_EQ(received, sent);
  EXPECT_LE(pairs, 16 * 16);
  EXPECT_GT(pairs, 16 * 9) << "few of 16 flows of a rank go to one receiver";
  EXPECT_EQ(drawn_demand(parse_demand("flows:4,12,0.7"), 16, 1'003, 5), one);
  EXPECT_NE(drawn_demand(parse_demand("flows:4,12,0.7"), 16, 1'003, 6), one);
}

/// Two ranks can only exchange; three can go round, one way or the other.
TEST(Demand, OfFlowsHasTheseParts) {
  EXPECT_EQ(drawn_demand(parse_demand("flows:3,5,0.25"), 2, 77, 1), (DemandMatrix{{0, 77}, {77, 0}}));
  bool apart = false, together = false;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const DemandMatrix one = drawn_demand(parse_demand("flows:1,1,0.7"), 3, 1'001, seed);
    const std::int64_t on = one[0][1], back = one[0][2];  // 700.7 words are 700
    EXPECT_TRUE((on == 1'001 && back == 0) || (on == 0 && back == 1'001) || (on == 700 && back == 301) ||
                (on == 301 && back == 700))
        << on << " " << back;
    EXPECT_EQ(one, (DemandMatrix{{0, on, back}, {back, 0, on}, {on, back, 0}}));
    (on == 0 || back == 0 ? together : apart) = true;
  }
  EXPECT_TRUE(apart && together);
}

TEST(Demand, IsRefusedInOneSentence) {
  for (const char* wrong : {"",
                            "zipf",
                            "zipf:0",
                            "zipf:2.25",
                            "zipf:0.3",
                            "gini:1",
                            "gini:0",
                            "top_k:0",
                            "top_k:1.5",
                            "top_k:256",
                            "file:",
                            "even",
                            "zipf:1e0",
                            "gini:0.0001",
                            "equal:1",
                            "flows:",
                            "flows:4",
                            "flows:4,12",
                            "flows:4,12,",
                            "flows:0,12,0.7",
                            "flows:4,0,0.7",
                            "flows:4,12,1",
                            "flows:4,12,0",
                            "flows:4.5,12,0.7",
                            "flows:4,256,0.7",
                            "flows:4,12,0.7,1",
                            "flows:,,"})
    EXPECT_NE(refusal([&] { parse_demand(wrong); }).find("must be \"equal\""), std::string::npos) << wrong;
  EXPECT_EQ(refusal([] { drawn_demand(parse_demand("top_k:4"), 4, 100, 1); }),
            "must be at most \"top_k:3\" for 4 ranks");
  EXPECT_EQ(refusal([] { drawn_demand(parse_demand("gini:0.9"), 4, 100, 1); }),
            "must have a Gini coefficient of at most 615 thousandths for 4 ranks");
}

TEST(Demand, IsReadFromAFileLineByLine) {
  EXPECT_EQ(parse_demand_file("0, 64,1\r\n2,0,3\n4,5,0", "d.csv"), (DemandMatrix{{0, 64, 1}, {2, 0, 3}, {4, 5, 0}}));
  EXPECT_EQ(refusal([] { parse_demand_file("0,1\n2", "d.csv"); }),
            "d.csv:2: there are 1 numbers in this line, but 2 in the first one");
  EXPECT_EQ(refusal([] { parse_demand_file("0,1\n2,-3", "d.csv"); }),
            "d.csv:2: the demand is \"-3\", but must be a whole number of bytes, at most 2^50");
  EXPECT_EQ(refusal([] { parse_demand_file("0,1\n", "d.csv"); }),
            "d.csv: there are 1 lines of 2 numbers; there must be one line a sender, with one number a receiver");
}

Point with_demand(const std::string& algorithm, const std::vector<std::string>& more) {
  std::vector<std::string> all = {"job.collective=all_to_all", "fabric.tuning=300 ns", "job.iterations=1"};
  all.insert(all.end(), more.begin(), more.end());
  return collective_job(algorithm, 8, 64 * 123, all);
}

/// Of planes, which takes several.
bool is_rule(const std::string& reconfigure) {
  if (reconfigure == copies_name) return true;
  return std::any_of(plane_rules().begin(), plane_rules().end(),
                     [&](const PlaneRule& r) { return r.name == reconfigure; });
}

/// The words that cross are those of the matrix, straight or by way of others, and each is where it belongs.
TEST(Demand, CrossesTheSwitchUnderEveryAlgorithmAndPolicy) {
  for (const char* demand : {"zipf:2", "gini:0.5", "top_k:1", "flows:2,3,0.7"})
    for (const CollectiveEntry& entry : algorithms_of(CollectiveKind::all_to_all))
      for (const std::string& reconfigure : reconfigure_names()) {
        if (is_at_once(entry) && reconfigure != "scheduler") continue;
        const Point point = with_demand(
            std::string(entry.name),
            {std::string("collective.demand=") + demand, "job.payload=full", "collective.reconfigure=" + reconfigure,
             std::string("fabric.planes=") + (is_rule(reconfigure) ? "2" : "1"), "fabric.device=model"});
        const DemandMatrix matrix = drawn_demand(point.job.demand, 8, 123, 1);
        std::int64_t words = 0;
        for (std::size_t s = 0; s < 8; ++s)
          for (std::size_t t = 0; t < 8; ++t) words += s == t ? 0 : matrix[s][t];
        const Row row = run_point(point, {});
        EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0) << demand << row.collective;
        EXPECT_GE(row.words_passed, words) << demand << row.collective;
        if ((entry.name == "linear" || entry.name == "direct") && reconfigure == "scheduler") {
          EXPECT_EQ(row.words_passed, words) << demand;
        }
      }
}

TEST(Demand, ThatIsNotAnAllToAllsHasNoEffect) {
  const auto warned = [](const Point& point, std::string_view key) {
    return std::ranges::any_of(keys_with_conditions(),
                               [&](const UnusedKey& one) { return one.key == key && one.in(point); });
  };
  EXPECT_TRUE(warned(collective_job("ring", 4, 6400, {"collective.demand=zipf:1"}), "collective.demand"));
  EXPECT_FALSE(warned(with_demand("linear", {"collective.demand=zipf:1"}), "collective.demand"));
  EXPECT_TRUE(warned(with_demand("linear", {"collective.candidates=ring"}), "collective.candidates"));
  EXPECT_FALSE(warned(with_demand("linear", {"collective.reconfigure=never"}), "collective.candidates"));
}

TEST(Candidates, AreTakenInTheirOrder) {
  const auto static_map = [](const std::string& candidates) {
    const Point point = with_demand("linear", {"collective.reconfigure=never", "collective.candidates=" + candidates});
    return leg_sequence(point, collective_of(point).legs).candidates;
  };
  EXPECT_EQ(static_map("back, ring"), (std::vector{shift_map(8, 7), shift_map(8, 1)}));
  EXPECT_EQ(static_map("shifts").size(), 7u);
  EXPECT_EQ(static_map("(1 0 -1 2 3 4 5 6)").front(), (PortMap{1, 0, -1, 2, 3, 4, 5, 6}));
}

TEST(Candidates, AreRefusedInOneSentence) {
  for (const char* wrong : {"", "rings", "ring,", "(1 2", "(1 a)", "(-2 0)", "ring steps"})
    EXPECT_NE(refusal([&] { parse_candidates(wrong); }).find("must be names and maps"), std::string::npos) << wrong;
  EXPECT_NE(refusal([] {
              with_demand("linear", {"collective.reconfigure=never", "collective.candidates=(1 0)"});
            }).find("candidate 0 has entries for 2 nodes, but there are 8"),
            std::string::npos);
}

/// On the ring backwards a message for the next rank goes the long way.
TEST(Candidates, DecideWhichWayWordsTake) {
  const auto words = [](const std::string& candidates) {
    return run_point(with_demand("linear", {"job.workers=5", "collective.demand=top_k:1",
                                            "collective.reconfigure=never", "collective.candidates=" + candidates}),
                     {})
        .words_passed;
  };
  std::int64_t ring = 0, back = 0;
  const DemandMatrix matrix = drawn_demand(parse_demand("top_k:1"), 5, 123, 1);
  for (std::size_t s = 0; s < 5; ++s)
    for (std::size_t t = 0; t < 5; ++t) {
      ring += matrix[s][t] * static_cast<std::int64_t>((t + 5 - s) % 5);
      back += matrix[s][t] * static_cast<std::int64_t>((s + 5 - t) % 5);
    }
  EXPECT_EQ(words("ring"), ring);
  EXPECT_EQ(words("back"), back);
  EXPECT_NE(ring, back);
}

}  // namespace
}  // namespace ocs::test
