// Prints the study of docs/selmcast.md: one line a row of its tables.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "tests/selection/study.hpp"

int main() {
  using namespace ocs::test;
  constexpr std::uint64_t seeds = 3;
  const auto mean = [](const StudyCase& one) {
    StudyRow sum{};
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const StudyRow row = study(one, seed);
      sum.network += row.network / seeds;
      sum.application += row.application / seeds;
      sum.random += row.random / seeds;
      sum.network_receivers += row.network_receivers / seeds;
      sum.application_receivers += row.application_receivers / seeds;
    }
    return sum;
  };
  const auto print = [](const char* what, const StudyCase& one, const StudyRow& row) {
    std::printf("%-10s %5d %5.2f %9.1f  %6.3f %6.3f %6.3f  %6.3f %6.3f\n", what, one.peers,
                static_cast<double>(one.lambda_percent) / 100,
                static_cast<double>(one.delta_ns) / static_cast<double>(one.tx_ns), row.network, row.application,
                row.random, row.network_receivers, row.application_receivers);
  };
  std::printf("what       peers lambda delta/tx  L3     L7     random  L3 n   L7 n\n");
  for (const StudyCase& one :
       {StudyCase{50, 25, 10}, StudyCase{100, 25, 10}, StudyCase{200, 25, 5}, StudyCase{100, 50, 10}}) {
    print("seed 1", one, study(one, 1));
    print("seeds 1-3", one, mean(one));
  }
  StudyCase slow{100, 25, 10};
  slow.sender_rate = 0;
  print("mu = 1/p", slow, study(slow, 1));
  for (const std::int64_t delta : {100'000, 1'000'000, 10'000'000})
    for (const bool planned : {false, true}) {
      StudyCase one{50, 25, 10};
      one.delta_ns = delta;
      one.planned_with_delta = planned;
      print(planned ? "planned" : "blind", one, study(one, 1));
    }
  return 0;
}
