// Experiments with traces, jobs and planes: what is read, what is refused, what rows hold.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/arrivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/files/bandwidth_trace.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/run/run.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {
namespace {

constexpr std::string_view trace_text = "4 4\n1 0 1 0 1 1:3\n2 1 2 0 2 2 1:4 3:1\n3 1 1 1 1 1:9\n9 40 3 1 2 3 1 0:7\n";

Names names() {
  Names all = few_names();
  all.policies.clear();
  for (const Policy& policy : policies()) all.policies.emplace_back(policy.name);
  all.transports = {"inproc", "ipc", "tcp"};
  all.load_trace = [](std::string_view name) { return parse_coflow_trace(trace_text, name, "t.txt"); };
  return all;
}

Experiment read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::vector<Setting> settings = read_settings(text, "x.toml"), later;
  for (const std::string& each : overrides) later.push_back(read_override(each));
  apply_overrides(settings, later);
  return resolve(settings, names(), "x.toml");
}

Point point(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read(text, overrides).points.front();
}

const std::string base =
    "fabric.device = 'model'\nfabric.ports = 8\nfabric.tuning = '1 ms'\npolicy = 'sunflow_inter'\n";
const std::string trace = base + "job.workload = 'coflow:t.txt'\njob.payload = 'none'\n";
const std::vector<std::string> silent = {"job.payload=none", "job.workload=alexnet", "job.workers=4", "job.servers=2"};
const std::string two = base + "[[job]]\nworkers = 3\ncount = 2\nevery = '2 ms'\n[[job]]\narrival = '1 ms'\n";

std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return refusal([&] { read(text, overrides); });
}

/// Without the tables, which are other objects each time.
std::vector<ArrivingJob> bare(std::vector<ArrivingJob> jobs) {
  for (ArrivingJob& job : jobs) job.job.workload = nullptr;
  return jobs;
}

