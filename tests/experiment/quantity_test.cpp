// Quantities with units: exact values in, exact text out, and one clear complaint for everything else.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/quantity.hpp"

#include <cstdint>
#include <limits>
#include <random>

#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::refusal;

std::int64_t time(std::string_view text) { return parse_quantity(text, Dimension::time); }
std::int64_t rate(std::string_view text) { return parse_quantity(text, Dimension::rate); }
std::int64_t size(std::string_view text) { return parse_quantity(text, Dimension::size); }

TEST(Quantity, ReadsEveryUnitExactly) {
  EXPECT_EQ(time("10 ms"), 10'000'000'000);
  EXPECT_EQ(time("11.5 us"), 11'500'000);
  EXPECT_EQ(time("11.5 \u00b5s"), 11'500'000);
  EXPECT_EQ(time("3.84 ns"), 3840);
  EXPECT_EQ(time("5120 ps"), 5120);
  EXPECT_EQ(time("2s"), 2'000'000'000'000);
  EXPECT_EQ(time("0 ns"), 0);
  EXPECT_EQ(rate("100 Gbit/s"), 100'000'000'000);
  EXPECT_EQ(rate("0.4 Tb/s"), 400'000'000'000);
  EXPECT_EQ(rate("1 bit/s"), 1);
  EXPECT_EQ(size("25 MB"), 25'000'000);
  EXPECT_EQ(size("1.5 KiB"), 1536);
  EXPECT_EQ(size("64 B"), 64);
}

TEST(Quantity, KeepsTheLastPicosecondWhereADoubleWouldLoseIt) {
  EXPECT_EQ(time("9223372.036854775807 s"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(time("0.000000000001 s"), 1);
  EXPECT_EQ(time("0.1 us") * 3, time("0.3 us"));
}

TEST(Quantity, RefusesWhatIsNoWholeNumberOfTheSmallestUnit) {
  EXPECT_EQ(refusal([] { time("0.5 ps"); }), "must be a whole number of picoseconds");
  EXPECT_EQ(refusal([] { size("0.3 B"); }), "must be a whole number of bytes");
}

TEST(Quantity, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal([] { time("9223372.036854775808 s"); }), "must be at most 9223372.036854775807 s");
  EXPECT_EQ(refusal([] { time("999999999999999999999999 s"); }), "must be at most 9223372.036854775807 s");
  EXPECT_EQ(refusal([] { time("1000000000000000000000000 s"); }), "must have at most 24 digits");
}

TEST(Quantity, NamesTheUnitsAndTheOneThatWasMeant) {
  EXPECT_EQ(refusal([] { time("10 mss"); }),
            "must be a time in one of the units ps, ns, us, ms, s; \"mss\" is not one of them (did you mean \"ms\"?)");
  EXPECT_NE(refusal([] { rate("100 Gbits"); }).find("did you mean \"Gbit/s\"?"), std::string::npos);
  EXPECT_NE(refusal([] { time("10"); }).find("with a unit, such as \"10 ms\""), std::string::npos);
}

TEST(Quantity, RefusesEverythingThatIsNoPlainDecimalNumber) {
  for (const char* text : {"", " ", "ms", "-1 ms", "+1 ms", ".5 ms", "5. ms", "1e3 ms", "nan ms", "inf s", "1.2.3 ms",
                           "1  ms", "1 ms ", " 1 ms", "0x10 ns", "1,5 ms", "1\tms", "1 \xff"})
    refusal([&] { time(text); });
}

TEST(Quantity, WritesTheLargestUnitThatIsAtLeastOne) {
  EXPECT_EQ(to_text(11'500'000, Dimension::time), "11.5 us");
  EXPECT_EQ(to_text(5120, Dimension::time), "5.12 ns");
  EXPECT_EQ(to_text(0, Dimension::time), "0 ps");
  EXPECT_EQ(to_text(1'000'000'000'001, Dimension::time), "1.000000000001 s");
  EXPECT_EQ(to_text(100'000'000'000, Dimension::rate), "100 Gbit/s");
  EXPECT_EQ(to_text(102'228'128, Dimension::size), "102.228128 MB");
}

TEST(Quantity, ReadsBackWhatItWrites) {
  constexpr std::uint64_t seed = 4;
  std::mt19937_64 random(seed);
  for (int k = 0; k < 10'000; ++k) {
    const auto value = static_cast<std::int64_t>(random() >> (1 + random() % 63));
    for (const Dimension dimension : {Dimension::time, Dimension::rate, Dimension::size})
      ASSERT_EQ(parse_quantity(to_text(value, dimension), dimension), value) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ocs
