// Workloads whose phases a file says: golden cases as experiments, and files that are refused.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/phases_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "host/core/catalogue.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "tests/common/places.hpp"
#include "tests/common/refusal.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

using nlohmann::json;

/// @param input of a golden case
Point phases_point(const json& input, const std::string& policy, const std::vector<std::string>& more = {}) {
  const json file{{"ranks", input.at("ranks")}, {"phases", input.at("phases")}};
  const std::int64_t tuning_ps = (input.at("delta").get<std::int64_t>() - 1) * 5120;
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each :
       {std::string("fabric.device=model"), std::string("fabric.ports=16"), std::string("policy=sunflow"),
        std::string("job.iterations=1"), std::string("job.workload=\"phases:f\""),
        "fabric.tuning=" + std::to_string(tuning_ps) + " ps", "collective.reconfigure=" + policy,
        std::string("collective.preset=") + (input.value("preset", true) ? "true" : "false")})
    later.push_back(read_override(each));
  for (const std::string& each : more) later.push_back(read_override(each));
  apply_overrides(settings, later);
  Names names = all_schemes();
  names.load_phases = [&](std::string_view name) {
    const Workload table{std::string(name), {{"phases", {1}, 1, Bytes{4}}}, Bytes{4}};
    return PhasedInput{parse_phases(file.dump(), "f"), std::make_shared<const Workload>(table)};
  };
  return resolve(settings, names, "x.toml").points.front();
}

/// Cases that an experiment can say: from a dark switch, with a bare switch's alpha, each phase once.
bool can_be_said(const json& input) {
  return !input.contains("start") && !input.contains("candidates") && input.value("repeat", 1) == 1 &&
         input.value("alpha", 1) == 1 && input.value("lag", 1) == 1;
}

TEST(PhasesFile, TakesTheGoldenCyclesUnderEveryPolicy) {
  std::ifstream file(source_dir() + "/tests/goldens/collectives/phases.json");
  int cases = 0;
  const json golden = json::parse(file);
  for (const json& one : golden.at("cases")) {
    if (!can_be_said(one.at("input"))) continue;
    for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
      const json& expected = one.at("expect").at(std::string(policy.name));
      if (expected.is_null()) continue;
      const Point point = phases_point(one.at("input"), std::string(policy.name));
      const Row row = run_point(point, {});
      EXPECT_EQ(row.sim_time.n / point.fabric.cycle.n, expected.at("cycles").get<std::int64_t>())
          << one.at("name") << policy.name;
      EXPECT_EQ(row.words_lost + row.words_misrouted, 0);
      ++cases;
    }
  }
  EXPECT_GE(cases, 10);
}

/// What they promise is there in the end, whatever map a policy chose; the same events as without payload.
TEST(PhasesFile, CarriesThePayloadOfTheGoldenCasesUnderEveryPolicy) {
  std::ifstream file(source_dir() + "/tests/goldens/collectives/phases.json");
  const json golden = json::parse(file);
  for (const json& one : golden.at("cases")) {
    if (!can_be_said(one.at("input"))) continue;
    for (const std::string& reconfigure : reconfigure_names()) {
      if (reconfigure == copies_name || one.at("expect").value(reconfigure, json(0)).is_null()) continue;
      const bool rule = std::any_of(plane_rules().begin(), plane_rules().end(),
                                    [&](const PlaneRule& each) { return each.name == reconfigure; });
      const std::string planes = rule ? "fabric.planes=2" : "fabric.planes=1";
      const Point plain = phases_point(one.at("input"), reconfigure, {planes});
      const Row none = run_point(plain, {});
      if (rule) {
        const PlaneSteps steps = plane_steps(plain, collective_of(plain).legs).steps;
        const std::int64_t right = find(plane_rules(), reconfigure, "rule").plan(steps).cost.cycles;
        EXPECT_EQ(none.sim_time.n / plain.fabric.cycle.n, right) << one.at("name") << reconfigure;
      }
      for (const char* payload : {"digest", "full"})
        for (const char* device : {"model", "verilated"}) {
          const Row row = run_point(
              phases_point(one.at("input"), reconfigure,
                           {planes, std::string("job.payload=") + payload, std::string("fabric.device=") + device}),
              {});
          EXPECT_EQ(row.crc_errors + row.sum_errors, 0) << one.at("name") << reconfigure << payload;
          EXPECT_EQ(row.event_log_hash, none.event_log_hash) << one.at("name") << reconfigure << payload << device;
        }
    }
  }
}

TEST(PhasesFile, IsNotSharedOutToPlanes) {
  const json two = json::parse(R"({"delta": 9, "ranks": 2, "phases": [{"pairs": [[0, 1, 5]]}]})");
  EXPECT_NE(refusal([&] {
              phases_point(two, "copies", {"fabric.planes=2"});
            }).find("job.workload must be a table of tensors with collective.reconfigure \"copies\""),
            std::string::npos);
}

TEST(PhasesFile, IsRefusedInOneSentence) {
  const auto complaint = [](const std::string& text) { return refusal([&] { parse_phases(text, "f.json"); }); };
  EXPECT_NE(complaint("{").find("f.json is not valid JSON"), std::string::npos);
  EXPECT_EQ(complaint(R"({"ranks": 4, "phases": []})"), "f.json.phases must have one phase or more");
  EXPECT_EQ(complaint(R"({"ranks": 4, "phases": [{"pairs": [[0, 1]]}]})"),
            "f.json.phases[0].pairs must hold lists of two ranks below 256, and words");
  EXPECT_EQ(complaint(R"({"ranks": 4, "phases": [{"pairs": [], "gaps": 3}]})"),
            "f.json.phases[0] has \"gaps\", which no phase has");
  EXPECT_EQ(complaint(R"({"ranks": 4, "phases": [{"collective": "all_reduce"}]})"),
            "f.json.phases[0] must have either \"words\" or \"demand\"");
  EXPECT_NE(complaint(R"({"ranks": 4, "phases": [{"collective": "all_red", "words": 3}]})")
                .find("f.json.phases[0]: unknown collective \"all_red\""),
            std::string::npos);
  EXPECT_NE(complaint(R"({"ranks": 6, "phases": [{"collective": "all_to_all", "algorithm": "pairwise", "words": 3}]})")
                .find("f.json.phases[0]: pairwise is for 2, 4, 8, ... workers, not for 6"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"ranks": 4, "phases": [{"collective": "all_to_all", "demand": [[1, 2], [3, -4]]}]})")
                .find("must be a whole number from 0"),
            std::string::npos);
}

/// What only all phases together can break is found when they become legs.
TEST(PhasesFile, IsRefusedWherePhasesDoNotFit) {
  const auto complaint = [](const char* phases) {
    return refusal([&] { phases_point({{"ranks", 4}, {"delta", 60}, {"phases", json::parse(phases)}}, "always"); });
  };
  EXPECT_NE(complaint(R"([{"pairs": [[0, 1, 3], [2, 1, 3]]}])").find("phase 0 uses a port of pair 2 to 1 twice"),
            std::string::npos);
  EXPECT_NE(complaint(R"([{"collective": "all_reduce", "groups": [[0, 1], [1, 2]], "words": 9}])")
                .find("phase 0 names node 1 twice"),
            std::string::npos);
  EXPECT_NE(complaint(R"([{"pairs": [[0, 1, 3]]}, {"pairs": [[0, 1, 0]]}])").find("phase 1 has no words"),
            std::string::npos);
}

}  // namespace
}  // namespace ocs::test
