// The file of a timeline: valid JSON, exact times, compressed or not, and a sentence where it can't be written.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/timeline/trace_writer.hpp"

#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "host/core/error.hpp"
#include "testbed/timeline/word_rate.hpp"
#include "tests/common/refusal.hpp"

namespace ocs {
namespace {

using Json = nlohmann::json;

class TraceFile : public testing::Test {
 protected:
  ~TraceFile() override { std::filesystem::remove(name_); }
  std::string plain() const {
    std::ifstream in(name_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string decompressed() const {
    std::string text(1 << 20, ' ');
    gzFile in = gzopen(name_.c_str(), "rb");
    const int got = gzread(in, text.data(), static_cast<unsigned>(text.size()));
    gzclose(in);
    return text.substr(0, static_cast<std::size_t>(std::max(0, got)));
  }
  const std::string name_ = testing::TempDir() + "trace_" + std::to_string(getpid());
};

TEST_F(TraceFile, KeepsEveryPicosecondAndEveryName) {
  TraceWriter out(name_, false);
  out.slice({1, 2}, "a \"b\" \\ \n\xff", Picos{1'234'567'890'123}, Picos{1'234'567'890'124},
            {{"words", 7}, {"of", "x"}});
  out.finish();
  const Json event = Json::parse(plain()).at("traceEvents").at(0);
  EXPECT_EQ(event.at("name"), "a \"b\" \\ ??");
  EXPECT_EQ(std::llround(event.at("ts").get<double>() * 1e6), 1'234'567'890'123);
  EXPECT_EQ(event.at("args").at("length_ps"), 1);
  EXPECT_EQ(event.at("dur"), 0) << "both ends are in one nanosecond";
  EXPECT_EQ(event.at("args").at("words"), 7);
  EXPECT_EQ(event.at("args").at("of"), "x");
}

TEST_F(TraceFile, HoldsAllThatWasWritten) {
  constexpr int many = 20'000;
  TraceWriter out(name_, false);
  for (int k = 0; k < many; ++k)
    out.slice({10, k % 64}, "words", Picos{k * 5120}, Picos{(k + 1) * 5120}, {{"input", k % 64}, {"words", 1}});
  out.finish();
  EXPECT_EQ(out.events(), many);
  const Json events = Json::parse(plain()).at("traceEvents");
  ASSERT_EQ(events.size(), std::size_t{many});
  EXPECT_EQ(std::llround(events.back().at("ts").get<double>() * 1e6), std::int64_t{many - 1} * 5120);
}

TEST_F(TraceFile, IsTheSameCompressed) {
  for (const bool compressed : {false, true}) {
    TraceWriter out(name_, compressed);
    out.counter(5, "ports up", Picos{5120}, 3);
    out.arrow(1, {1, 1}, Picos{0}, {1, 3}, Picos{9});
    out.finish();
    const std::string text = compressed ? decompressed() : plain();
    EXPECT_EQ(Json::parse(text).at("traceEvents").size(), 3U);
    EXPECT_EQ(plain().starts_with('{'), !compressed);
  }
}

TEST_F(TraceFile, OfARunThatFailsCanBeRead) {
  {
    TraceWriter out(name_, false);
    out.instant({4, 0}, "commit", Picos{0});
  }
  EXPECT_EQ(Json::parse(plain()).at("traceEvents").size(), 1U);
}

TEST_F(TraceFile, SaysWhereItCantBeWritten) {
  EXPECT_EQ(test::refusal([] { TraceWriter("/nowhere/row-1.json", false); }),
            "the timeline can't be written to \"/nowhere/row-1.json\": No such file or directory");
  TraceWriter full("/dev/full", false);
  EXPECT_EQ(test::failure([&] { full.finish(); }),
            "the timeline \"/dev/full\" can't be written: No space left on device");
}

/// The area under the rate is the number of words, however often the steps have become longer.
TEST(WordRate, KeepsAllWords) {
  WordRate rate;
  for (std::int64_t k = 0; k < 1000; ++k)
    rate.add(Picos{k * 100'000'000}, Picos{k * 100'000'000 + 51'200'000}, Words{10'000});
  double words = 0, before = 0;
  Picos since{0};
  rate.each([&](Picos at, std::int64_t now) {
    words += before * static_cast<double>((at - since).n) / 1e12;
    since = at;
    before = static_cast<double>(now);
  });
  EXPECT_NEAR(words, 1e7, 1e3);
  EXPECT_EQ(before, 0) << "it ends";
}

}  // namespace
}  // namespace ocs
