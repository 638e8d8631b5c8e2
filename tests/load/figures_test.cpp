// What adaptive server load gains and loses, as docs/sync-schemes.md, section 5, states it; by formula.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <utility>

#include "testbed/workloads/workload.hpp"
#include "tests/common/places.hpp"
#include "tests/load/abstract_load.hpp"

namespace ocs::abstract {
namespace {

constexpr std::int64_t nominal = 10'000'000'000;

LoadInput input_of(std::size_t keys, std::int64_t size, std::int64_t workers, std::int64_t slow_tenths,
                   std::size_t hold, std::size_t iterations = 200) {
  return {.keys = std::vector<Bytes>(keys, Bytes{size}),
          .workers = workers,
          .rates = moving_slow_server(4, iterations, nominal, nominal * slow_tenths / 10, hold),
          .compute_ns = 0,
          .policy = LoadPolicy::fixed,
          .settings = {}};
}

std::int64_t total(LoadInput input, LoadPolicy policy) {
  input.policy = policy;
  return run_load(input).total_ns;
}

double gain(const LoadInput& input, LoadPolicy policy) {
  return static_cast<double>(total(input, LoadPolicy::fixed)) / static_cast<double>(total(input, policy));
}

TEST(ServerLoad, OfSmallKeysGainsWhatTheClosedFormSays) {
  for (const auto& [servers, tenths] : {std::pair{4, 3}, {4, 5}, {8, 1}, {2, 5}}) {
    LoadInput input = input_of(8000, 100'000, 8, tenths, 1000, 1);
    input.rates = moving_slow_server(static_cast<std::size_t>(servers), 1, nominal, nominal * tenths / 10, 1000);
    const double a = tenths / 10.0;
    EXPECT_NEAR(gain(input, LoadPolicy::oracle), (servers - 1 + a) / (servers * a), .002)
        << servers << " servers, one at ." << tenths;
  }
}

TEST(ServerLoad, GainsLessByTheGranularityOfKeys) {
  const double closed_form = (3 + .3) / (4 * .3);
  EXPECT_NEAR(closed_form, 2.75, .0001);
  EXPECT_NEAR(gain(input_of(64, 1'000'000, 8, 3, 1000, 1), LoadPolicy::oracle), 2.667, .001);
  // 135 slices: the even map isn't even.
  EXPECT_NEAR(gain(input_of(135, 4'096'000, 8, 3, 1000, 1), LoadPolicy::oracle), 2.764, .001);
}

TEST(ServerLoad, AveragesBeginWithTheNominalRateThatIsGiven) {
  LoadInput input = input_of(64, 1'000'000, 8, 3, 20);
  input.settings.ema_shift = 3;
  const std::int64_t from_highest = total(input, LoadPolicy::adaptive);
  input.nominal_bps = nominal;
  EXPECT_EQ(total(input, LoadPolicy::adaptive), from_highest);
  input.nominal_bps = nominal / 10;  // all seem slow at first
  EXPECT_NE(total(input, LoadPolicy::adaptive), from_highest);
}

struct Stated {
  std::int64_t slow_tenths;
  std::size_t hold;
  double gain;
};

TEST(ServerLoad, GainsWhereTheNetworkChangesMoreSlowlyThanItMeasures) {
  for (const Stated& stated : {Stated{3, 1000, 2.64},
                               {3, 20, 2.39},
                               {3, 5, 1.81},
                               {3, 2, 1.22},
                               {3, 1, .79},
                               {1, 1000, 7.36},
                               {1, 20, 5.22},
                               {1, 5, 2.65},
                               {1, 2, 1.34},
                               {1, 1, .73},
                               {5, 1000, 1.68},
                               {5, 20, 1.61},
                               {5, 5, 1.41},
                               {5, 2, 1.13},
                               {5, 1, .85}})
    EXPECT_NEAR(gain(input_of(64, 1'000'000, 8, stated.slow_tenths, stated.hold), LoadPolicy::adaptive), stated.gain,
                .005)
        << "." << stated.slow_tenths << " of the rate, on the next server every " << stated.hold << " iterations";
}

/// Rates of all servers drawn anew in each iteration, between a half and the whole.
LoadInput noise(std::uint64_t seed, std::uint32_t shift, std::uint32_t hysteresis) {
  LoadInput input = input_of(64, 1'000'000, 8, 10, 1);
  std::mt19937_64 random(seed);
  for (auto& rates : input.rates)
    for (std::int64_t& rate : rates) rate = nominal / 2 + static_cast<std::int64_t>(random() % (nominal / 2 + 1));
  input.settings.ema_shift = shift;
  input.settings.hysteresis_num = hysteresis;
  return input;
}

TEST(ServerLoad, LosesLittleOnNoiseWithAnAverageAndAHysteresis) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    sum += gain(noise(seed, 0, 105), LoadPolicy::adaptive);
    for (const std::uint32_t shift : {2u, 3u})
      EXPECT_GE(gain(noise(seed, shift, 120), LoadPolicy::adaptive), .97) << "seed " << seed << ", shift " << shift;
  }
  EXPECT_NEAR(sum / 20, .92, .02) << "without either";
}

/// VGG-16, of which one tensor is 74 %. Stated, of a job that isn't said: 1.64 and 2.48.
TEST(ServerLoad, GainsLessWithWholeTensors) {
  const Workload vgg = load_workload("vgg16", std::filesystem::path(ocs::test::source_dir()) / "testbed/workloads", {});
  LoadInput whole = input_of(1, 1, 8, 3, 20), sliced = whole;
  whole.keys.clear();
  sliced.keys.clear();
  for (const Tensor& tensor : vgg.tensors) {
    std::int64_t left = tensor.elements * 4;
    whole.keys.push_back({left});
    for (; left > 0; left -= 4'096'000) sliced.keys.push_back({std::min<std::int64_t>(left, 4'096'000)});
  }
  EXPECT_NEAR(gain(whole, LoadPolicy::adaptive), 1.60, .005);
  EXPECT_NEAR(gain(sliced, LoadPolicy::adaptive), 2.45, .005);
}

TEST(ServerLoad, MattersLessWhereWorkersCompute) {
  LoadInput input = input_of(64, 1'000'000, 8, 3, 20);
  EXPECT_NEAR(gain(input, LoadPolicy::adaptive), 2.39, .005);
  input.compute_ns = 1'000'000'000;
  EXPECT_NEAR(gain(input, LoadPolicy::adaptive), 1.31, .005);
}

}  // namespace
}  // namespace ocs::abstract
