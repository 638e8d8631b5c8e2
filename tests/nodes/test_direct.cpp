// Nodes called directly give what nodes in threads give: no result comes from a transport.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/nodes/direct_crew.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs {
namespace {

TEST(DirectCalls, GiveTheResultsOfThreads) {
  for (const bool colocate : {false, true}) {
    const JobSpec spec = small_job(4, 3, colocate);
    FakeNetwork network(spec.word_bytes), same(spec.word_bytes);
    DirectCrew crew;
    const JobResult direct = run_job(spec, network, crew), threads = run_job(spec, same);
    EXPECT_EQ(direct.end, threads.end);
    EXPECT_EQ(direct.messages, threads.messages);
    EXPECT_EQ(direct.chunks, threads.chunks);
    EXPECT_EQ(direct.crc_errors + direct.sum_errors, 0);
  }
}

/// Each node may hold two chunks a peer beyond the sums of its servers, and the one that it is making.
TEST(DirectCalls, AndThreadsKeepTheMemoryBound) {
  for (const int iterations : {1, 6}) {
    JobSpec spec = small_job(6, 3, false, 400'000);
    spec.iterations = iterations;
    constexpr int workers = 6, servers = 3, window = 2, sums = 4, making = 1;
    const int bound = workers * (window * servers + making) + servers * (sums + window * workers);
    FakeNetwork network(spec.word_bytes), same(spec.word_bytes);
    DirectCrew crew;
    EXPECT_LE(run_job(spec, network, crew).payload_buffers, bound);
    EXPECT_LE(run_job(spec, same).payload_buffers, bound);
  }
}

}  // namespace
}  // namespace ocs
