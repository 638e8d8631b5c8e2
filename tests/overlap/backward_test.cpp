// When gradients are ready: by the bytes of the tensors, in integers.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/coordinator/node_job_of.hpp"

namespace ocs::test {
namespace {

const std::vector<Block> blocks = {{Bytes{100}, 0}, {Bytes{30}, 1}, {Bytes{20}, 1}, {Bytes{50}, 2}};

TEST(BackwardPass, GoesFromTheLastTensorToTheFirstByTheirBytes) {
  const BackwardPass pass(blocks, {.wait_free = true, .backward_num = 2, .backward_den = 3});
  EXPECT_EQ(pass.of(), 600);
  EXPECT_EQ(pass.ahead(0), 0);    // at the very end
  EXPECT_EQ(pass.ahead(1), 200);  // the first tensor's 100 of 200 bytes are a half of two thirds
  EXPECT_EQ(pass.ahead(2), 300);
}

TEST(BackwardPass, IsNothingToWaitForWithoutOverlap) {
  const BackwardPass pass(blocks, {});
  EXPECT_EQ(pass.ahead(2), 0);
  EXPECT_EQ(pass.of(), 1);
}

JobSpec spec() {
  JobSpec one;
  one.ports = 4;
  one.blocks = blocks;
  one.workers = {Node{2}, Node{3}};
  one.placement = {{Node{0}, Node{1}},
                   {{0, Bytes{0}, Bytes{100}, Node{0}},
                    {1, Bytes{0}, Bytes{30}, Node{1}},
                    {2, Bytes{0}, Bytes{20}, Node{0}},
                    {3, Bytes{0}, Bytes{50}, Node{0}}}};
  one.overlap = {.wait_free = true, .backward_num = 2, .backward_den = 3, .by_layer = true};
  return one;
}

TEST(SlicesOfAJob, AreReadyWithTheirEarliestTensor) {
  JobSpec fused = spec();
  fused.slicing.fusion = Bytes{70};
  const NodeJob job = node_job_of(fused);
  ASSERT_EQ(job.servers.at(0).slices.size(), 2u);
  EXPECT_EQ(job.ahead_of, 600);
  EXPECT_EQ(job.servers[0].slices[0].ahead, 0);
  EXPECT_EQ(job.servers[0].slices[1].ahead, 200) << "tensors 1 and 2 together";
  EXPECT_EQ(job.servers[0].slices[1].priority, 1);
  EXPECT_EQ(job.servers[1].slices[0].ahead, 200);
}

TEST(SlicesOfAJob, AreReadyAtTheEndWhenAServersAllIsOneSlice) {
  const NodeJob job = node_job_of(spec());
  EXPECT_EQ(job.servers.at(0).slices.at(0).ahead, 0);
  EXPECT_EQ(job.servers.at(1).slices.at(0).ahead, 200);
}

}  // namespace
}  // namespace ocs::test
