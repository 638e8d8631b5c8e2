// Statistics, and what each report says.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/report.hpp"

#include <nlohmann/json.hpp>

#include "host/core/error.hpp"
#include "testbed/characterize/firmware_report.hpp"
#include "testbed/experiment/files/receivers.hpp"
#include "tests/characterize/rig.hpp"

namespace ocs::characterize {
namespace {

using test::findings_of;
using test::set_up;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Statistics, AreNearestRanks) {
  std::vector<Picos> times;
  for (int k = 200; k >= 1; --k) times.push_back(Picos{k});
  const Statistics all = statistics(times);
  EXPECT_EQ(all.min, Picos{1});
  EXPECT_EQ(all.median, Picos{100});
  EXPECT_EQ(all.p99, Picos{198});
  EXPECT_EQ(all.max, Picos{200});
  EXPECT_EQ(statistics({Picos{7}}).p99, Picos{7});
}

TEST(Histogram, CountsEveryTimeOnce) {
  const std::vector<Bin> bins = histogram({Picos{0}, Picos{9}, Picos{10}, Picos{25}, Picos{30}}, 3);
  ASSERT_EQ(bins.size(), 3u);
  EXPECT_EQ(bins[0].count, 2u);
  EXPECT_EQ(bins[1].count, 1u);
  EXPECT_EQ(bins[2].count, 2u) << "the last bin has both its ends";
  EXPECT_EQ(bins[2].to, Picos{30});
  const std::vector<Bin> one = histogram({Picos{5}, Picos{5}}, 20);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].count, 2u);
}

Findings four() {
  return findings_of({set_up(0, 0, 10, 1), set_up(0, 1, 20, 1), set_up(1, 0, 30, 2), set_up(1, 1, 40, 2)});
}

TEST(Report, CountsWhatNeverCameUpApart) {
  Findings findings = four();
  findings.set_ups[3].up = false;
  const Summary summary = summarize(findings);
  EXPECT_EQ(summary.failed, 1u);
  EXPECT_EQ(summary.together->max, Picos{32});
  EXPECT_NE(text(findings, summary, nullptr).find("1 never came up"), std::string::npos);
  EXPECT_EQ(count(to_junit(findings, nullptr), "<failure message=\"not up after 42 ps\"/>"), 1u);
}

TEST(Report, HoldsAllOfItAsJson) {
  const Findings findings = four();
  const auto json = nlohmann::json::parse(to_json(findings, summarize(findings), nullptr));
  EXPECT_EQ(json.at("together").at("median_ps"), 21);
  EXPECT_EQ(json.at("tuning").at("max_ps"), 40);
  EXPECT_EQ(json.at("set_ups").size(), 4u);
  EXPECT_EQ(json.at("set_ups").at(2).at("locking_ps"), 2);
  EXPECT_TRUE(json.at("against").is_null());
  std::size_t sum = 0;
  for (const auto& bin : json.at("histogram")) sum += bin.at("count").get<std::size_t>();
  EXPECT_EQ(sum, 4u);
}

