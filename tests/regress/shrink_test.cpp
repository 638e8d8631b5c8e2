// Programs that fail become as small as they can be; programs of a seed are always the same.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/core/fnv.hpp"

namespace ocs::regress {
namespace {

using conformance::Op;
using conformance::Step;

std::vector<Step> program_of(std::uint64_t seed) {
  const conformance::DrawBelow draw = conformance::draws_of(seed);
  conformance::Setting setting;
  setting.ports = 8;
  return random_steps(setting, 100, draw);
}

bool has(const std::vector<Step>& steps, const std::function<bool(const Op&)>& wanted) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return std::any_of(step.ops.begin(), step.ops.end(), wanted); });
}

TEST(Shrink, LeavesWhatTheFailureNeeds) {
  std::vector<Step> steps = program_of(7);
  const auto commits = [](const Op& op) { return op.kind == Op::Kind::write && op.reg->name == "COMMIT"; };
  const auto advances = [](const Op& op) { return op.kind == Op::Kind::advance && op.value >= 3; };
  const auto fails = [&](const std::vector<Step>& some) { return has(some, commits) && has(some, advances); };
  ASSERT_TRUE(fails(steps));
  ASSERT_GT(join(steps).size(), 100u);
  shrink(steps, fails);
  const std::vector<Op> left = join(steps);
  EXPECT_EQ(left.size(), 2u);
  EXPECT_TRUE(fails(steps));
  const auto advance = std::find_if(left.begin(), left.end(), advances);
  ASSERT_NE(advance, left.end());
  EXPECT_LT(advance->value, 6u);  // half of it would be too short
}

TEST(RandomProgram, IsTheSameForTheSameSeed) {
  EXPECT_EQ(join(program_of(1)), join(program_of(1)));
  EXPECT_NE(join(program_of(1)), join(program_of(2)));
  std::string text;
  for (const Op& op : join(program_of(1))) text += to_json(op).dump();
  Fnv1a hash;
  hash.add(text);
  EXPECT_EQ(hash.hex(), "582ca863f032b542");  // on every machine, and with every compiler
}

}  // namespace
}  // namespace ocs::regress
