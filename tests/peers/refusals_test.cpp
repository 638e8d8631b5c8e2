// Jobs of peers that can't be run: one sentence each.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/experiment/prepare.hpp"
#include "tests/common/refusal.hpp"
#include "tests/peers/support.hpp"

namespace ocs::test {
namespace {

std::string complaint(const std::string& peers, const std::vector<std::string>& more) {
  return refusal([&] { peer_job(peers, 4, 100, more); });
}

TEST(PeerKeys, DontGoWithWhatIsForServers) {
  const auto refused = [](const std::string& set, const std::string& sentence) {
    EXPECT_EQ(complaint("selmcast", {set}), "--set " + set + ": " + sentence + " with job.peers \"selmcast\"");
  };
  refused("network=packet", "network must be \"circuit\", which knows priorities and multicast,");
  refused("job.server_load=static", "job.server_load must be \"placed\"");
  refused("job.collective=all_reduce", "job.collective must be \"none\"");
  refused("job.slice=1 MB", "job.slice must be \"none\"");
}

TEST(PeerKeys, SayWhatIsPossible) {
  EXPECT_EQ(complaint("selmcast", {"peers.p=4"}),
            "--set peers.p=4: peers.p is 4, but must be at most 3, the number of other workers");
  EXPECT_NE(complaint("selmcats", {})
                .find("must be one of none, selmcast, selmcast_ssp, random, mesh; did you mean "
                      "\"selmcast\"?"),
            std::string::npos);
  EXPECT_NE(complaint("selmcast", {"peers.layer=L2"}).find("must be one of L3, L7"), std::string::npos);
  EXPECT_NE(complaint("selmcast_ssp", {"peers.eta=5/4"}).find("must be from 0 to 1: a share of a model"),
            std::string::npos);
  EXPECT_NE(complaint("selmcast", {"policy=hlf"}).find("must be \"multicast\" with peers.layer \"L3\""),
            std::string::npos);
  for (const char* policy : {"solstice", "hlf"})
    EXPECT_NE(complaint("selmcast_ssp", {"policy=" + std::string(policy), "peers.layer=L7"})
                  .find("plans around circuits that carry data and knows priorities"),
              std::string::npos);
  EXPECT_EQ(refusal([] { prepare(peer_job("mesh", 4, 100)); }),
            "job.peers is \"mesh\": without servers there is nothing to place; `lightloop run` plans each round");
}

}  // namespace
}  // namespace ocs::test
