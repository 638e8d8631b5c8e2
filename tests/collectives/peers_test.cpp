// What ranks hold after a collective, and that something missing is noticed.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/peers.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "testbed/collectives/catalogue.hpp"

namespace ocs::test {
namespace {

/// crc_errors and sum_errors after steps [0, steps).
std::pair<std::int64_t, std::int64_t> errors(const char* name, PayloadMode mode, std::uint32_t less) {
  const Collective one = make_collective(name, 8);
  Peers peers(one, block_words(Words{1003}, one.blocks), 64, mode, 7);
  for (std::uint32_t iteration = 0; iteration < 2; ++iteration) {
    peers.begin(iteration);
    peers.steps(0, one.steps.back().step - less);
    peers.finish();
  }
  return {peers.crc_errors, peers.sum_errors};
}

TEST(Peers, AllHaveTheSumOfAll) {
  for (const CollectiveEntry& entry : collectives())
    for (const PayloadMode mode : {PayloadMode::full, PayloadMode::digest, PayloadMode::none})
      EXPECT_EQ(errors(entry.name.data(), mode, 0), std::pair(std::int64_t{0}, std::int64_t{0})) << entry.name;
}

TEST(Peers, NoticeAStepThatIsMissing) {
  for (const CollectiveEntry& entry : collectives())
    for (const PayloadMode mode : {PayloadMode::full, PayloadMode::digest})
      EXPECT_GT(errors(entry.name.data(), mode, 1).second, 0) << entry.name;
}

}  // namespace
}  // namespace ocs::test
