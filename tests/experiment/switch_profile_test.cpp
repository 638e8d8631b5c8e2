// Profiles of switches: the presets' published numbers, draws that anybody can repeat, and what is wrong in a file.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/switch_profile.hpp"

#include <algorithm>
#include <cstdlib>

#include "testbed/experiment/files/quantiles.hpp"
#include "testbed/experiment/files/receivers.hpp"
#include "tests/common/places.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::refusal;

const std::string switch_profile_folder = ocs::test::source_dir() + "/host/switches";

constexpr std::int64_t ns = 1000, us = 1000 * ns, ms = 1000 * us;

SwitchProfile preset(std::string_view name) { return load_switch_profile(name, switch_profile_folder, ""); }

std::string wrong(std::string_view text) {
  return refusal([&] { parse_switch_profile(text, "p", "p.toml"); });
}

TEST(Presets, AreAllThereEachWithItsSource) {
  EXPECT_EQ(switch_names(switch_profile_folder),
            (std::vector<std::string>{"calient", "mordia", "opera", "palomar", "phase_caching", "polatis", "sirius"}));
  for (const std::string& name : switch_names(switch_profile_folder)) {
    const SwitchProfile profile = preset(name);
    EXPECT_FALSE(profile.sources.empty()) << name;
    EXPECT_FALSE(profile.published.empty() || profile.assumed.empty() || profile.summary.empty()) << name;
    EXPECT_TRUE(profile.at_most) << name;
  }
}

