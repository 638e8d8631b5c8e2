// Profiles of switches: the presets' published numbers, draws that anybody can repeat, and what is wrong in a file.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/switch_profile.hpp"

#include <algorithm>

#include "testbed/experiment/files/quantiles.hpp"
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
            (std::vector<std::string>{"calient", "mordia", "opera", "palomar", "polatis", "sirius"}));
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

TEST(SwitchProfile, IsFoundByNameOrPath) {
  EXPECT_EQ(refusal([] { preset("mordai"); }),
            "unknown switch \"mordai\" (did you mean \"mordia\"?); known: calient, mordia, opera, palomar, polatis, "
            "sirius, or "
            "file:PROFILE.toml");
  EXPECT_EQ(load_switch_profile("file:mordia.toml", "/nowhere", switch_profile_folder).ports, 24);
  EXPECT_NE(
      refusal([] { load_switch_profile("file:no.toml", switch_profile_folder, "/nowhere"); }).find("can't be read"),
      std::string::npos);
  EXPECT_NE(refusal([] { load_switch_profile("mordia", "/nowhere", ""); }).find("LIGHTLOOP_DATA"), std::string::npos);
}

}  // namespace
}  // namespace ocs
