// Jobs of several kinds on one network: what each is alone, what they are together, what is refused.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/fit/expected_memory.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/run/run.hpp"
#include "testbed/sync/catalogue.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {
namespace {

Experiment whole_jobs(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Names all = few_names();
  all.policies.clear();
  for (const Policy& policy : policies()) all.policies.emplace_back(policy.name);
  all.sync.clear();
  for (const SyncEntry& scheme : sync_schemes()) all.sync.emplace_back(scheme.name);
  const std::string before =
      "fabric.device = 'model'\nfabric.ports = 8\nfabric.tuning = '20 us'\npolicy = 'sunflow_inter'\n";
  std::vector<Setting> settings = read_settings(before + text, "x.toml"), later;
  for (const std::string& each : overrides) later.push_back(read_override(each));
  apply_overrides(settings, later);
  return resolve(settings, all, "x.toml");
}

Row row_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return run_point(whole_jobs(text, overrides).points.front(), {});
}

std::string complaint_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return refusal([&] { whole_jobs(text, overrides); });
}

/// Two jobs that learn nothing but add up, and an all-reduce on ports of both.
const std::string three =
    "[[job]]\nworkload = 'softmax'\nworkers = 3\nservers = 1\niterations = 4\ncompute = '50 us'\nsync = 'ssp'\n"
    "[[job]]\narrival = '100 us'\nfirst_node = 4\nworkload = 'mlp'\nworkers = 2\nservers = 2\niterations = 3\n"
    "compute = '30 us'\nslice = '64 kB'\n"
    "[[job]]\narrival = '70 us'\nfirst_node = 2\ncollective = 'all_reduce'\nworkload = 'softmax'\nworkers = 5\n"
    "iterations = 3\ncompute = '10 us'\n";

struct Kind {
  const char* name;
  std::string in_job, in_table;
  int first_node = 5;
};

const std::vector<Kind> kinds = {
    {"ssp", "sync = 'ssp'\n", "sync = 'ssp'\n'sync.s' = 2\n"},
    {"slices", "slice = '4 kB'\n", "slice = '4 kB'\n"},
    {"ring", "collective = 'all_reduce'\n", "collective = 'all_reduce'\n"},
    {"peers", "peers = 'selmcast_ssp'\n", "peers = 'selmcast_ssp'\n'peers.layer' = 'L7'\n'peers.p' = 2\n",
     0},  // ports decide between models that could go first
};

TEST(WholeJobs, AreAloneWhatTheJobIsByItself) {
  const std::string job =
      "workload = 'softmax'\nworkers = 4\nservers = 2\niterations = 3\ncompute = '40 us'\npayload = 'digest'\n";
  for (const Kind& kind : kinds) {
    const std::vector<std::string> peers = {"peers.layer=L7", "peers.p=2", "sync.s=2"};
    const Row alone = row_of("[job]\n" + job + kind.in_job, peers);
    const Row row =
        row_of("[job]\n" + job + "[[jobs]]\narrival = '1 ms'\nfirst_node = " + std::to_string(kind.first_node) + "\n" +
               kind.in_table);
    ASSERT_EQ(row.jobs.size(), 1U) << kind.name;
    const JobEntry& entry = row.jobs.front();
    EXPECT_EQ(entry.end - entry.arrival, alone.sim_time) << kind.name;
    EXPECT_EQ(entry.iteration_mean, alone.schemes->iteration_mean) << kind.name;
    EXPECT_EQ(entry.iteration_max, alone.schemes->iteration_max) << kind.name;
    EXPECT_EQ(entry.blocked_mean, alone.schemes->blocked_mean) << kind.name;
    EXPECT_EQ(entry.pst_mean.value_or(Picos{0}), alone.eager ? Picos{0} : alone.pst_mean) << kind.name;
    EXPECT_EQ(entry.bytes_delivered, alone.bytes_delivered) << kind.name;
    EXPECT_EQ(entry.slowdown, 1.0) << kind.name;
    EXPECT_EQ(row.words_passed, alone.words_passed) << kind.name;
  }
}