TEST(Jobs, AreTablesWithTheJobsDefaults) {
  const Point p = point(two, silent);
  ASSERT_EQ(p.jobs.size(), 3u);
  EXPECT_EQ(p.jobs[0].job.workers, 3);
  EXPECT_EQ(p.jobs[1].arrival.n, 1'000'000'000);
  EXPECT_EQ(p.jobs[1].job.workers, 4);
  EXPECT_EQ(p.jobs[2].arrival.n, 2'000'000'000);
  EXPECT_EQ(p.jobs[0].first_node, 0);
  EXPECT_EQ(p.jobs[2].first_node, 5) << "3 workers and 2 servers lie before it";
}

TEST(Jobs, DrawTheirGapsFromTheSeed) {
  const std::string drawn = base + "[[job]]\ncount = 500\nevery = '2 ms'\ngaps = 'drawn'\n";
  const Point one = point(drawn, silent), again = point(drawn, silent);
  EXPECT_EQ(bare(one.jobs), bare(again.jobs));
  auto other = silent;
  other.emplace_back("seed=2");
  EXPECT_NE(bare(one.jobs), bare(point(drawn, other).jobs));
  EXPECT_NEAR(static_cast<double>(one.jobs.back().arrival.n) * 1e-9, 2 * 499, 100);
}

TEST(Jobs, AreOneKeyOfARecordAndComeBackFromIt) {
  const Experiment experiment = read(two, silent);
  const ExperimentRecord record = record_of_row(experiment, 0, record_of(experiment, "x.toml", "v"));
  EXPECT_EQ(bare(point_of(record, names(), "the record").jobs), bare(experiment.points.front().jobs));
}

TEST(Jobs, AreRefusedInOneSentence) {
  EXPECT_EQ(complaint(base + "[[job]]\nworker = 3\n", silent).substr(0, 44),
            "x.toml:5: job 1 has the unknown key \"worker\"");
  EXPECT_EQ(complaint(base + "[[job]]\n[[job]]\nworkers = 0\n", silent),
            "x.toml:5: job 2: workers must be a whole number from 1 to 255");
  EXPECT_EQ(complaint(base + "[[job]]\npayload = 'some'\n", silent),
            "x.toml:5: job 1: payload is \"some\", but must be full, digest or none");
  EXPECT_EQ(
      complaint(base + "[[job]]\npayload = 'full'\n[[job]]\npayload = 'digest'\n", silent),
      "x.toml:5: one job has payload \"full\" and another \"digest\", but those that have any must have the same");
  EXPECT_EQ(complaint(base + "[[job]]\npayload = 'digest'\ncount = 11\niterations = 50000\n", silent),
            "x.toml:5: there are 1100000 coflows with payload, but must be at most 1000000");
  EXPECT_EQ(complaint("fabric.word = '6 B'\n" + base + "[[job]]\npayload = 'digest'\n", silent).substr(0, 45),
            "x.toml:1: fabric.word is 6 B, but must be a m");
  EXPECT_EQ(complaint(base + "[[job]]\ngaps = 'long'\n", silent),
            "x.toml:5: job 1: gaps is \"long\", but must be equal or drawn");
  EXPECT_NE(complaint(base + "[[job]]\narrival = '-1 ms'\n", silent).find("x.toml:5: job 1: arrival is \"-1 ms\""),
            std::string::npos);
  EXPECT_EQ(complaint(base + "[[job]]\nworkload = 'coflow:x.csv'\n", silent),
            "x.toml:5: job 1: workload is \"coflow:x.csv\", but must be a table: `lightloop list workloads`, "
            "\"file:PATH\", or a size such as \"4 MB\"");
  EXPECT_EQ(complaint(base + "[[job]]\nworkers = 7\n", silent),
            "x.toml:5: a job has 9 nodes, but must fit the 8 ports of the switch");
  EXPECT_EQ(complaint(base + "[[job]]\ncount = 100000\n[[job]]\n", silent),
            "x.toml:5: job 2: count makes more than 100000 jobs, the most allowed");
  EXPECT_NE(complaint(base + "[[job]]\ncount = 100000\nworkers = 4\nservers = 4\ncolocated = true\n[[job]]\n", silent)
                .find("100000"),
            std::string::npos);
  EXPECT_NE(complaint("fabric.ports = 256\n" + base.substr(base.find("fabric.tuning")) +
                          "[[job]]\ncount = 1000\nworkers = 128\nservers = 128\n",
                      {"job.payload=none", "job.workload=resnet50", "fabric.device=model"})
                .find("the jobs have 32768000 pairs of a worker and a server"),
            std::string::npos);
  EXPECT_NE(complaint("jobs = 'x y'\n", silent).find("must be a list of tables"), std::string::npos);
  EXPECT_NE(complaint("jobs = '3'\n", silent).find("must be a list of tables"), std::string::npos);
  EXPECT_NE(complaint(base + "[[job]]\nworkload = \"a\\\"b\"\n", silent).find("must be plain text"), std::string::npos);
}

TEST(Arrivals, RefuseWhatTheyCannotHave) {
  const auto with = [&](const std::string& setting) { return complaint(trace, {setting}); };
  EXPECT_NE(with("fabric.all_stop=true").find("must be false when"), std::string::npos);
  EXPECT_NE(with("job.duration=2 ms").find("must be 0 ps when"), std::string::npos);
  const std::string solstice = with("policy=solstice");
  EXPECT_NE(solstice.find("it must be one that plans around circuits that carry data: "), std::string::npos);
  EXPECT_NE(solstice.find("sunflow_inter"), std::string::npos) << "the schedulers are named in the catalogue's order";
  EXPECT_EQ(with("fabric.ports=3"),
            "--set fabric.ports=3: fabric.ports is 3, but must be at least 4, the ports of the trace");
  EXPECT_NE(complaint(trace + "[[job]]\n").find("this is not valid TOML"), std::string::npos);
  EXPECT_NE(with("jobs='[{}]'").find("there are jobs and a trace of coflows"), std::string::npos);
  EXPECT_NE(with("fabric.planes=17").find("must be a whole number from 1 to 16"), std::string::npos);
  EXPECT_NE(with("fabric.split=half").find("must be one of longest, equal"), std::string::npos);
  EXPECT_NE(complaint(base + "[[job]]\npriority = 1\n[[job]]\n",
                      {"job.payload=none", "job.workload=alexnet", "job.workers=4", "job.servers=2", "policy=hlf"})
                .find("must be one that knows priorities when jobs have different ones: sunflow_inter, sunflow_fifo"),
            std::string::npos);
}

TEST(Arrivals, RefuseDeathsOfNobodyAndTimesThatAreSaidTwice) {
  EXPECT_EQ(complaint(trace, {"nodes.deaths=9: 2 ms"}),
            "--set nodes.deaths=9: 2 ms: nodes.deaths names node 9, but must name nodes below 8");
  auto said = silent;
  said.emplace_back("compute.trace=file:times");
  EXPECT_EQ(complaint(base + "[[job]]\ncompute = '1 ms'\n", said),
            "x.toml:5: job 1: compute can't be said with compute.trace or compute.published, which say the times of "
            "all jobs");
  auto ranked = silent;
  ranked.emplace_back("network=packet");
  EXPECT_EQ(complaint(base + "[[job]]\npriority = 1\n[[job]]\n", ranked),
            "--set network=packet: network is \"packet\", but must be \"circuit\" when jobs have different priorities: "
            "packets know none");
}

TEST(Arrivals, OfATraceRefuseWhatAJobComputes) {
  for (const char* setting : {"compute.jitter=uniform 10 %", "compute.factors=0: 2", "compute.stragglers=5 % x 5"}) {
    const std::string key = std::string(setting).substr(0, std::string_view(setting).find('='));
    const std::string value = std::string(setting).substr(key.size() + 1);
    EXPECT_EQ(complaint(trace, {setting}), "--set " + key + "=" + value + ": " + key + " is \"" + value +
                                               "\", but must be \"\" when coflows come over time");
  }
}

TEST(Arrivals, RefuseNodesThatAreNotThere) {
  EXPECT_EQ(complaint(trace, {"nodes.expect=1"}),
            "--set nodes.expect=1: nodes.expect is 1, but must be 0 with nodes.transport \"inproc\", whose nodes are "
            "threads");
  EXPECT_EQ(complaint(trace, {"nodes.expect=5", "nodes.transport=tcp", "nodes.listen=tcp://127.0.0.1:9"}),
            "--set nodes.expect=5: nodes.expect is 5, but must be at most 4, the number of nodes");
}

TEST(Jobs, ComputeTheFixedTimeToo) {
  auto longer = silent, later = silent;
  longer.emplace_back("job.compute=107 ms");
  later.emplace_back("compute.fixed=7 ms");
  EXPECT_EQ(run_point(point(two, later), {}).event_log_hash, run_point(point(two, longer), {}).event_log_hash);
}

/// With the compute model of its place, a job computes as long as its slowest worker.
TEST(Jobs, ComputeAsLongAsTheirSlowestWorkerInEachIteration) {
  const std::string three = base + "[[job]]\ncount = 2\nevery = '1 ms'\nworkers = 3\niterations = 4\n";
  const auto works_with = [&](const char* setting) {
    auto all = silent;
    all.emplace_back(setting);
    return work_of(point(three, all));
  };
  const Picos cycle = point(three, silent).fabric.cycle;
  const Cycles once = to_cycles(point(three, silent).job.compute, cycle);
  EXPECT_EQ(works_with("compute.fixed=0 ns")[0].compute, std::vector{once});
  const auto slow = works_with("compute.factors=2: 3");
  EXPECT_EQ(slow[0].compute, std::vector(4, to_cycles(Picos{point(three, silent).job.compute.n * 3}, cycle)));
  const auto drawn = works_with("compute.jitter=uniform 30 %");
  EXPECT_NE(drawn[0].compute, drawn[1].compute) << "each job draws for itself";
  for (std::size_t place = 0; place < drawn.size(); ++place) {
    auto all = silent;
    all.emplace_back("compute.jitter=uniform 30 %");
    const Point with = point(three, all);
    ComputeModel model = with.jobs[place].job.compute_model;
    model.seed += place;
    for (std::uint32_t k = 0; k < 4; ++k) {
      Picos slowest{0};
      for (std::size_t w = 0; w < 3; ++w) slowest = std::max(slowest, model.time(w, k));
      EXPECT_EQ(drawn[place].compute_of(k), to_cycles(slowest, cycle)) << place << ", " << k;
    }
  }
}

TEST(Arrivals, EndWhenANodeDiesThatSomethingNeeds) {
  const auto ends = [&](const char* deaths, const char* payload) {
    return failure([&] { run_point(point(trace, {std::string("nodes.deaths=") + deaths, payload}), {}); });
  };
  for (const char* payload : {"job.payload=none", "job.payload=digest"}) {
    EXPECT_EQ(ends("2: 2500 us", payload), "node 2 died at 2500000000 ps, and coflow 2 needs it") << "it is under way";
    EXPECT_EQ(ends("0: 30 ms, 7: 1 ms", payload), "node 0 died at 30000000000 ps, and coflow 3 needs it")
        << "it comes later; nothing needs node 7";
  }
  const Row row = run_point(point(trace, {"nodes.deaths=7: 1 ms, 0: 10 s"}), {});
  EXPECT_EQ(row.event_log_hash, run_point(point(trace), {}).event_log_hash);
}

/// What was under way on a port that dies is sent again, with payload and without.
TEST(Arrivals, GoOnWhenAPortDies) {
  for (const char* payload : {"job.payload=none", "job.payload=digest", "job.payload=full"})
    for (const char* planes : {"fabric.planes=1", "fabric.planes=2"}) {
      const std::vector<std::string> all = {payload, planes, "fabric.outages=1: 1100 us - 2 ms, 3: 2 ms - 4 ms"};
      const Row row = run_point(point(trace, all), {});
      const Row live = run_point(point(trace, {payload, planes}), {});
      EXPECT_GT(row.words_retransmitted, 0) << payload << planes;
      EXPECT_GT(row.arrivals->cct_mean, live.arrivals->cct_mean) << payload << planes;
      EXPECT_GT(row.arrivals->off_plan, 0) << "on paper no port dies";
      EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted + row.words_lost, 0) << payload << planes;
      EXPECT_EQ(row.words_passed, live.words_passed) << payload << planes;
    }
  const auto ends = [&](const char* setting) {
    return failure([&] {
      run_point(point(trace, {"fabric.outages=1: 1100 us - 2 ms", "job.retransmit=false", setting}), {});
    });
  };
  EXPECT_NE(ends("job.payload=none").find("words too few; nothing sends them again"), std::string::npos);
  EXPECT_NE(ends("job.payload=digest").find("the switch lost them and nothing sends them again"), std::string::npos);
}

/// A push and a pull, one after the other, each with a plan of its own.
TEST(Jobs, WaitForWhatPlanningTakes) {
  auto once = silent;
  once.emplace_back("job.iterations=2");
  auto charged = once;
  charged.emplace_back("charge_planning=3 ms");
  const std::string one = base + "[[job]]\n";
  const Row free = run_point(point(one, once), {}), row = run_point(point(one, charged), {});
  EXPECT_GE(row.planning.n, 4 * 3'000'000'000);
  EXPECT_EQ(row.arrivals->makespan - free.arrivals->makespan, row.planning);
  EXPECT_GT(row.arrivals->slowdown_mean, 1) << "the time alone is not charged";
  EXPECT_EQ(row.arrivals->late + row.arrivals->off_plan, 0);
}

/// What comes while a plan is made waits for the next one, and delays nothing of this one.
TEST(Arrivals, ArePlannedOneAfterTheOtherByASlowPlanner) {
  Names two_alike = names();
  two_alike.load_trace = [](std::string_view name) {
    return parse_coflow_trace("4 2\n1 0 1 0 1 1:1\n2 1 1 2 1 3:1\n", name, "t.txt");
  };
  const auto run = [&](const char* charge) {
    std::vector<Setting> settings = read_settings(trace, "x.toml");
    apply_overrides(settings, std::vector{read_override(std::string("charge_planning=") + charge)});
    return run_point(resolve(settings, two_alike, "x.toml").points.front(), {});
  };
  const Row free = run("none"), charged = run("3 ms");
  const Picos length = free.arrivals->cct_max, cycle = point(trace).fabric.cycle;
  const Picos charge = to_picos(to_cycles(Picos{3'000'000'000}, cycle), cycle);
  const Picos second = to_picos(to_cycles(Picos{1'000'000'000}, cycle), cycle);  // when the second coflow comes
  EXPECT_EQ(free.arrivals->cct_mean, length);
  EXPECT_EQ(charged.arrivals->plans, free.arrivals->plans) << "the third when one has ended";
  EXPECT_EQ(charged.arrivals->makespan, charge + charge + cycle + length);
  EXPECT_EQ(charged.arrivals->cct_max, charge + charge + cycle + length - second);
}

/// Over packets nothing is planned: a job that comes alone takes as long as on an empty network.
TEST(Arrivals, OverPacketsShareWhatPortsHave) {
  const Row row = run_point(point(trace, {"network=packet", "job.payload=full"}), {});
  EXPECT_EQ(row.arrivals->plans, 0);
  EXPECT_EQ(row.arrivals->coflows, 3) << "one goes from a port to itself";
  EXPECT_GE(row.arrivals->slowdown_mean, 1);
  EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0);
  EXPECT_EQ(row.network, "packet");
  auto one = silent;
  one.emplace_back("network=packet");
  const Row alone = run_point(point(base + "[[job]]\n", one), {});
  EXPECT_EQ(alone.arrivals->slowdown_mean, 1);
}

/// Half the rate takes twice the words' time; the set-up stays.
TEST(Arrivals, HaveTheRatesOfTheirPorts) {
  const Row full = run_point(point(trace, {"job.payload=none"}), {});
  const Row half = run_point(point(trace, {"job.payload=digest", "nodes.rates=50 Gbit/s"}), {});
  EXPECT_EQ(half.words_passed, full.words_passed);
  EXPECT_GT(half.arrivals->makespan, full.arrivals->makespan);
  EXPECT_EQ(half.arrivals->off_plan + half.arrivals->late, 0);
  EXPECT_EQ(half.crc_errors + half.sum_errors + half.words_misrouted, 0);
  auto one = silent;
  one.emplace_back(R"(nodes.rates="100 Gbit/s, 50 Gbit/s")");
  EXPECT_EQ(run_point(point(base + "[[job]]\n", one), {}).arrivals->slowdown_mean, 1) << "alone at the same rates";
}

/// Paper programs mirrors in turn, too: every coflow is late, none is off what paper says, and one job alone is not slow.
TEST(Arrivals, WaitForMirrorsThatAreProgrammedInTurn) {
  for (const char* planes : {"fabric.planes=1", "fabric.planes=2"}) {
    const Row at_once = run_point(point(trace, {"job.payload=none", planes}), {});
    const Row row = run_point(point(trace, {"job.payload=none", planes, "fabric.program_time=300 us"}), {});
    EXPECT_GT(row.arrivals->late, 0) << planes;
    EXPECT_EQ(row.arrivals->off_plan, 0) << planes;
    EXPECT_GT(row.arrivals->cct_mean, at_once.arrivals->cct_mean) << planes;
    EXPECT_EQ(row.words_passed, at_once.words_passed) << planes;
  }
  auto one = silent;
  one.emplace_back("fabric.program_time=300 us");
  const Row alone = run_point(point(base + "[[job]]\n", one), {});
  EXPECT_GT(alone.arrivals->late, 0);
  EXPECT_EQ(alone.arrivals->slowdown_mean, 1);
}

/// Half of each rate from the beginning on is that rate halved.
TEST(Arrivals, HaveRatesThatChange) {
  Names changing = names();
  changing.load_bandwidth_trace = [](std::string_view) {
    std::string table = "ns,node,rate\n";
    for (int node = 0; node < 8; ++node) table += "0," + std::to_string(node) + ",1/2\n";
    return parse_bandwidth_trace(table, "rates.csv");
  };
  std::vector<Setting> settings = read_settings(trace, "x.toml");
  apply_overrides(settings, std::vector{read_override("nodes.rate_trace=file:rates")});
  const Row halved = run_point(resolve(settings, changing, "x.toml").points.front(), {});
  const Row half = run_point(point(trace, {"nodes.rates=50 Gbit/s"}), {});
  EXPECT_EQ(halved.event_log_hash, half.event_log_hash);
  EXPECT_EQ(halved.arrivals->makespan, half.arrivals->makespan);
  EXPECT_EQ(halved.arrivals->slowdown_mean, half.arrivals->slowdown_mean) << "alone at the rates of its time";
}

TEST(Jobs, AreOnAllPortsThatTuneLonger) {
  auto extra = silent;
  extra.emplace_back("nodes.extra_tuning=1 ms");
  const std::vector<Picos> tuning = point(two, extra).fabric.pair_tuning;
  EXPECT_EQ(std::count(tuning.begin(), tuning.end(), Picos{2'000'000'000}), 64);
}

/// What is said to have no effect, and why, without its place.
std::vector<std::string> warned(const std::string& text, const std::vector<std::string>& overrides) {
  std::vector<std::string> sentences;
  for (const std::string& sentence : without_effect(read(text, overrides)))
    sentences.push_back(sentence.substr(sentence.find(": ") + 2));
  return sentences;
}

TEST(Jobs, WarnOfKeysThatEveryTableSays) {
  const std::string why = " has no effect in this experiment: every table [[job]] says its own";
  const std::string half = base + "[[job]]\nworkers = 3\niterations = 2\n[[job]]\niterations = 1\n";
  EXPECT_EQ(
      warned(half, {"job.payload=none", "job.workload=alexnet", "job.workers=4", "job.servers=2", "job.iterations=5"}),
      std::vector<std::string>{"job.iterations" + why});
  const std::string all = base + "[[job]]\nworkload = 'alexnet'\nworkers = 3\nservers = 2\ncompute = '1 ms'\n";
  EXPECT_EQ(
      warned(all, {"job.payload=none", "job.workload=vgg16", "job.workers=4", "job.servers=1", "job.compute=2 ms",
                   "job.iterations=5"}),
      (std::vector<std::string>{"job.workload" + why, "job.workers" + why, "job.servers" + why, "job.compute" + why}));
}

TEST(Jobs, DrawNothingFromTheSeedButGaps) {
  const std::string drawn = base + "[[job]]\ncount = 5\nevery = '2 ms'\ngaps = 'drawn'\n";
  auto other = silent;
  other.emplace_back("seed=2");
  EXPECT_EQ(warned(drawn, other), std::vector<std::string>{});
  EXPECT_EQ(warned(two, other).size(), 1u);
}

TEST(Arrivals, OfATraceWarnOfWhatIsANodes) {
  const std::vector<std::string> sentences =
      warned(trace, {"job.workers=3", "job.compute=2 ms", "compute.fixed=1 ms", "fabric.split=equal"});
  const std::string why = " has no effect in this experiment: ";
  const std::string trace_says = why + "a trace says what its ports carry";
  EXPECT_EQ(sentences, (std::vector<std::string>{"fabric.split" + why + "there is one plane (fabric.planes)",
                                                 "job.workers" + trace_says, "job.compute" + trace_says,
                                                 "compute.fixed" + trace_says}));
}

TEST(Arrivals, OfATraceAreRowsWithoutAPst) {
  const Row row = run_point(point(trace), {});
  ASSERT_TRUE(row.arrivals);
  EXPECT_EQ(row.arrivals->jobs, 4);
  EXPECT_EQ(row.arrivals->coflows, 3) << "one stays on its port";
  EXPECT_EQ(row.arrivals->off_plan, 0);
  EXPECT_EQ(row.arrivals->late, 0);
  EXPECT_EQ(row.words_lost, 0);
  const std::int64_t mb = 1'000'000 / 64;
  // By reducer: 3; 2 + 2 and 1 + 1; 3 + 3 + 1.
  EXPECT_EQ(row.words_passed, (3 + 4 + 2 + 7) * mb);
  EXPECT_EQ(row.arrivals->cct_max, to_picos(Cycles{3 * (row.delta.n / 5120 + 1) + 7 * mb}, Picos{5120}))
      << "the last one sends to one port from three";
  for (const auto& [name, value] : to_fields(row))
    if (name == "pst_mean_ps") {
      EXPECT_TRUE(std::holds_alternative<std::monostate>(value));
    }
}

/// No time depends on it; a table's own payload goes before that of the job.
TEST(Arrivals, CarryTheSameWithAnyPayload) {
  const std::string small = base + "fabric.word = '4 kB'\n";
  const std::vector<std::string> texts = {
      small + "job.workload = 'coflow:t.txt'\n",
      small + "[[job]]\nworkers = 2\nservers = 1\ncount = 2\nevery = '2 ms'\n",
  };
  for (const std::string& text : texts) {
    std::vector<std::string> all = {"job.payload=none"};
    if (text == texts[1]) all.emplace_back("job.workload=softmax");
    const Row none = run_point(point(text, all), {});
    EXPECT_EQ(none.payload, "none");
    EXPECT_EQ(none.messages, 0);
    for (const char* payload : {"full", "digest"}) {
      all[0] = "job.payload=" + std::string(payload);
      const Row row = run_point(point(text, all), {});
      EXPECT_EQ(row.payload, payload);
      EXPECT_EQ(row.event_log_hash, none.event_log_hash);
      EXPECT_EQ(row.arrivals->cct_mean, none.arrivals->cct_mean);
      EXPECT_EQ(row.arrivals->off_plan, 0);
      EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0);
      EXPECT_GT(row.messages, 0);
    }
  }
  const Row own = run_point(point(base + "[[job]]\nworkers = 2\nservers = 1\npayload = 'none'\n",
                                  {"job.payload=full", "job.workload=softmax"}),
                            {});
  EXPECT_EQ(own.payload, "none");
  EXPECT_EQ(own.messages, 0);
}

/// What is in is heard late, with payload or without, and so is what comes next released.
TEST(Arrivals, AreHeardLate) {
  const std::string one = base + "fabric.word = '4 kB'\n[[job]]\nworkers = 2\nservers = 1\niterations = 3\n";
  const std::vector<std::string> silent_one = {"job.payload=none", "job.workload=softmax"};
  const Row now = run_point(point(one, silent_one), {});
  std::vector<std::string> all = silent_one;
  all.emplace_back("nodes.control_latency=7 us");
  const Row late = run_point(point(one, all), {});
  const std::int64_t cycles = (7'000'000 + late.cycle.n - 1) / late.cycle.n;
  EXPECT_EQ(late.arrivals->cct_max - now.arrivals->cct_max, to_picos(Cycles{cycles}, late.cycle));
  EXPECT_EQ(late.arrivals->makespan - now.arrivals->makespan, to_picos(Cycles{6 * cycles}, late.cycle));
  EXPECT_EQ(late.arrivals->off_plan, 0);
  EXPECT_EQ(late.arrivals->slowdown_mean, 1.0);
  EXPECT_GT(late.messages, 0);
  all[0] = "job.payload=digest";
  const Row digest = run_point(point(one, all), {});
  EXPECT_EQ(digest.event_log_hash, late.event_log_hash);
  EXPECT_EQ(digest.crc_errors, 0);
}

TEST(Arrivals, AreCarriedOutAsPlannedByEveryScheduler) {
  for (const char* policy : {"sunflow_inter", "sunflow_fair", "sunflow_fifo", "hlf", "psscheduler"}) {
    Point p = point(two, silent);
    p.policy = policy;
    for (ArrivingJob& job : p.jobs) job.job.workers = 2, job.job.servers = 1, job.job.iterations = 2;
    const Row row = run_point(p, {});
    EXPECT_EQ(row.arrivals->off_plan, 0) << policy;
    EXPECT_EQ(row.arrivals->coflows, 12) << policy;
    EXPECT_GE(row.arrivals->slowdown_mean, 1.0) << policy;
    EXPECT_EQ(row.words_lost, 0) << policy;
  }
}

TEST(Planes, GiveOneEventLogOnModelAndRtl) {
  for (const bool equal : {false, true}) {
    Point p = point(trace);
    p.fabric.ports = 4;
    p.fabric.planes = 3;
    p.fabric.equal_split = equal;
    const Row model = run_point(p, {});
    p.fabric.device = "verilated";
    const Row rtl = run_point(p, {});
    EXPECT_EQ(model.event_log_hash, rtl.event_log_hash);
    EXPECT_EQ(model.events, rtl.events);
    EXPECT_EQ(model.arrivals->cct_mean, rtl.arrivals->cct_mean);
    EXPECT_EQ(rtl.arrivals->off_plan, 0);
  }
}

TEST(Planes, MergeTheirEventsByCycleThenPlane) {
  Point p = point(trace);
  p.fabric.planes = 3;
  std::vector<Event> log;
  RunOptions options;
  options.on_event = [&](const Event& event) { log.push_back(event); };
  run_point(p, options);
  bool several = false;
  for (std::size_t k = 1; k < log.size(); ++k) {
    EXPECT_LE(log[k - 1].at, log[k].at);
    if (log[k - 1].at != log[k].at) continue;
    EXPECT_LE(index(log[k - 1].plane), index(log[k].plane));
    several = several || log[k - 1].plane != log[k].plane;
  }
  EXPECT_TRUE(several) << "two planes never acted in one cycle";
}

TEST(Planes, CarryATraceFasterTogether) {
  Point p = point(trace);
  const Row one = run_point(p, {});
  for (const bool equal : {false, true}) {
    p.fabric.planes = 2;
    p.fabric.equal_split = equal;
    const Row several = run_point(p, {});
    EXPECT_EQ(several.arrivals->off_plan, 0);
    EXPECT_EQ(several.words_passed, one.words_passed);
    EXPECT_LT(several.arrivals->makespan, one.arrivals->makespan) << equal;
    EXPECT_EQ(
        several.port_up.n + several.port_tuning.n + several.port_locking.n + several.port_held.n + several.port_idle.n,
        2 * several.cycles.n * several.ports);
  }
}

}  // namespace
}  // namespace ocs::test
