// Expectations: columns with units, and what holds.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/expectation.hpp"

#include <gtest/gtest.h>

#include "host/core/error.hpp"

namespace ocs::regress {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    parse_expectation(text);
  } catch (const Error& failure) {
    return failure.what();
  }
  return "";
}

TEST(Expectation, ReadsAColumnWithItsUnit) {
  const Expectation read = parse_expectation("pst_mean < 270 ms");
  EXPECT_EQ(read.column, "pst_mean_ps");
  EXPECT_EQ(read.value, Value{std::int64_t{270'000'000'000}});
  EXPECT_EQ(parse_expectation("peak_rss<=1 GB").value, Value{std::int64_t{1'000'000'000}});
  EXPECT_EQ(parse_expectation(" policy == hlf ").value, Value{std::string("hlf")});
}

TEST(Expectation, HoldsAtItsBound) {
  const auto holds = [](const std::string& text, std::int64_t got) {
    return violation(parse_expectation(text), got).empty();
  };
  EXPECT_FALSE(holds("words_lost < 3", 3));
  EXPECT_TRUE(holds("words_lost <= 3", 3));
  EXPECT_TRUE(holds("words_lost == 3", 3));
  EXPECT_FALSE(holds("words_lost != 3", 3));
  EXPECT_TRUE(holds("words_lost >= 3", 3));
  EXPECT_FALSE(holds("words_lost > 3", 3));
}

TEST(Expectation, WordsAViolationInTheUnitOfTheColumn) {
  const Expectation read = parse_expectation("pst_mean < 270 ms");
  EXPECT_EQ(violation(read, std::int64_t{280'000'000'000}), "expected pst_mean < 270 ms, got 280 ms");
  EXPECT_EQ(violation(read, std::monostate{}),
            "expected pst_mean < 270 ms, but rows of this kind of job have no pst_mean_ps");
}

TEST(Expectation, RefusesWhatItCannotCompare) {
  EXPECT_EQ(refusal_of("pst_maen < 1 ms"),
            "must name a column of docs/results.md; the most similar one is \"pst_mean\"");
  EXPECT_NE(refusal_of("pst_mean < 270"), "");
  EXPECT_EQ(refusal_of("pst_mean"), "must be COLUMN OP VALUE, where OP is one of <, <=, ==, !=, >=, >");
  EXPECT_EQ(refusal_of("policy < hlf"), "must compare text with == or !=");
  EXPECT_EQ(refusal_of("words_lost < 1.5"), "must compare it with a whole number");
  EXPECT_EQ(refusal_of("< 3"), "must begin with the name of a column");
  EXPECT_EQ(refusal_of("words_lost <"), "must end with a value");
}

}  // namespace
}  // namespace ocs::regress