TEST(Report, NamesReceiversAsAnExperimentDoes) {
  Findings findings = four();
  const Summary summary = summarize(findings);
  EXPECT_EQ(text(findings, summary, nullptr).find("receivers"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(to_json(findings, summary, nullptr)).at("receivers").is_null());
  const ReceiverTimes times{
      .warm_time = {20'000}, .warm = {Picos{0}, Picos{40}}, .cold = {Picos{1}, Picos{2}, Picos{3}, Picos{1'000'000}}};
  findings.receivers = {.times = times, .locking = {Picos{1}, Picos{2}}};
  const std::string said = "warm for 20 ns: 0 ps, 40 ps; cold: 1 ps, 2 ps, 3 ps, 1 us";
  EXPECT_EQ(parse_receivers(said), times);
  EXPECT_NE(text(findings, summary, nullptr).find("least locking of their outputs: " + said + "\n"), std::string::npos);
  const auto json = nlohmann::json::parse(to_json(findings, summary, nullptr)).at("receivers");
  EXPECT_EQ(json.at("warm_time_ps"), 20'000);
  EXPECT_EQ(json.at("warm_ps"), std::vector({0, 40}));
  EXPECT_EQ(json.at("cold_ps"), std::vector({1, 2, 3, 1'000'000}));
  EXPECT_EQ(json.at("locking_ps"), std::vector({1, 2}));
}

TEST(Report, NamesNeighboursAsAnExperimentDoes) {
  Findings findings = four();
  const Summary summary = summarize(findings);
  const auto json = [&] { return nlohmann::json::parse(to_json(findings, summary, nullptr)).at("neighbours"); };
  EXPECT_TRUE(json().is_null());
  findings.neighbours = MeasuredNeighbours{};
  EXPECT_EQ(text(findings, summary, nullptr).find("mirrors that move"), std::string::npos);
  EXPECT_EQ(json().at("distances"), std::vector<int>{});
  EXPECT_EQ(to_profile(findings, "1").find("neighbours"), std::string::npos);
  findings.neighbours->times = {.distances = 0x81, .disturbed = Picos{2'000'000}, .park = {}};
  EXPECT_NE(text(findings, summary, nullptr).find("mirrors that move: disturb at 1, 8 for 2 us\n"), std::string::npos);
  EXPECT_EQ(json().at("distances"), std::vector({1, 8}));
  EXPECT_EQ(json().at("disturbed_ps"), 2'000'000);
  EXPECT_EQ(json().at("alike"), true);
  EXPECT_EQ(parse_switch_profile(to_profile(findings, "1"), "p", "p.toml").neighbours, findings.neighbours->times);
  findings.neighbours->alike = false;
  EXPECT_NE(text(findings, summary, nullptr).find("for 2 us, at most: not every mirror does so\n"), std::string::npos);
}

/// Powers of four pairs: output 0 from input 0, from 1, output 1 from 0, from 1.
Findings with_power(const std::vector<std::optional<int>>& powers) {
  Findings findings = four();
  for (std::size_t k = 0; k < powers.size(); ++k) findings.set_ups[k].power = powers[k];
  return findings;
}

TEST(Power, IsOfALaserOfEachInputAndALossOfEachOutput) {
  const auto levels = levels_of(with_power({-300, -250, -425, -375}));
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->lasers, (std::vector{-300, -250}));
  EXPECT_EQ(levels->losses, (std::vector{0, 125})) << "the smallest is 0";
  EXPECT_EQ(levels_of(with_power({-425, -375, -300, -250}))->losses, (std::vector{125, 0}));
  EXPECT_FALSE(levels_of(with_power({-300, -250, -425, -376}))) << "one hundredth is too much";
  EXPECT_FALSE(levels_of(with_power({-300, -250, -425, std::nullopt}))) << "a pair is missing";
  Findings twice = with_power({-300, -250, -425, -375});
  twice.set_ups.push_back(set_up(0, 0, 10, 1));
  EXPECT_TRUE(levels_of(twice)) << "it was read once";
  twice.set_ups.back().power = -301;
  EXPECT_FALSE(levels_of(twice)) << "a pair has two powers";
}

TEST(Power, IsWrittenWithLevelsThatRegistersCanHold) {
  const auto faint = levels_of(with_power({-98303, -33000, -40000, 25303}));
  ASSERT_TRUE(faint);
  EXPECT_EQ(faint->lasers, (std::vector{-32768, 32535}));
  EXPECT_EQ(faint->losses, (std::vector{65535, 7232})) << "losses grow by what lasers had to";
  EXPECT_FALSE(levels_of(with_power({-32769, 32767, -32769, 32767}))) << "no laser sends so much more than another";
  EXPECT_FALSE(levels_of(with_power({-98304, -98304, -32768, -32768}))) << "no loss is so much more than another";
}

TEST(Power, IsSummedUpOverWhatCameUp) {
  Findings findings = with_power({-300, -725, -725, -400});
  const auto power = power_of(findings);
  ASSERT_TRUE(power);
  EXPECT_EQ(power->min, -725);
  EXPECT_EQ(power->median, -725) << "the second of four";
  EXPECT_EQ(power->max, -300);
  EXPECT_EQ(power->weakest, 1u) << "the first one";
  EXPECT_EQ(power->missing, 0u);
  findings.set_ups[3].power.reset();
  findings.set_ups[2].up = false;
  EXPECT_EQ(power_of(findings)->missing, 1u) << "output 1 from input 0 never came up";
  EXPECT_FALSE(power_of(four()));
}

TEST(Report, NamesTheWeakestPairWherePowersArentAsAfterReset) {
  const auto said = [](const Findings& findings) { return text(findings, summarize(findings), nullptr); };
  EXPECT_NE(said(with_power({-300, -250, -425, -375}))
                .find("42 ps\npower: min -4.25 dBm, median -3.75 dBm, max -2.5 dBm\n"
                      "weakest: output 1 from input 0, -4.25 dBm\n\ntogether\n"),
            std::string::npos)
      << said(with_power({-300, -250, -425, -375}));
  EXPECT_EQ(said(with_power({0, 0, 0, 0})), said(four()));
  EXPECT_NE(said(with_power({-300, -250, -425, -376}))
                .find("-4.25 dBm\na profile has no laser and loss: no levels of ports show these powers\n"),
            std::string::npos);
  EXPECT_NE(said(with_power({-300, -250, std::nullopt, std::nullopt}))
                .find("-3 dBm\n2 of 4 circuits showed no light when their power was read\n"
                      "a profile has no laser and loss: the power of a pair is missing\n"),
            std::string::npos);
}

TEST(Report, HasPowersToTheHundredthForPrograms) {
  const auto json = [](const Findings& findings) {
    return nlohmann::json::parse(to_json(findings, summarize(findings), nullptr));
  };
  const Findings findings = with_power({-300, -250, -425, -375});
  const auto power = json(findings).at("power");
  EXPECT_EQ(power.at("min_dbm"), "-4.25");
  EXPECT_EQ(power.at("median_dbm"), "-3.75");
  EXPECT_EQ(power.at("max_dbm"), "-2.5");
  EXPECT_EQ(power.at("weakest").at("output"), 1);
  EXPECT_EQ(power.at("missing"), 0);
  EXPECT_EQ(power.at("laser_dbm"), (std::vector<std::string>{"-3", "-2.5"}));
  EXPECT_EQ(power.at("loss_db"), (std::vector<std::string>{"0", "1.25"}));
  EXPECT_EQ(json(findings).at("set_ups").at(2).at("power_dbm"), "-4.25");
  EXPECT_TRUE(json(with_power({0, 0, 0, 1})).at("power").at("laser_dbm").is_null());
  EXPECT_TRUE(json(four()).at("power").is_null());
  EXPECT_TRUE(json(four()).at("set_ups").at(0).at("power_dbm").is_null());
  EXPECT_EQ(count(to_csv(findings, nullptr), "1,0,idle,0,30,2,32,1,,,-4.25\n"), 1u);
}

TEST(Profile, HasTheLevelsOfPortsThatShowThePowersOfAllPairs) {
  const auto light = [](const Findings& findings) {
    return parse_switch_profile(to_profile(findings, "1"), "p", "p.toml").light;
  };
  const auto levels = light(with_power({-300, -250, -425, -375}));
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->lasers, (std::vector{-300, -250}));
  EXPECT_EQ(levels->losses, (std::vector{0, 125}));
  EXPECT_FALSE(levels->detected);
  EXPECT_FALSE(light(with_power({0, 0, 0, 0}))) << "as after reset";
  EXPECT_FALSE(light(with_power({-300, -250, -425, -376})));
  EXPECT_FALSE(light(four()));
}

TEST(Profile, HasReceiversApartFromTuning) {
  Findings findings = findings_of({set_up(0, 0, 10, 5), set_up(0, 1, 20, 9), set_up(1, 0, 30, 7), set_up(1, 1, 40, 8)});
  findings.receivers = {.times = {.warm_time = {}, .warm = {Picos{0}}, .cold = {Picos{0}, Picos{4}}},
                        .locking = {Picos{5}, Picos{6}}};
  const SwitchProfile twin = parse_switch_profile(to_profile(findings, "1"), "p", "p.toml");
  EXPECT_EQ(twin.receivers, findings.receivers->times);
  EXPECT_EQ(twin.tuning, (std::vector{Picos{10}, Picos{30}, Picos{20}, Picos{40}}));
  EXPECT_EQ(twin.locking, (std::vector{Picos{5}, Picos{6}}));
}

TEST(Report, HasALineOfCsvForEachSetUp) {
  const std::string csv = to_csv(four(), nullptr);
  EXPECT_EQ(csv.substr(csv.find('\n') + 1, 24), "0,0,idle,0,10,1,11,1,,,\n");
  EXPECT_EQ(count(csv, "\n"), 5u);
}

TEST(Report, HasATestCaseForEachSetUp) {
  SwitchProfile profile;
  profile.name = "<p>";
  profile.ports = 2;
  profile.tuning = profile.locking = {Picos{0}};
  profile.at_most = Picos{31};
  const Findings findings = four();
  const Verdict verdict = judge(findings, profile, {});
  const std::string junit = to_junit(findings, &verdict);
  EXPECT_NE(junit.find("tests=\"4\" failures=\"2\""), std::string::npos);
  EXPECT_NE(junit.find("against &lt;p>"), std::string::npos);
  EXPECT_EQ(count(junit, "<failure message=\"42 ps, limit 31 ps\"/>"), 1u);
}

TEST(Report, DrawsACellForEachPairAndItsScale) {
  const Findings findings = four();
  const std::string svg = to_svg(findings, summarize(findings));
  EXPECT_EQ(count(svg, "<title>output "), 4u);
  EXPECT_EQ(count(svg, "#440154\"><title>output 0 from input 0: 11.00 ps"), 1u) << "the fastest is darkest";
  EXPECT_EQ(count(svg, "#fde725\"><title>output 1 from input 1: 42.00 ps"), 1u) << "the slowest is brightest";
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(Report, DrawsPairsThatNeverCameUpInRed) {
  Findings findings = four();
  findings.set_ups[2].up = false;
  EXPECT_EQ(count(to_svg(findings, summarize(findings)), "#d62728\"><title>output 1 from input 0: never up"), 1u);
}

TEST(FirmwareReport, DrawsTheLatenciesWithASizeAndLines) {
  const std::vector<FirmwareLatency> latencies = {
      {.command = "map", .count = 2, .answer = {30}, .commit = Cycles{20}},
      {.command = "state", .count = 2, .answer = {40}, .commit = std::nullopt}};
  const std::string svg = firmware_svg(latencies, Picos{5120});
  EXPECT_EQ(count(svg, " width=\"640\" height=\"360\""), 2u) << "of the picture, and of its ground";
  EXPECT_EQ(count(svg, " stroke-width=\"2\""), 2u) << "a line each for maps and states";
  const std::string text = firmware_text(latencies, Picos{5120}, 2);
  EXPECT_NE(text.find("2           -           -          40    204.8 ns\n"), std::string::npos) << text;
}

TEST(SavedProfile, SaysTheMedianOfEachPair) {
  Findings findings = four();
  findings.set_ups.push_back(set_up(0, 0, 14, 1));
  findings.set_ups.push_back(set_up(0, 0, 12, 1));
  const SwitchProfile profile = parse_switch_profile(to_profile(findings, "1"), "p", "p.toml");
  EXPECT_EQ(profile.ports, 2);
  EXPECT_EQ(profile.tuning, (std::vector<Picos>{{12}, {30}, {20}, {40}})) << "at in * ports + out";
  EXPECT_EQ(profile.locking, (std::vector<Picos>{{1}, {2}}));
  EXPECT_FALSE(profile.at_most);
}

TEST(SavedProfile, KeepsProgrammingApartFromPairs) {
  Findings findings = four();
  for (CircuitSetUp& each : findings.set_ups)
    if (each.out == 1) each.tuning += Picos{7};
  findings.programming = Programming{.time = Picos{7}, .lanes = 1, .longest = Picos{7}};
  EXPECT_NE(text(findings, summarize(findings), nullptr)
                .find("mirrors are programmed 1 at once, each further group 7 ps later"),
            std::string::npos);
  const SwitchProfile profile = parse_switch_profile(to_profile(findings, "1"), "p", "p.toml");
  EXPECT_EQ(profile.tuning, parse_switch_profile(to_profile(four(), "1"), "p", "p.toml").tuning);
  EXPECT_EQ(profile.program_time, Picos{7});
  EXPECT_EQ(profile.program_lanes, 1);
}

TEST(SavedProfile, PutsLockingThatDependsOnThePairIntoTuning) {
  Findings findings = four();
  findings.set_ups[1].locking = Picos{6};
  const SwitchProfile profile = parse_switch_profile(to_profile(findings, "1"), "p", "p.toml");
  EXPECT_EQ(profile.locking, (std::vector<Picos>{{1}, {2}}));
  EXPECT_EQ(profile.tuning_of(Input{1}, Output{0}), Picos{25}) << "26 ps in all, less the 1 ps of its output";
}

TEST(SavedProfile, NeedsEveryPair) {
  Findings findings = four();
  findings.set_ups[1].up = false;
  try {
    to_profile(findings, "1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "output 0 never came up from input 1, so no profile can say how long it takes");
    EXPECT_EQ(error.exit_code(), 1);
  }
  for (CircuitSetUp& each : findings.set_ups) each.in.reset();
  EXPECT_THROW(to_profile(findings, "1"), Error);
}

}  // namespace
}  // namespace ocs::characterize