/// Which ports a job has decides for which mirrors others wait, so the job by itself is on the same ones.
TEST(WholeJobs, WaitForMirrorsAloneAsBesideNobody) {
  for (const Kind& kind : kinds) {
    const std::string job = "workload = 'softmax'\nworkers = 4\nservers = 2\niterations = 3\ncompute = '40 us'\n";
    const auto with = [&](const char* time) {
      return row_of("[job]\n" + job + "[[jobs]]\narrival = '1 ms'\nfirst_node = 1\n" + kind.in_table,
                    {std::string("fabric.program_time=") + time});
    };
    const Row at_once = with("0 s"), in_turn = with("7 us");
    EXPECT_GT(in_turn.sim_time, at_once.sim_time) << kind.name;
    EXPECT_EQ(in_turn.jobs.front().slowdown, 1.0) << kind.name;
    EXPECT_EQ(in_turn.words_passed, at_once.words_passed) << kind.name;
  }
}

TEST(WholeJobs, OnPortsOfTheirOwnDisturbNobody) {
  const Row row = row_of(
      "[job]\nworkload = 'softmax'\nworkers = 2\nservers = 1\niterations = 3\ncompute = '10 us'\npayload = 'none'\n"
      "[[jobs]]\nsync = 'asp'\n[[jobs]]\nfirst_node = 3\narrival = '37 us'\ncollective = 'all_reduce'\n"
      "[[jobs]]\nfirst_node = 6\narrival = '5 us'\ncolocated = true\nservers = 2\nsync = 'bsp'\n");
  ASSERT_EQ(row.jobs.size(), 3U);
  for (const JobEntry& entry :
       row.jobs)  // what hasn't begun is planned anew when others come, and may begin a cycle later
    EXPECT_NEAR(entry.slowdown.value(), 1.0, 0.001) << entry.job;
}

TEST(WholeJobs, ShareASwitchOfWhichAPortFails) {
  const std::vector<std::string> outage = {"fabric.outages=3: 150 us - 2150 us"};
  const auto with = [&](const std::string& payload, const std::string& device) {
    std::vector<std::string> all = outage;
    all.insert(all.end(), {"job.payload=" + payload, "fabric.device=" + device});
    return row_of(three, all);
  };
  const Row full = with("full", "model"), none = with("none", "model"), rtl = with("digest", "verilated");
  const Row live = row_of(three, {"job.payload=none"});
  EXPECT_EQ(full.event_log_hash, none.event_log_hash) << "bytes decide no time";
  EXPECT_EQ(full.event_log_hash, rtl.event_log_hash);
  EXPECT_EQ(full.crc_errors + full.sum_errors + rtl.crc_errors + rtl.sum_errors, 0);
  EXPECT_EQ(full.words_misrouted + full.words_lost, 0);
  EXPECT_GT(full.words_retransmitted, 0);
  EXPECT_GT(full.arrivals->makespan, live.arrivals->makespan);
  ASSERT_EQ(full.jobs.size(), 3U);
  const std::vector<std::string> of_kind = {"servers", "collective", "servers"};  // by arrival
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(full.jobs[k].kind, of_kind[k]);
    EXPECT_EQ(full.jobs[k].end, rtl.jobs[k].end);
    EXPECT_EQ(full.jobs[k].job, static_cast<std::int64_t>(k + 1));
  }
  EXPECT_EQ(full.jobs[1].table, 3);
  EXPECT_GT(full.jobs[0].bytes_delivered.n, 0);
  EXPECT_EQ(full.bytes_delivered,
            full.jobs[0].bytes_delivered + full.jobs[1].bytes_delivered + full.jobs[2].bytes_delivered);
}

TEST(WholeJobs, RunOverPlanesAndPackets) {
  for (const char* network : {"fabric.planes=2", "network=packet"}) {
    const Row row = row_of(three, {network, "job.payload=digest"});
    EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0) << network;
    EXPECT_EQ(row.jobs.size(), 3U);
  }
}

