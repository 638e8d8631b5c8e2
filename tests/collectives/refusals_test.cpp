// Collectives that can't be run: one sentence each.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/prepare.hpp"
#include "tests/collectives/support.hpp"

namespace ocs::test {
namespace {

std::string complaint(const std::string& collective, int workers, std::int64_t bytes,
                      const std::vector<std::string>& more = {}) {
  return refusal([&] { collective_job(collective, workers, bytes, more); });
}

TEST(CollectiveKeys, NeedAFittingNumberOfWorkers) {
  const std::string begin = "--set job.algorithm=halving_doubling: job.collective is \"all_reduce\", but ";
  EXPECT_EQ(complaint("halving_doubling", 6, 6400), begin + "halving_doubling is for 2, 4, 8, ... workers, not for 6");
  EXPECT_EQ(complaint("ring", 1, 6400),
            "--set job.algorithm=ring: job.collective is \"all_reduce\", but ring is for 2 to 256 workers, not for 1");
  EXPECT_NE(complaint("ring", 17, 6400).find("must be at most fabric.ports, which is 16"), std::string::npos);
  EXPECT_NE(complaint("rings", 4, 6400).find("must be one of default, ring, halving_doubling"), std::string::npos);
}

TEST(CollectiveKeys, DontGoWithWhatIsForServers) {
  const auto refused = [](const std::string& set, const std::string& sentence) {
    EXPECT_EQ(complaint("ring", 4, 6400, {set}),
              "--set " + set + ": " + sentence + " with job.collective \"all_reduce\"");
  };
  refused("job.server_load=static", "job.server_load must be \"placed\"");
  refused("job.slice=1 MB", "job.slice must be \"none\"");
  refused("job.fusion=1 MB", "job.fusion must be \"none\"");
  refused("job.overlap=wait_free_backprop", "job.overlap must be \"none\"");
}

/// Sums are kept by all ranks; of what goes straight to its receiver nothing is kept, and there is no limit.
TEST(CollectiveKeys, AskForNoMoreFullPayloadThanRanksCanKeep) {
  EXPECT_EQ(complaint("ring", 4, 400'000'000, {"job.payload=full"}),
            "--set job.payload=full: job.payload is \"full\", but must be \"digest\" or \"none\" with job.collective "
            "\"all_reduce\" where all workers together keep more than 1 GB of numbers; they would keep 1.6 GB");
  collective_job("ring", 4, 400'000'000, {"job.payload=full", "job.collective=all_gather"});  // 2 of 4 blocks
  EXPECT_NE(complaint("ring", 8, 400'000'000, {"job.payload=full", "job.collective=all_gather"})
                .find("they would keep 2.4 GB"),
            std::string::npos);
  collective_job("linear", 4, 4'000'000'000, {"job.payload=full", "job.collective=all_to_all"});
  EXPECT_NE(complaint("linear", 4, 400'000'000,
                      {"job.payload=full", "job.collective=all_to_all", "collective.reconfigure=never"})
                .find("they would keep 1.6 GB"),
            std::string::npos)
      << "a policy's ranks relay";
}

TEST(CollectiveKeys, HaveNoPlanWithoutARun) {
  EXPECT_EQ(
      refusal([] { prepare(collective_job("ring", 4, 6400)); }),
      "job.collective is \"all_reduce\": without servers there is nothing to place; `lightloop run` plans each leg");
}

}  // namespace
}  // namespace ocs::test
