// What a client of `reconcile` reads: answers as a switch gives them, and answers that no switch can mean.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/scpi_answers.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "host/core/error.hpp"

namespace ocs::test {
namespace {

using serve::circuits_in;
using serve::ports_in;
using serve::states_in;

std::string refused_answer(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    return error.what();
  }
  return "accepted";
}

TEST(ScpiAnswers, AreReadAsASwitchGivesThem) {
  EXPECT_EQ(ports_in("4,4"), 4);
  EXPECT_EQ(circuits_in("(@2,1),(@5,8)", 4),
            (std::vector<serve::CrossConnect>{{Input{0}, Output{3}}, {Input{1}, Output{0}}}));  // by input
  EXPECT_TRUE(circuits_in("(@),(@)", 4).empty());
  EXPECT_EQ(states_in("(TUNED,IDLE)", 2), (std::vector<std::string>{"TUNED", "IDLE"}));
  EXPECT_EQ(states_in("TUNED", 1), std::vector<std::string>{"TUNED"});
}

TEST(ScpiAnswers, OfNoSwitchAreRefusedInOneSentence) {
  EXPECT_NE(refused_answer([] { ports_in("2147483647,2147483647"); }).find("at most 32767"), std::string::npos);
  EXPECT_NE(refused_answer([] { ports_in("16,8"); }).find("its size is \"16,8\""), std::string::npos);
  EXPECT_NE(refused_answer([] { ports_in("\x1b[2J"); }).find("\"?[2J\""),
            std::string::npos);  // nothing reaches a terminal
  for (const char* answer : {"(@1),(@4)", "(@5),(@5)", "(@1,2),(@5)", "(@1)", "(@0),(@5)", "(@1),(@9)"})
    EXPECT_NE(refused_answer([&] { circuits_in(answer, 4); }).find("not understood"), std::string::npos) << answer;
  EXPECT_NE(refused_answer([] { states_in("(TUNED)", 2); }).find("\"(TUNED)\""), std::string::npos);
}

}  // namespace
}  // namespace ocs::test