TEST(WholeJobs, GoByPriority) {
  const auto ends = [](int first, int second) {
    const std::string job =
        "\nsync = 'asp'\nworkload = 'softmax'\nworkers = 3\nservers = 1\niterations = 6\n"
        "compute = '1 us'\npayload = 'none'\n";
    const Row row = row_of("[[job]]\npriority = " + std::to_string(first) + job +
                           "[[job]]\npriority = " + std::to_string(second) + job);
    return std::pair(row.jobs[0].end, row.jobs[1].end);
  };
  const auto [a, b] = ends(1, 2);
  const auto [c, d] = ends(-1, -7);
  EXPECT_LT(a, b);
  EXPECT_GT(c, d);
}

TEST(WholeJobs, LoseTheNodeThatDies) {
  const std::string jobs =
      "[job]\nworkload = 'softmax'\nworkers = 3\nservers = 1\niterations = 30\ncompute = '10 us'\npayload = 'none'\n"
      "sync = 'asp'\n[[jobs]]\n[[jobs]]\nfirst_node = 6\narrival = '3 us'\n";
  const Row row = row_of(jobs, {"nodes.deaths=7: 300 us"}), live = row_of(jobs);
  EXPECT_LT(row.jobs[1].updates, live.jobs[1].updates) << "port 7 is its node 1";
  EXPECT_EQ(complaint_of(jobs, {"nodes.deaths=9: 1 us"}),
            "--set nodes.deaths=9: 1 us: nodes.deaths names node 9, but must name nodes below 8");
}

/// A node that is dead when its job arrives: a death that was due before then stopped the clock of all jobs.
TEST(WholeJobs, LackNodesThatDiedBeforeTheyArrived) {
  const auto late = [](const std::string& job) {
    return "[job]\nworkload = 'softmax'\niterations = 3\ncompute = '10 us'\npayload = 'none'\n"
           "[[jobs]]\nworkers = 2\nservers = 1\nsync = 'asp'\n"
           "[[jobs]]\nfirst_node = 4\narrival = '100 us'\n" +
           job;
  };
  const std::string with_servers = late("workers = 3\nservers = 1\nsync = 'asp'\n");
  const std::vector<std::string> worker_dies = {"nodes.deaths=6: 30 us"};
  for (const std::string network : {"dark", "packet"}) {
    const auto all = [&](std::vector<std::string> more) {
      if (network == "packet") more.emplace_back("network=packet");
      return more;
    };
    const Row row = row_of(with_servers, all(worker_dies)), live = row_of(with_servers, all({}));
    EXPECT_EQ(live.jobs[1].updates, 9) << network;
    EXPECT_EQ(row.jobs[1].updates, 6) << network << ": node 6 is its worker 1, which never worked";
    EXPECT_EQ(failure([&] { row_of(with_servers, all({"nodes.deaths=4: 30 us"})); }),
              "node 4 died at 30000000 ps: it is a parameter server, and its parameters are nowhere else");
  }
  EXPECT_EQ(failure([&] { row_of(late("workers = 3\nservers = 1\nsync = 'bsp'\n"), worker_dies); }),
            "node 6 died at 30000000 ps: worker 1 left, and BSP needs every worker");
  EXPECT_EQ(failure([&] { row_of(late("workers = 3\ncollective = 'all_reduce'\n"), worker_dies); }),
            "node 6 died at 30000000 ps, and a collective needs every rank");
}

TEST(Peers, EndByTimeAndBreakWithAPeerThatDies) {
  for (const char* choice : {"random", "selmcast_ssp"}) {
    const auto with = [&](const std::string& more) {
      return "[job]\nworkload = 'softmax'\nworkers = 4\niterations = 2\ncompute = '20 us'\npayload = 'full'\n" + more +
             "peers = '" + choice + "'\n[peers]\nlayer = 'L7'\np = 2\n";
    };
    const Row two = row_of(with("")), by_time = row_of(with("duration = '300 us'\n"));
    EXPECT_GT(by_time.schemes->steps, two.schemes->steps) << choice;
    EXPECT_GE(by_time.sim_time, Picos{300'000'000}) << choice;
    EXPECT_LT(by_time.sim_time, Picos{400'000'000}) << choice;
    EXPECT_EQ(by_time.crc_errors + by_time.sum_errors, 0) << choice;
    EXPECT_EQ(failure([&] { row_of(with(""), {"nodes.deaths=2: 30 us"}); }),
              "node 2 died at 30000000 ps, and the others wait for its models");
  }
}

