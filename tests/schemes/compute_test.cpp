// Compute times: factors, jitter, stragglers, traces and the published table.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "testbed/workloads/compute_model.hpp"
#include "tests/common/places.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t ms = 1'000'000'000;

ComputeModel model(const std::string& jitter, const std::string& stragglers = "", const std::string& factors = "") {
  ComputeModel made;
  made.base = Picos{100 * ms};
  made.seed = 7;
  made.factors = parse_factors(factors);
  parse_jitter(jitter, made);
  parse_stragglers(stragglers, made);
  return made;
}

struct Moments {
  double mean = 0, deviation = 0, least = 1e9, most = 0;  ///< in base times
};

Moments moments(const ComputeModel& of) {
  Moments m;
  double squares = 0;
  constexpr int draws = 20'000;
  for (int k = 0; k < draws; ++k) {
    const double time = static_cast<double>(of.time(static_cast<std::size_t>(k % 4), static_cast<std::uint32_t>(k)).n) /
                        static_cast<double>(of.base.n);
    m.mean += time / draws;
    squares += time * time / draws;
    m.least = std::min(m.least, time);
    m.most = std::max(m.most, time);
  }
  m.deviation = std::sqrt(squares - m.mean * m.mean);
  return m;
}

TEST(ComputeModel, HasTheDistributionsThatItNames) {
  const Moments uniform = moments(model("uniform 10 %"));
  EXPECT_NEAR(uniform.mean, 1, 0.002);
  EXPECT_NEAR(uniform.deviation, 0.1 / std::sqrt(3.0), 0.002);
  EXPECT_GE(uniform.least, 0.9);
  EXPECT_LE(uniform.most, 1.1);
  const Moments normal = moments(model("normal 5 %"));
  EXPECT_NEAR(normal.mean, 1, 0.002);
  EXPECT_NEAR(normal.deviation, 0.05, 0.002);
  const Moments exponential = moments(model("exponential 20 %"));
  EXPECT_NEAR(exponential.mean, 1.2, 0.006);
  EXPECT_NEAR(exponential.deviation, 0.2, 0.01);
  EXPECT_GE(exponential.least, 1);
  EXPECT_GE(moments(model("normal 100 %")).least, 0.01);
  const Moments stragglers = moments(model("", "5 % x 5"));
  EXPECT_NEAR(stragglers.mean, 1.2, 0.02);
  EXPECT_EQ(stragglers.most, 5);
}

TEST(ComputeModel, IsAFunctionOfSeedWorkerAndIteration) {
  ComputeModel one = model("uniform 10 %");
  const Picos time = one.time(3, 9);
  EXPECT_EQ(time, one.time(3, 9));
  EXPECT_NE(time, one.time(3, 8));
  EXPECT_NE(time, one.time(2, 9));
  one.seed = 8;
  EXPECT_NE(time, one.time(3, 9));
}

