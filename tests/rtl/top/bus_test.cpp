// The bus of the whole switch under a master that pauses on every channel as it likes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <random>
#include <vector>

#include "ocs_regs.h"
#include "tests/rtl/top/switch.hpp"

namespace ocs::test {
namespace {

constexpr std::uint32_t registers = offsetof(ocs_regs_t, port.LEN), most_open = 2;

/// What a channel's valid and ready do at an edge: mostly, sometimes, seldom, in turns.
class Mood {
 public:
  bool now(std::mt19937& random) {
    if (left_-- == 0) {
      left_ = static_cast<unsigned>(random() % 40);
      eagerness_ = static_cast<unsigned>(random() % 4);
    }
    return random() % 4 <= eagerness_;
  }

 private:
  unsigned left_ = 0, eagerness_ = 3;
};

struct Write {
  std::uint32_t address, value;
  unsigned strobes;
};

/// A master of its own for each channel. Writes go to four registers or to one that isn't there; reads see what was
/// written before them.
class Master {
 public:
  explicit Master(unsigned seed) : random_(seed) {}

  void edge() {
    offer();
    const auto& top = of_.top;
    const bool aw = (top.awvalid_i & top.awready_o) != 0, w = (top.wvalid_i & top.wready_o) != 0;
    const bool b = (top.bvalid_o & top.bready_i) != 0, ar = (top.arvalid_i & top.arready_o) != 0;
    const bool r = (top.rvalid_o & top.rready_i) != 0, refused = top.bresp_o != 0;
    const std::uint32_t data = top.rresp_o == 0 ? top.rdata_o : not_there;
    of_.edge(0);
    if (b) answer(refused);
    if (r) {
      ASSERT_FALSE(reads_.empty());
      see_pending(reads_.front());
      const auto& possible = reads_.front().possible;
      EXPECT_NE(std::find(possible.begin(), possible.end(), data), possible.end()) << std::hex << data;
      reads_.pop_front();
      ++answers;
    }
    if (aw) {
      of_.top.awvalid_i = 0;
      ++addresses_;
    }
    if (w) {
      of_.top.wvalid_i = 0;
      ++values_;
    }
    if (ar) {
      of_.top.arvalid_i = 0;
      reads_.push_back({of_.top.araddr_i, {value_of(of_.top.araddr_i)}});
    }
  }
  int answers = 0;

 private:
  static constexpr std::uint32_t not_there = 0xDEAD'DEAD, beyond = registers + 4 * 200;
  struct Read {
    std::uint32_t address;
    std::vector<std::uint32_t> possible;  ///< what was there when it was asked for, and all that was written since
  };

  std::uint32_t value_of(std::uint32_t address) const {
    return address == beyond ? not_there : kept_.at((address - registers) / 4);
  }
  std::uint32_t any_address() {
    return random_() % 8 == 0 ? beyond : registers + 4 * static_cast<std::uint32_t>(random_() % 4);
  }

  static std::uint32_t merged(std::uint32_t kept, const Write& write) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      const std::uint32_t mask = 0xFFu << 8 * byte;
      if ((write.strobes >> byte & 1) != 0) kept = (kept & ~mask) | (write.value & mask);
    }
    return kept;
  }

  /// What writes that aren't answered yet may have done to a read.
  void see_pending(Read& read) const {
    std::uint32_t value = value_of(read.address);
    for (const Write& write : writes_)
      if (write.address == read.address && read.address != beyond)
        read.possible.push_back(value = merged(value, write));
  }

  // Valid signals stay until they are taken.
  void offer() {
    if (writes_.size() < most_open && random_() % 2 == 0)
      writes_.push_back({any_address(), static_cast<std::uint32_t>(random_()), static_cast<unsigned>(random_() % 16)});
    if (of_.top.awvalid_i == 0 && addresses_ < writes_.size() && aw_.now(random_)) {
      of_.top.awaddr_i = writes_.at(addresses_).address;
      of_.top.awvalid_i = 1;
    }
    if (of_.top.wvalid_i == 0 && values_ < writes_.size() && w_.now(random_)) {
      of_.top.wdata_i = writes_.at(values_).value;
      of_.top.wstrb_i = static_cast<CData>(writes_.at(values_).strobes);
      of_.top.wvalid_i = 1;
    }
    if (of_.top.arvalid_i == 0 && reads_.size() < most_open && ar_.now(random_)) {
      of_.top.araddr_i = any_address();
      of_.top.arvalid_i = 1;
    }
    of_.top.bready_i = b_.now(random_);
    of_.top.rready_i = r_.now(random_);
  }

  void answer(bool refused) {
    ASSERT_TRUE(addresses_ > 0 && values_ > 0);
    const Write write = writes_.front();
    EXPECT_EQ(refused, write.address == beyond);
    if (write.address != beyond) {
      std::uint32_t& kept = kept_.at((write.address - registers) / 4);
      kept = merged(kept, write);
      for (Read& read : reads_)
        if (read.address == write.address) read.possible.push_back(kept);
    }
    writes_.pop_front();
    --addresses_;
    --values_;
    ++answers;
  }

  std::mt19937 random_;
  Switch of_;
  std::deque<Write> writes_;  ///< not answered yet; of these so many addresses and values have been taken
  std::size_t addresses_ = 0, values_ = 0;
  std::deque<Read> reads_;
  std::array<std::uint32_t, 4> kept_{};
  Mood aw_, w_, b_, ar_, r_;
};

TEST(Bus, KeepsOrderAndValuesWhereverItsMasterPauses) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Master master(seed);
    for (int n = 0; n < 3000; ++n) ASSERT_NO_FATAL_FAILURE(master.edge());
    EXPECT_GT(master.answers, 500);
  }
}

}  // namespace
}  // namespace ocs::test
