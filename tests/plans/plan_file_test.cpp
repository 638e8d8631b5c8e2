// Files of plans: what is written is read back, and what no plan may say is refused with its place.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/plan_file.hpp"

#include <functional>

#include "tests/plans/rig.hpp"

namespace ocs {
namespace {

using namespace test;

std::vector<FiledPlan> read(const Json& json) { return plans_from_text(json.dump(), "p.json"); }

TEST(PlanFile, IsReadBackAsWritten) {
  Problem problem = small_problem();
  problem.now = Ticks{7};
  problem.planes = 2;
  problem.all_stop = true;
  problem.pair_delta.assign(16, Ticks{3});
  problem.up = {{Plane{1}, Input{3}, Outputs{}.set(0).set(2), Ticks{5}}};
  problem.dead_in = {Input{1}};
  problem.dead_out = {Output{3}};
  problem.seed = 42;
  problem.flows[1].outs.set(3);
  problem.flows[1].release = Ticks{9};
  problem.flows[1].priority = -4;
  problem.flows[1].coflow = Id{6};
  const Json written = to_json(problem);
  EXPECT_EQ(to_json(problem_from_json(written, "x")), written);
  Reservation one = reservation(4, 3, 2, 5, 6, 7, 8);
  one.plane = Plane{1};
  EXPECT_EQ(to_json(reservations_from_json(Json::array({to_json(one)}), "x").at(0)), to_json(one));
}

TEST(PlanFile, HasWhatTheFileSays) {
  Json json = file_of(small_plan());
  json["plans"][0]["blocks"] = Json::array(
      {{{"block", 0}, {"bytes", 10}, {"server", 3}}, {{"block", 1}, {"offset", 4}, {"bytes", 20}, {"server", 1}}});
  const std::vector<FiledPlan> plans = read(json);
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_EQ(plans[0].policy, "mine");
  EXPECT_EQ(plans[0].push.problem.flows.size(), 2u);
  EXPECT_EQ(plans[0].push.plan.list.at(1).up, Ticks{120});
  EXPECT_EQ(plans[0].pull.plan.list.at(0).in, Input{1});
  ASSERT_TRUE(plans[0].placement);
  EXPECT_EQ(plans[0].placement->servers, (std::vector<Node>{Node{1}, Node{3}}));
  EXPECT_EQ(plans[0].placement->shards.at(1).offset, Bytes{4});
}

TEST(PlanFile, LeavesFieldsAloneThatItDoesNotKnow) {
  Json json = file_of(small_plan());
  json["mine"] = "note";
  json["plans"][0]["push"]["reservations"][0]["colour"] = 3;
  EXPECT_EQ(read(json).size(), 1u);
}

TEST(PlanFile, NamesThePlaceOfWhatIsWrong) {
  const auto refused = [](const std::function<void(Json&)>& change) {
    Json json = file_of(small_plan());
    change(json);
    return refusal([&] { read(json); });
  };
  EXPECT_EQ(refused([](Json& j) { j["schema_version"] = 2; }),
            "p.json.schema_version is 2, but must be a whole number from 1 to 1");
  EXPECT_EQ(refused([](Json& j) { j.erase("plans"); }), "p.json has no \"plans\"");
  EXPECT_EQ(refused([](Json& j) { j["plans"][0]["push"] = 3; }), "p.json: plans[0].push is 3, but must be an object");
  EXPECT_EQ(refused([](Json& j) { j["plans"][0]["push"].erase("problem"); }),
            "p.json: plans[0].push has no \"problem\"");
  EXPECT_EQ(refused([](Json& j) { j["plans"][0]["pull"]["reservations"] = "all"; }),
            "p.json: plans[0].pull.reservations is \"all\", but must be a list");
  EXPECT_EQ(refused([](Json& j) { j["plans"][0]["push"]["reservations"][1]["start"] = 1.5; }),
            "p.json: plans[0].push.reservations[1].start is 1.5, but must be a whole number from 0 to "
            "1152921504606846976");
  EXPECT_NE(refused([](Json& j) {
              j["plans"][0]["push"]["reservations"][1]["end"] = 1ull << 63;
            }).find("reservations[1].end"),
            std::string::npos);
  EXPECT_EQ(refused([](Json& j) { j["plans"][0]["push"]["reservations"][0]["outs"] = Json::array({1}); }),
            "p.json: plans[0].push.reservations[0] must have \"out\", the output, or else \"outs\", a list of outputs");
  EXPECT_EQ(refused([](Json& j) { j["plans"][0]["push"]["problem"]["all_stop"] = "yes"; }),
            "p.json: plans[0].push.problem.all_stop is \"yes\", but must be true or false");
  EXPECT_EQ(refusal([] { plans_from_text("{\"schema_version\": 1,", "p.json"); }),
            "p.json is not valid JSON: the error is at byte 22");
  EXPECT_EQ(refusal([] { plans_from_text("[1e999]", "p.json"); }),
            "p.json is not valid JSON: it has a number that is too large");
}

TEST(PlanFile, SaysThatAPortIsOutOfRange) {
  Json json = file_of(small_plan());
  json["plans"][0]["push"]["reservations"][0]["out"] = 256;
  EXPECT_EQ(broken_rule([&] { read(json); }), "port_range");
}

TEST(PlanFile, WithTenThousandNestedListsIsRefused) {
  EXPECT_NE(refusal([] { plans_from_text(std::string(100'000, '['), "p.json"); }), "");
  EXPECT_NE(refusal([] { plans_from_text(std::string(100'000, '[') + std::string(100'000, ']'), "p.json"); }), "");
}

}  // namespace
}  // namespace ocs