TEST(ComputeModel, MakesSingleWorkersSlowerOrFaster) {
  const ComputeModel some = model("", "", "0: 3, 2: 0.25, 3: 1.000001");
  EXPECT_EQ(some.time(0, 5).n, 300 * ms);
  EXPECT_EQ(some.time(1, 5).n, 100 * ms);
  EXPECT_EQ(some.time(2, 5).n, 25 * ms);
  EXPECT_EQ(some.time(3, 5).n, 100'000'100'000);
}

TEST(ComputeModel, TakesTheTimesOfATraceAgainAndAgain) {
  ComputeModel traced = model("");
  traced.trace = parse_compute_trace("worker,ns\n0,10\n0,20\r\n1,5\n0,30\n", "t.csv");
  EXPECT_EQ(traced.time(0, 2).n, 30'000);
  EXPECT_EQ(traced.time(0, 4).n, 20'000);
  EXPECT_EQ(traced.time(1, 1000).n, 5'000);
}

TEST(ComputeTrace, IsRefusedByLineAndValue) {
  const auto compute_refusal = [](const char* text) { return refusal([&] { parse_compute_trace(text, "t.csv"); }); };
  EXPECT_EQ(compute_refusal("a,b\n"), "t.csv:1: the first line is \"a,b\", but must be \"worker,ns\"");
  EXPECT_EQ(compute_refusal("worker,ns\n1,5\n"),
            "t.csv:2: the worker is \"1\", but must be a number up to 0: workers come in their order, from 0");
  EXPECT_EQ(compute_refusal("worker,ns\n0,-5\n"),
            "t.csv:2: the time is \"-5\", but must be a whole number of ns up to 1000000000000");
  EXPECT_EQ(compute_refusal("worker,ns\n0\n"),
            "t.csv:2: the time is \"\", but must be a whole number of ns up to 1000000000000");
  EXPECT_EQ(compute_refusal("worker,ns\n"), "t.csv: there is no time in it; it must have one or more");
  EXPECT_EQ(compute_refusal(""), "t.csv: there is no time in it; it must have one or more");
}

TEST(PublishedTimes, AreThoseOfTheTable) {
  const std::string table = ocs::test::source_dir() + "/testbed/workloads/compute_times.csv";
  EXPECT_EQ(published_time("vgg16", "K80/32", table).n, 904 * ms);
  EXPECT_EQ(published_time("alexnet", "P100/512", table).n, 171'400'000'000);
  const std::string none = refusal([&] { published_time("vgg16", "K81/32", table); });
  EXPECT_EQ(none.find("must be one of the published times of \"vgg16\", as DEVICE/BATCH: K80/32, P100/32, "), 0u)
      << none;
  EXPECT_EQ(refusal([&] { published_time("resnet32_cifar", "K80/32", table); }),
            "must be one of the published times of \"resnet32_cifar\", as DEVICE/BATCH: there are none");
}

std::string compute_refusal(const std::vector<std::string>& overrides) {
  return refusal([&] { scheme_experiment(overrides); });
}

TEST(ComputeKeys, AreRefusedWhenTheyCantBe) {
  EXPECT_EQ(compute_refusal({"compute.factors=0"}).find("must be workers, counted from 0, and factors") !=
                    std::string::npos ||
                compute_refusal({"compute.factors=0"}).find("must be text") != std::string::npos,
            true);
  EXPECT_EQ(compute_refusal({"compute.factors=0: 2, 0: 3"}),
            "--set compute.factors=0: 2, 0: 3: compute.factors is \"0: 2, 0: 3\", but must name worker 0 once");
  EXPECT_EQ(compute_refusal({"compute.factors=20: 2"}),
            "--set compute.factors=20: 2: compute.factors is \"20: 2\", but must name workers below 12, which is "
            "job.workers");
  for (const char* wrong : {"gamma 3 %", "uniform 3", "uniform 101 %", "uniform"})
    EXPECT_EQ(
        compute_refusal({std::string("compute.jitter=") + wrong}),
        std::string("--set compute.jitter=") + wrong + ": compute.jitter is \"" + wrong +
            "\", but must be \"uniform 10 %\", \"normal 10 %\" or \"exponential 10 %\", with up to 100 %, or empty");
  EXPECT_EQ(compute_refusal({"compute.stragglers=5 x 5"}),
            "--set compute.stragglers=5 x 5: compute.stragglers is \"5 x 5\", but must be the share of iterations that "
            "take longer and their factor, \"5 % x 5\"");
  EXPECT_EQ(compute_refusal({"compute.published=K80/32"}),
            "--set compute.published=K80/32: compute.published is \"K80/32\": there is no table of published times "
            "here");
}

TEST(ComputeKeys, ChangeWhatAWorkerTakes) {
  const Row row = run_scheme(
      "asp", {"job.workers=2", "job.servers=1", "job.iterations=3", "job.compute=10 ms", "compute.factors=0: 3"});
  EXPECT_EQ(row.compute_model, "factors 0: 3");
  EXPECT_GT(row.schemes->iteration_max, Picos{30 * ms});
  EXPECT_LT(row.schemes->iteration_mean, Picos{24 * ms});
}

}  // namespace
}  // namespace ocs::test