TEST(WholeJobs, HaveTheirOwnSettingsAndForgetThoseOfOtherKinds) {
  const Point point = whole_jobs(
                          "[job]\nworkload = 'softmax'\nworkers = 2\nservers = 1\nsync = 'ssp'\nslice = '4 kB'\n"
                          "[sync]\ns = 3\n[[jobs]]\n'sync.s' = 5\n[[jobs]]\ncollective = 'all_reduce'\n"
                          "[[jobs]]\ncompute = '3 us'\nlearning.rate = '1/4'\n")
                          .points.front();
  EXPECT_TRUE(point.whole_jobs);
  EXPECT_FALSE(alone_of(point, 0).arrivals() || alone_of(point, 0).whole_jobs);
  EXPECT_GT(expected_memory(point).n, expected_memory(alone_of(point, 0)).n);
  EXPECT_EQ(point.jobs[0].job.sync_settings.s, 5U);
  EXPECT_EQ(point.jobs[2].job.sync_settings.s, 3U);
  EXPECT_EQ(point.jobs[2].job.learning.rate_den, 4U);
  EXPECT_EQ(point.jobs[1].job.slicing.slice.n, 0) << "a collective has no slices";
  EXPECT_EQ(point.jobs[0].job.slicing.slice.n, 4000);
}

TEST(WholeJobs, SayWhatTheyHaveInCommon) {
  const Row row = row_of(three, {"job.payload=none"});
  EXPECT_EQ(row.workload, "several");
  EXPECT_EQ(row.sync, "several");
  EXPECT_EQ(row.payload, "none");
  EXPECT_EQ(row.workers, 0);
  const auto sentences = without_effect(whole_jobs(three, {"job.payload=none", "job.workload=vgg16"}));
  EXPECT_NE(std::ranges::find(sentences,
                              "--set job.workload=vgg16: job.workload has no effect in this experiment: every "
                              "table [[job]] says its own"),
            sentences.end());
}

TEST(WholeJobs, AreRefusedInOneSentence) {
  const std::string small = "workload = 'softmax'\nworkers = 3\n";
  EXPECT_EQ(
      complaint_of("[[job]]\n" + small + "collective = 'all_reduce'\n'sync.s' = 2\n"),
      "x.toml:5: job 1: sync.s is unknown there: it is no key of a job with job.collective \"all_reduce\"; `lightloop "
      "list keys --for collective` has those");
  EXPECT_EQ(complaint_of("[[job]]\n" + small + "sync = 'spp'\n").substr(0, 40),
            "x.toml:5: job 1: sync is \"spp\", but must");
  EXPECT_EQ(complaint_of("jobs = '[{sync = [\"ssp\", \"asp\"]}]'"),
            "x.toml:5: job 1: sync must be one value, text, a number, true or false: it can't be an axis");
  EXPECT_EQ(complaint_of("[[job]]\n" + small + "'sync.t' = 2\n"),
            "x.toml:5: job 1 has the unknown key \"sync.t\"; did you mean \"sync.s\"?");
  EXPECT_EQ(complaint_of("[[job]]\n" + small + "servers = 1\n[[job]]\n" + small + "peers = 'random'\n'peers.p' = 5\n"),
            "x.toml:5: job 2: peers.p is 5, but must be at most 2, the number of other workers");
  EXPECT_EQ(complaint_of("[[job]]\nworkers = 200\nservers = 1\nsync = 'ssp'\n"),
            "x.toml:5: a job has 201 nodes, but must fit the 8 ports of the switch");
  EXPECT_EQ(complaint_of("[[job]]\n" + small + "sync = 'ssp'\n", {"fabric.all_stop=true"}),
            "--set fabric.all_stop=true: fabric.all_stop is true, but must be false when jobs come over time");
  EXPECT_EQ(complaint_of("[[job]]\n" + small + "sync = 'ssp'\n", {"nodes.listen=tcp://127.0.0.1:7000"}),
            "--set nodes.listen=tcp://127.0.0.1:7000: nodes.listen is \"tcp://127.0.0.1:7000\", but must be \"\" where "
            "jobs have nodes of their own, which the program starts");
}

}  // namespace
}  // namespace ocs::test
