// JUnit: read, refused, written and read back.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/junit.hpp"

#include <gtest/gtest.h>

#include "host/core/error.hpp"

namespace ocs::regress {
namespace {

std::string junit_refusal(const std::string& text) {
  try {
    read_junit(text, "j.xml");
  } catch (const Error& failure) {
    return failure.what();
  }
  return "";
}

TEST(Junit, CountsTestsAndTakesTheMessagesOfFailures) {
  const JunitResults read = read_junit(
      "<testsuites><testsuite><testcase classname='A' name='x'/><testcase name='y'><failure message='too late'/>"
      "</testcase><testcase name='z'><error>lost &lt;it&gt;</error><failure/></testcase><testcase "
      "name='s'><skipped/></testcase></testsuite></testsuites>",
      "j.xml");
  EXPECT_EQ(read.tests, 4u);
  EXPECT_EQ(read.skipped, 1u);
  ASSERT_EQ(read.failures.size(), 2u);
  EXPECT_EQ(read.failures[0].test, "y");
  EXPECT_EQ(read.failures[0].message, "too late");
  EXPECT_EQ(read.failures[1].message, "lost <it>");
}

TEST(Junit, RefusesWhatIsNone) {
  EXPECT_EQ(junit_refusal("<a>"), "j.xml:1: is not valid XML: no element found");
  EXPECT_EQ(junit_refusal("<a/>"), "j.xml: must hold JUnit results: it has no <testsuite>");
  EXPECT_EQ(junit_refusal("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<testsuite>&b;</testsuite>"),
            "j.xml:1: JUnit results have no document type (<!DOCTYPE)");
}

TEST(Junit, ReadsWhatItWrites) {
  const std::string sentence = "a \"b\" <c> & d";
  const JunitResults read = read_junit(
      junit_text("s", {{"t", "good", {}}, {"t", "bad", {.verdict = Verdict::failed, .sentence = sentence}}}), "j.xml");
  EXPECT_EQ(read.tests, 2u);
  ASSERT_EQ(read.failures.size(), 1u);
  EXPECT_EQ(read.failures[0].test, "t.bad");
  EXPECT_EQ(read.failures[0].message, sentence);
}

}  // namespace
}  // namespace ocs::regress
