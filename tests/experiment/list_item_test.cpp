// Items of lists in Markdown: their lines, and what no line begins with.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "testbed/apps/help/two_columns.hpp"

namespace ocs::test {
namespace {

TEST(ListItem, IsOneLineWhereItFits) {
  EXPECT_EQ(list_item("a column"), "- a column\n");
  const std::string fits(98, 'x');
  EXPECT_EQ(list_item(fits), "- " + fits + "\n");
}

TEST(ListItem, GoesOnBelowItsText) {
  const std::string half(60, 'x');
  EXPECT_EQ(list_item(half + " " + half), "- " + half + "\n  " + half + "\n");
}

TEST(ListItem, BeginsNoLineWithASign) {
  const std::string first(93, 'x');
  for (const std::string sign : {"-", "+", "*", "%", "/"})
    EXPECT_EQ(list_item(first + " from " + sign + " to"), "- " + first + "\n  from " + sign + " to\n") << sign;
}

}  // namespace
}  // namespace ocs::test
