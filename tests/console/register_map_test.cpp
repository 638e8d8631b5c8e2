// Registers by name: indices, ranges, fields, completion.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/console/register_map.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>

#include "host/core/error.hpp"
#include "ocs_regs.h"

namespace ocs::console {
namespace {

using Entries = std::vector<std::uint32_t>;
using Names = std::vector<std::string>;

std::string refusal(std::string_view name) {
  try {
    parse_register_name(name, 8);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "accepted";
}

TEST(RegisterMap, HasTheAddressesOfTheHeader) {
  EXPECT_EQ(register_called("CTRL").address, offsetof(ocs_regs_t, CTRL));
  EXPECT_EQ(register_called("TIME").address, offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, TIME));
  EXPECT_EQ(register_called("DARK").address, offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, DARK));
  EXPECT_EQ(register_called("PAIR").address, offsetof(ocs_regs_t, PAIR));
  EXPECT_EQ(address_of(register_called("DARK"), 3), register_called("DARK").address + 24);
}

TEST(RegisterMap, NamesNothingTwiceAndStaysWithinItsRegisters) {
  std::set<std::string_view> names;
  std::uint32_t end = 0;
  for (const RegisterInfo& reg : register_map()) {
    EXPECT_TRUE(names.insert(reg.name).second) << reg.name;
    EXPECT_GE(reg.address, end) << reg.name;
    end = reg.address + reg.stride * reg.entries;
    for (const FieldInfo& field : fields_of(reg)) EXPECT_LE(field.low + field.width, reg.bits) << reg.name;
  }
  EXPECT_GT(names.size(), 60u);
}

TEST(RegisterMap, ReadsIndicesRangesAndFields) {
  EXPECT_EQ(parse_register_name("TIME", 8).entries, Entries{0});
  EXPECT_EQ(parse_register_name("base[3]", 8).entries, Entries{3});
  EXPECT_EQ(parse_register_name("BASE[2:4]", 8).entries, (Entries{2, 3, 4}));
  EXPECT_EQ(parse_register_name("BASE[*]", 3).entries, (Entries{0, 1, 2}));
  EXPECT_EQ(parse_register_name("START[*]", 40).entries, (Entries{0, 1}));
  EXPECT_EQ(parse_register_name("PAIR[1][*]", 2).entries, (Entries{256, 257}));
  EXPECT_EQ(parse_register_name("PAIR[0:1][1]", 4).entries, (Entries{1, 257}));
  EXPECT_EQ(parse_register_name("State[1].cause", 8).field->name, "CAUSE");
  EXPECT_EQ(parse_register_name("BASE[255]", 8).entries, Entries{255}) << "the switch refuses it, not the name";
}

TEST(RegisterMap, SaysWhatIsWrongWithAName) {
  EXPECT_EQ(refusal("BASS[0]"), "there is no register \"BASS\"; did you mean BASE?");
  EXPECT_EQ(refusal("qqqqqqqqqq"), "there is no register \"qqqqqqqqqq\"; `help registers` lists them");
  EXPECT_EQ(refusal("BASE"), "register BASE must have one index, such as BASE[0], but is written \"BASE\"");
  EXPECT_EQ(refusal("TIME[0]"), "register TIME must have no index, but is written \"TIME[0]\"");
  EXPECT_EQ(refusal("PAIR[0]"),
            "register PAIR must have two, output and input, such as PAIR[0][1], but is written \"PAIR[0]\"");
  EXPECT_EQ(refusal("BASE[256]"),
            "index \"256\" of \"BASE[256]\" must be a number from 0 to 255, FIRST:LAST, or * for all");
  EXPECT_EQ(refusal("BASE[-1]"),
            "index \"-1\" of \"BASE[-1]\" must be a number from 0 to 255, FIRST:LAST, or * for all");
  EXPECT_EQ(refusal("BASE[]"), "index \"\" of \"BASE[]\" must be a number from 0 to 255, FIRST:LAST, or * for all");
  EXPECT_EQ(refusal("BASE[4:2]"), "index \"4:2\" of \"BASE[4:2]\" must ascend");
  EXPECT_EQ(refusal("BASE[1"), "register name \"BASE[1\" has no ] for its [");
  EXPECT_EQ(refusal("BASE[1]x"), "register name \"BASE[1]x\" must end with ], or with a dot and a field");
  EXPECT_EQ(refusal("STATE[1].X"), "register STATE has no field \"X\"; it has STATE, CAUSE, DISTURBED, DIM");
  EXPECT_EQ(refusal(""), "there is no register \"\"; `help registers` lists them");
}

TEST(RegisterMap, CompletesRegistersAndFields) {
  EXPECT_EQ(names_beginning("comm"), (Names{"COMMIT_TAG", "COMMIT_AT", "COMMITS", "COMMIT", "COMMIT_CANCEL"}));
  EXPECT_EQ(names_beginning("bas"), Names{"BASE["});
  EXPECT_EQ(names_beginning("STATE[3].c"), Names{"STATE[3].CAUSE"});
  EXPECT_EQ(names_beginning("CTRL."), (Names{"CTRL.ALL_STOP", "CTRL.MULTICAST"}));
  EXPECT_EQ(names_beginning("nothing"), Names{});
}

}  // namespace
}  // namespace ocs::console
