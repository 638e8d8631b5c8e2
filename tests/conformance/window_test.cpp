// Rules of the register window that a program, which names whole registers, cannot express: halves, strobes, the latch.
// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ocs_regs.h"
#include "tests/conformance/devices.hpp"

namespace ocs::conformance {
namespace {

constexpr std::uint32_t commit_at = offsetof(ocs_regs_t, core.COMMIT_AT);
constexpr std::uint32_t shadow_map = offsetof(ocs_regs_t, port.SHADOW);
constexpr std::uint32_t commits = offsetof(ocs_regs_t, core.COMMITS);
constexpr std::uint32_t time_low = offsetof(ocs_regs_t, core.TIME);

class Window : public testing::TestWithParam<Body> {
 protected:
  std::unique_ptr<Device> device_ = make_device(GetParam(), modes()[0], 4, 64);
  RegisterBus& bus_ = device_->bus();
};

TEST_P(Window, KeepsTheLowWordOfATimedCommitUntilTheHighOneIsWritten) {
  bus_.write(shadow_map, 0x80000001u);
  bus_.write(commit_at, 6);
  bus_.write(commit_at + 4, 0);
  bus_.write(commit_at, 2);
  EXPECT_EQ(bus_.read(commit_at), 6u);
  device_->clock().run_until({6});
  EXPECT_EQ(bus_.read(commits), 0u);
  device_->clock().run_until({7});
  EXPECT_EQ(bus_.read(commits), 1u);
}

TEST_P(Window, ForgetsTheLatchAtASoftReset) {
  bus_.write(commit_at, 1);
  bus_.write(commit_at + 4, 7);
  bus_.read(commit_at);
  EXPECT_EQ(bus_.read(commit_at + 4), 7u);
  bus_.write(offsetof(ocs_regs_t, core.SOFT_RESET), 1);
  EXPECT_EQ(bus_.read(time_low + 4), 0u);
}

TEST_P(Window, LatchesTheHighWordOnceForTheWholeWindow) {
  bus_.write(commit_at, 1);
  bus_.write(commit_at + 4, 7);
  bus_.read(commit_at);
  EXPECT_EQ(bus_.read(time_low + 4), 7u);
  bus_.read(time_low);
  EXPECT_EQ(bus_.read(commit_at + 4), 0u);
}

TEST_P(Window, IgnoresTheLowestTwoAddressBits) {
  EXPECT_EQ(bus_.read(offsetof(ocs_regs_t, ID) + 3), bus_.read(offsetof(ocs_regs_t, ID)));
}

TEST_P(Window, RefusesWhatIsBeyondIt) {
  EXPECT_THROW(bus_.read(0x80000), AccessRefused);
  EXPECT_THROW(bus_.write(0xFFFFFFFC, 1), AccessRefused);
}

/// All registers with their surroundings: every word below PAIR, every word of six rows of it, and every 13th of the
/// rest and of what lies beyond.
std::vector<std::uint32_t> addresses() {
  std::vector<std::uint32_t> out;
  for (std::uint32_t word = 0; word < 0x80010 / 4; ++word)
    if (word < 0x10000 / 4 || (word >= 0x40000 / 4 && word < 0x41800 / 4) || word % 13 == 0) out.push_back(4 * word);
  return out;
}

/// Those that a device answers, and every seventh of those that it refuses: a refusal costs an exception.
std::vector<std::uint32_t> mostly_answered(RegisterBus& bus) {
  const std::vector<std::uint32_t> all = addresses();
  const std::vector<std::optional<std::uint32_t>> found = answers(bus, all);
  std::vector<std::uint32_t> out;
  std::size_t refused = 0;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (found[k] || refused++ % 7 == 0) out.push_back(all[k]);
  return out;
}

TEST(WholeWindow, AnswersAlikeOnEveryDeviceBeforeAndAfterEveryRegisterWasWritten) {
  constexpr std::uint32_t pair_entry = 0x40000 + 4;
  std::vector<std::uint32_t> all = addresses();
  for (const std::uint32_t value : {0xFFFF'FFFFu, 0x5A5A'A5A5u, 1u}) {
    std::vector<std::vector<std::optional<std::uint32_t>>> first;
    for (const Body& body : bodies()) {
      const auto device = make_device(body, modes()[0], 4, 64);
      std::vector<std::vector<std::optional<std::uint32_t>>> seen{answers(device->bus(), all)};
      const std::vector<std::uint32_t> refused = refused_writes(device->bus(), all, value);
      seen.emplace_back(refused.begin(), refused.end());
      seen.push_back(answers(device->bus(), all));
      device->clock().run_until(device->clock().now() + Cycles{1000});
      seen.push_back(answers(device->bus(), all));
      const auto pair = static_cast<std::size_t>(std::find(all.begin(), all.end(), pair_entry) - all.begin());
      EXPECT_NE(seen[2].at(pair), seen[0].at(pair));
      if (first.empty()) first = seen;
      for (std::size_t k = 0; k < seen.size(); ++k) {
        ASSERT_EQ(seen[k].size(), first[k].size()) << body.name;
        const auto [a, b] = std::mismatch(seen[k].begin(), seen[k].end(), first[k].begin());
        EXPECT_TRUE(a == seen[k].end()) << body.name << ", part " << k << ", number " << a - seen[k].begin()
                                        << " of the addresses: " << a->value_or(0) << ", not " << b->value_or(0);
      }
    }
    if (value == 0xFFFF'FFFFu) all = mostly_answered(make_device(bodies()[0], modes()[0], 4, 64)->bus());
  }
}

/// As on a board: whole words alone.
struct BusOfWords final : RegisterBus {
  std::uint32_t read(std::uint32_t) override { return last; }
  void write(std::uint32_t, std::uint32_t value) override { last = value; }
  std::uint32_t last = 0;
};

TEST(BusOfWholeWords, SaysThatItWritesNoBytes) {
  BusOfWords bus;
  bus.write_bytes(0, 5, 0xF);
  EXPECT_EQ(bus.last, 5u);
  EXPECT_THROW(bus.write_bytes(0, 6, 0x3), Error);
  EXPECT_THROW(bus.write_bytes(0, 6, 0), Error);
  EXPECT_EQ(bus.last, 5u);
}

INSTANTIATE_TEST_SUITE_P(Every, Window, testing::ValuesIn(bodies().begin(), bodies().end()),
                         [](const auto& body) { return test_name(body.param); });

}  // namespace
}  // namespace ocs::conformance