TEST(Presets, HaveThePublishedNumbers) {
  const SwitchProfile mordia = preset("mordia");
  EXPECT_EQ(mordia.tuning, std::vector<Picos>{{2800 * ns}});
  EXPECT_EQ(mordia.locking, std::vector<Picos>{{8700 * ns}});
  EXPECT_EQ(mordia.control_latency, Picos{68'500 * ns});
  EXPECT_EQ(mordia.at_most, Picos{11'500 * ns});
  const SwitchProfile sirius = preset("sirius");
  EXPECT_EQ(sirius.tuning[0] + sirius.locking[0], Picos{3840});
  EXPECT_EQ(preset("opera").tuning[0], Picos{10 * us});
  EXPECT_EQ(preset("calient").tuning[0], Picos{200 * ms});
  EXPECT_EQ(preset("calient").at_most, Picos{500 * ms});
  EXPECT_EQ(preset("polatis").at_most, Picos{50 * ms});
  EXPECT_EQ(preset("palomar").ports, 136);
}

TEST(Presets, HaveThePublishedLevelsAndReceivers) {
  const LightLevels light = preset("palomar").light.value();
  EXPECT_EQ(light.laser - light.loss, -850);
  EXPECT_EQ(light.back_at, -1500);
  EXPECT_EQ(light.back_at - light.lost_below, 50);
  const SwitchProfile caching = preset("phase_caching");
  EXPECT_EQ(caching.locking[0], Picos{625});
  EXPECT_EQ(caching.receivers, parse_receivers("warm for 1 ms; cold: 1 us"));
  EXPECT_EQ(caching.tuning[0] + caching.longest_locking_of(Output{0}), caching.at_most);
}

TEST(Presets, SpreadPairsAsTheirQuantilesSay) {
  std::vector<Picos> palomar = preset("palomar").tuning;
  ASSERT_EQ(palomar.size(), 136u * 136u);
  std::sort(palomar.begin(), palomar.end());
  const auto share_below = [&](std::int64_t limit) {
    return std::lower_bound(palomar.begin(), palomar.end(), Picos{limit}) - palomar.begin();
  };
  const auto all = static_cast<std::int64_t>(palomar.size());
  EXPECT_GE(palomar.front(), Picos{600 * us});
  EXPECT_LE(palomar.back(), Picos{3 * ms});
  EXPECT_NEAR(static_cast<double>(share_below(1200 * us)), static_cast<double>(all) / 2, static_cast<double>(all) / 50);
  EXPECT_NEAR(static_cast<double>(share_below(1700 * us)), static_cast<double>(all) * 0.9,
              static_cast<double>(all) / 50);
}

TEST(Quantiles, AreDrawnAlikeEverywhere) {
  const std::vector<Quantile> line{{0, Picos{0}}, {1000, Picos{1'000'000}}};
  EXPECT_EQ(draw(line, 1, 0), draw(line, 1, 0));
  EXPECT_NE(draw(line, 1, 0), draw(line, 1, 1));
  EXPECT_NE(draw(line, 1, 0), draw(line, 2, 0));
  EXPECT_EQ(draw(line, 136, 0).n, 638'826) << "by another program (Python), from the definition";
  const std::vector<Quantile> step{{0, Picos{5}}, {400, Picos{5}}, {1000, Picos{5}}};
  for (std::uint64_t k = 0; k < 100; ++k) EXPECT_EQ(draw(step, 9, k), Picos{5});
}

TEST(SwitchProfile, TakesARowForEachOutput) {
  const SwitchProfile profile = parse_switch_profile(
      "ports = 2\n[tuning]\npicoseconds = [[1, 2], [3, 4]]\n[locking]\npicoseconds = [5, 6]\n", "p", "p.toml");
  EXPECT_EQ(profile.tuning_of(Input{1}, Output{0}), Picos{2});
  EXPECT_EQ(profile.tuning_of(Input{0}, Output{1}), Picos{3});
  EXPECT_EQ(profile.locking_of(Output{1}), Picos{6});
}

TEST(SwitchProfile, NamesTheLineThatIsWrong) {
  const std::string lock = "\n[locking]\nall = \"0 ns\"\n";
  EXPECT_EQ(wrong("ports = 1"), "p.toml:1: \"ports\" must be a whole number from 2 to 256");
  EXPECT_EQ(
      wrong("ports = 2\nport = 3"),
      "p.toml:2: unknown key \"port\", but the keys are summary, source, published, assumed, ports, control_latency, "
      "tuning, locking, programming, bounds, optics");
  EXPECT_NE(wrong("ports = ").find("p.toml:1: this is not valid TOML: "), std::string::npos);
  std::string deep = "[a";
  for (int k = 0; k < 20000; ++k) deep += ".a";
  EXPECT_EQ(wrong("ports = 4\n" + deep + "]"),
            "p.toml:2: this is not valid TOML: keys and brackets nest more than 64 deep");
  EXPECT_EQ(wrong(""), "p.toml:1: the key \"ports\" is missing");
  EXPECT_EQ(
      wrong("ports = 2\n[tuning]\nall = \"1 s\"\n[locking]\nall = \"1 ns\"\nreceivers = \"cold: 2 us, 1 us\""),
      "p.toml:6: \"locking.receivers\" is \"cold: 2 us, 1 us\", but must have times that never fall; of cold receivers "
      "1 us comes after 2 us");
  EXPECT_EQ(
      wrong("ports = 2\n[tuning]\nall = \"1 s\"\nneighbours = \"disturb at 2, 1 for 1 us\"\n[locking]\nall = \"1 ns\""),
      "p.toml:4: \"tuning.neighbours\" is \"disturb at 2, 1 for 1 us\", but must have distances that rise; 1 comes "
      "after 2");
  EXPECT_EQ(wrong("ports = 2\n[tuning]\nall = \"1 s\"\n[locking]\nall = \"1 ns\"\n[optics]\nlight = \"400 dBm\""),
            "p.toml:7: \"optics.light\" is \"400 dBm\", but must have levels from -327.68 to 327.67 dBm; it has \"400 "
            "dBm\"");
  EXPECT_EQ(wrong("ports = 2\ntuning = 3"), "p.toml:2: \"tuning\" must be a table: [tuning]");
  EXPECT_NE(wrong("ports = 2\n[tuning]" + lock).find("[tuning] must have exactly one of all, quantiles, picoseconds"),
            std::string::npos);
  EXPECT_NE(wrong("ports = 2\n[tuning]\nall = \"1 s\"\nseed = 3" + lock).find("goes with \"tuning.quantiles\" alone"),
            std::string::npos);
  EXPECT_EQ(wrong("ports = 2\n[tuning]\nall = 3" + lock),
            "p.toml:3: \"tuning.all\" must be a time in quotes, such as \"11.5 us\"");
  EXPECT_NE(wrong("ports = 2\n[tuning]\nall = \"3\"" + lock)
                .find("p.toml:3: \"tuning.all\" is \"3\", but must be a time with a unit"),
            std::string::npos);
  EXPECT_EQ(wrong("ports = 3\n[tuning]\npicoseconds = [[1, 2]]" + lock),
            "p.toml:3: \"tuning.picoseconds\" must be a list of 3, one for each output");
  EXPECT_EQ(wrong("ports = 2\n[tuning]\npicoseconds = [[1, 2],\n[3]]" + lock),
            "p.toml:4: \"tuning.picoseconds\" must be a list of 2, one for each input");
  EXPECT_NE(wrong("ports = 2\n[tuning]\npicoseconds = [[1, 2],\n[3, -4]]" + lock)
                .find("p.toml:4: \"tuning.picoseconds\" must be a whole number from 0"),
            std::string::npos);
  for (const char* quantiles :
       {"3", "[]", "[[0, \"1 s\"]]", "[[0, \"1 s\"], [5, \"2 s\"]]", "[[0, \"2 s\"], [1000, \"1 s\"]]",
        "[[0, \"1 s\"], [0, \"2 s\"], [1000, \"3 s\"]]", "[[0, 1], 2]"})
    EXPECT_NE(wrong(std::string("ports = 2\n[tuning]\nseed = 1\nquantiles = ") + quantiles + lock)
                  .find("p.toml:4: \"tuning.quantiles\" must be"),
              std::string::npos)
        << quantiles;
  EXPECT_NE(wrong("ports = 2\n[tuning]\nquantiles = [[0, \"1 s\"], [1000, \"2 s\"]]" + lock)
                .find("the key \"seed\" is missing"),
            std::string::npos);
  EXPECT_NE(wrong("ports = 2\n[tuning]\nall = \"1 s\"").find("the key \"locking\" is missing"), std::string::npos);
  EXPECT_EQ(wrong("source = [1]\nports = 2"), "p.toml:1: \"source\" must hold text alone");
  EXPECT_EQ(wrong("summary = 1\nports = 2"), "p.toml:1: \"summary\" must be text in quotes");
  EXPECT_NE(
      wrong("ports = 2\n[tuning]\nall = \"1 s\"" + lock + "[bounds]\nmost = 3").find("unknown key \"bounds.most\""),
      std::string::npos);
}

TEST(SwitchProfile, MayStateItsPowerBudget) {
  EXPECT_EQ(preset("palomar").optics.at("insertion_loss_db"), 1.2);
  EXPECT_TRUE(preset("mordia").optics.empty());
  const std::string rest = "ports = 2\n[tuning]\nall = '1 s'\n[locking]\nall = '0 ns'\n[optics]\n";
  EXPECT_EQ(parse_switch_profile(rest + "launch_dbm = -3\ndamping = 0.5", "p", "p.toml").optics,
            (std::map<std::string, double>{{"launch_dbm", -3}, {"damping", 0.5}}));
  EXPECT_NE(wrong(rest + "gain = 3").find("unknown key \"optics.gain\""), std::string::npos);
  for (const char* value : {"'1'", "nan", "inf", "1001", "true", "[1]"})
    EXPECT_EQ(wrong(rest + "launch_dbm = " + value),
              "p.toml:7: \"optics.launch_dbm\" must be a number from -1000 to 1000")
        << value;
}

const std::string optics_of_four = "ports = 4\n[tuning]\nall = '1 s'\n[locking]\nall = '0 ns'\n[optics]\n";

SwitchProfile with_optics(const std::string& keys) {
  return parse_switch_profile(optics_of_four + keys, "p", "p.toml");
}

TEST(SwitchProfile, MayStateTheLevelsOfEachPortToTheHundredth) {
  const SwitchProfile lists =
      with_optics("laser = [-3.05, -327.68, 3_2.7e1, 0]\nloss = [0.07, 655.35, 0x10, 2.50]\nlaunch_dbm = -3");
  ASSERT_TRUE(lists.light);
  LightLevels right;
  right.lasers = {-305, -32768, 32700, 0};
  right.losses = {7, 65535, 1600, 250};
  EXPECT_EQ(*lists.light, right);
  EXPECT_EQ(lists.light_text, "laser and loss of the switch");
  EXPECT_EQ(lists.optics.size(), 1u) << "lists are no numbers of the optics in SystemC";
  right = {};
  right.loss = 300;
  EXPECT_EQ(*with_optics("loss = 3").light, right);
  for (int hundredths = -999; hundredths <= 999; ++hundredths) {
    const std::string text = (hundredths < 0 ? "-" : "") + std::to_string(std::abs(hundredths) / 100) + "." +
                             std::to_string(std::abs(hundredths) / 10 % 10) + std::to_string(std::abs(hundredths) % 10);
    EXPECT_EQ(with_optics("laser = " + text).light->laser, hundredths) << text;
  }
}

TEST(SwitchProfile, HasLevelsThatGoBeforeTheFirstLevelOfItsLight) {
  const std::string light = "light = '-3 dBm less 2.5 dB, lost below -14 dBm'\n";
  const LightLevels plain = *with_optics(light).light;
  const SwitchProfile lasers = with_optics(light + "laser = [1, 2, 3, 4]");
  LightLevels right = plain;
  right.lasers = {100, 200, 300, 400};
  EXPECT_EQ(*lasers.light, right) << "2.5 dB are lost at all outputs";
  EXPECT_EQ(lasers.light_text, "-3 dBm less 2.5 dB, lost below -14 dBm, laser of the switch");
  right = plain;
  right.loss = 125;
  EXPECT_EQ(*with_optics("loss = 1.25\n" + light).light, right);
  EXPECT_EQ(with_optics("loss = 1.25\n" + light).light_text,
            "-3 dBm less 2.5 dB, lost below -14 dBm, loss of the switch");
  EXPECT_EQ(with_optics(light).light_text, "-3 dBm less 2.5 dB, lost below -14 dBm");
}

TEST(SwitchProfile, RefusesLevelsThatArentThoseOfItsPorts) {
  const auto refused = [](const std::string& keys) { return wrong(optics_of_four + keys); };
  const std::string laser =
      "p.toml:7: \"optics.laser\" must be a level in dBm, or a list of 4 of them, one for each input: numbers from "
      "-327.68 to 327.67 with two decimals at most";
  const std::string loss =
      "p.toml:7: \"optics.loss\" must be a loss in dB, or a list of 4 of them, one for each output: numbers from 0 to "
      "655.35 with two decimals at most";
  EXPECT_EQ(refused("laser = [1, 2, 3]"), laser + "; it has 3 of them");
  EXPECT_EQ(refused("laser = []"), laser + "; it has 0 of them");
  EXPECT_EQ(refused("loss = [1, 2, 3, 4, 5]"), loss + "; it has 5 of them");
  for (const char* value :
       {"-3.005", "-327.69", "327.68", "328", "10000", "1e-05", "1e+300", "nan", "inf", "99999.5"}) {
    EXPECT_EQ(refused(std::string("laser = ") + value), laser + "; it has " + (value[0] == 'i' ? "inf" : value));
    EXPECT_EQ(refused(std::string("laser = [1, 2, 3, ") + value + "]"), laser + "; it has " + value);
  }
  for (const char* value : {"-0.01", "-1", "655.36", "656", "0.001"})
    EXPECT_EQ(refused(std::string("loss = ") + value), loss + "; it has " + value);
  for (const char* value : {"'-3 dBm'", "true", "{}", "[1, 2, 3, '4']", "[1, 2, 3, [4]]", "2024-01-01"}) {
    EXPECT_EQ(refused(std::string("laser = ") + value), laser) << value;
    EXPECT_EQ(refused(std::string("loss = ") + value), loss) << value;
  }
}

TEST(SwitchProfile, IsFoundByNameOrPath) {
  EXPECT_EQ(refusal([] { preset("mordai"); }),
            "unknown switch \"mordai\" (did you mean \"mordia\"?); known: calient, mordia, opera, palomar, "
            "phase_caching, polatis, sirius, or file:PROFILE.toml");
  EXPECT_EQ(load_switch_profile("file:mordia.toml", "/nowhere", switch_profile_folder).ports, 24);
  EXPECT_NE(
      refusal([] { load_switch_profile("file:no.toml", switch_profile_folder, "/nowhere"); }).find("can't be read"),
      std::string::npos);
  EXPECT_NE(refusal([] { load_switch_profile("mordia", "/nowhere", ""); }).find("LIGHTLOOP_DATA"), std::string::npos);
}

}  // namespace
}  // namespace ocs
