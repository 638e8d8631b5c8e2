// The way of two masters to one window: whole transfers, a latch for each, events by itself, a switch that falls silent.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <verilated.h>

#include <deque>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "Vocs_soc_bridge.h"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs::test {
namespace {

constexpr std::uint32_t event_at = offsetof(ocs_regs_t, core.EVENT), stamp_at = offsetof(ocs_regs_t, core.EVENT_TIME);
constexpr std::uint32_t time_at = offsetof(ocs_regs_t, core.TIME), sent_at = offsetof(ocs_regs_t, port.SENT);
constexpr std::uint32_t status_at = offsetof(ocs_regs_t, core.STATUS), hole = 0x300;
constexpr std::uint32_t full_at = offsetof(ocs_regs_t, core.SEG_FULL), commit_at = offsetof(ocs_regs_t, core.COMMIT);
constexpr std::uint32_t reset_at = offsetof(ocs_regs_t, core.SOFT_RESET);
constexpr std::uint32_t valid = OCS_REGS__CORE__EVENT__VALID_bm, new_stamp = OCS_REGS__CORE__EVENT__NEW_STAMP_bm;

struct Taken {
  std::uint32_t word, stamp;
  friend bool operator==(const Taken&, const Taken&) = default;
};

/// A window with one latch, as the switch has it. The high words of its registers of 64 bits follow from the low ones,
/// which count edges, and the address.
class Window {
 public:
  explicit Window(Vocs_soc_bridge& top) : top_(top) { settle(); }

  static std::uint32_t high_of(std::uint32_t address, std::uint32_t low) { return (address ^ low) * 0x9E3779B1u; }
  static bool wide(std::uint32_t address) { return (address >= time_at && address < event_at) || address >= sent_at; }

  /// What happens at an edge; what it shows afterwards follows in settle().
  void edge(bool answers) {
    ++edges_;
    const bool aw = top_.awvalid_o && top_.awready_i, w = top_.wvalid_o && top_.wready_i;
    const bool ar = top_.arvalid_o && top_.arready_i;
    const bool b = top_.bvalid_i && top_.bready_o, r = top_.rvalid_i && top_.rready_o;
    if (b) b_.reset();
    if (r) r_.reset();
    if (answers && aw_ && w_ && !top_.bvalid_i) {
      written.push_back({*aw_, w_->first});
      strobes.push_back(w_->second);
      b_ = *aw_ == hole || *aw_ >= 0x80000;
      aw_.reset();
      w_.reset();
    } else if (answers && ar_ && !top_.rvalid_i) {
      r_ = read(*ar_);
      ar_.reset();
    }
    if (aw) aw_ = top_.awaddr_o;
    if (w) w_ = std::pair(top_.wdata_o, top_.wstrb_o);
    if (ar) ar_ = top_.araddr_o;
  }

  void settle() {
    top_.awready_i = !aw_;
    top_.wready_i = !w_;
    top_.arready_i = !ar_;
    top_.bvalid_i = b_.has_value();
    top_.berror_i = b_.value_or(false);
    top_.rvalid_i = r_.has_value();
    top_.rdata_i = r_ ? r_->first : 0;
    top_.rerror_i = r_ && r_->second;
    top_.irq_i = !events.empty() || error;
  }

  std::deque<Taken> events;
  bool error = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> written;
  std::vector<std::uint32_t> strobes;
  int empty_looks = 0;

 private:
  std::pair<std::uint32_t, bool> read(std::uint32_t address) {
    if (address == hole) return {0, true};
    if (address == event_at) return {take(), false};
    if (address == stamp_at) {
      latch_ = 0;
      return {stamp_, false};
    }
    if (!wide(address)) return {address * 3, false};
    if ((address & 4) != 0) return {latch_, false};
    latch_ = high_of(address, edges_);
    return {edges_, false};
  }

  std::uint32_t take() {
    if (events.empty()) {
      ++empty_looks;
      return 0;
    }
    const Taken out = events.front();
    events.pop_front();
    const bool first = out.stamp != std::exchange(stamp_, out.stamp);
    return out.word | (first ? new_stamp : 0);
  }

  Vocs_soc_bridge& top_;
  std::uint32_t edges_ = 0, latch_ = 0, stamp_ = 0;
  std::optional<std::uint32_t> aw_, ar_;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> w_;
  std::optional<bool> b_;
  std::optional<std::pair<std::uint32_t, bool>> r_;
};

class SocBridge : public ::testing::Test {
 protected:
  SocBridge() : top(&context_), window(top) {
    top.host_takes_events_i = 1;
    top.rst_ni = 0;
    edge();
    edge();
    top.rst_ni = 1;
    edge();
  }
  ~SocBridge() override { top.final(); }

  void edge() {
    top.eval();
    if (top.event_push_o != 0 && top.rst_ni != 0) pushed.push_back({top.event_o & ~new_stamp, top.event_time_o});
    window.edge(answers);
    top.bus_clk_i = 1;
    top.eval();
    window.settle();
    top.bus_clk_i = 0;
    top.eval();
  }

  /// The core's side: an access is under way until it has been answered.
  void core_begins(bool write, std::uint32_t address, std::uint32_t data = 0) {
    top.write_i = write;
    top.addr_i = address;
    top.data_i = data;
    top.want_i = 1;
  }
  bool core_has_answer() const { return top.want_i != 0 && top.done_o != top.seen_i; }
  std::uint32_t core_takes() {
    top.seen_i = top.done_o;
    top.want_i = 0;
    return top.data_o;
  }
  std::uint32_t core_access(bool write, std::uint32_t address, std::uint32_t data = 0) {
    core_begins(write, address, data);
    for (int n = 0; n < 1000 && !core_has_answer(); ++n) edge();
    EXPECT_TRUE(core_has_answer());
    return core_takes();
  }

  std::uint32_t host_read(std::uint32_t address) {
    top.host_araddr_i = address;
    top.host_arvalid_i = 1;
    top.host_rready_i = 1;
    bool accepted = false;
    for (int n = 0; n < 1000; ++n) {
      top.eval();
      accepted = accepted || top.host_arready_o != 0;
      const bool got = top.host_rvalid_o != 0;
      const std::uint32_t data = top.host_rdata_o;
      edge();
      if (accepted) top.host_arvalid_i = 0;
      if (got) return data;
    }
    ADD_FAILURE() << "the host's read has no answer";
    return 0;
  }

  VerilatedContext context_;

 public:
  Vocs_soc_bridge top;
  Window window;
  bool answers = true;
  std::vector<Taken> pushed;
};

TEST_F(SocBridge, HandsOnWhatTheCoreReadsAndWrites) {
  EXPECT_EQ(core_access(false, status_at), status_at * 3);
  EXPECT_EQ(top.access_o, 0);
  core_access(true, commit_at, 1);
  EXPECT_EQ(window.written, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{commit_at, 1}}));
  EXPECT_EQ(window.strobes, std::vector<std::uint32_t>{0xF}) << "whatever the host's are";
}

TEST_F(SocBridge, SaysWhichAccessWasRefused) {
  for (const bool write : {false, true}) {
    EXPECT_EQ(core_access(write, hole), 0u);
    EXPECT_EQ(top.access_o, 1);
    core_access(write, write ? commit_at : status_at);
    EXPECT_EQ(top.access_o, 0);
  }
  EXPECT_EQ(top.errors_o, 2u);
}

TEST_F(SocBridge, KeepsTheHostFromAllRegistersButOne) {
  top.host_bready_i = 1;
  top.host_wstrb_i = 0xF;
  for (const std::uint32_t address : {commit_at, full_at}) {
    top.host_awaddr_i = address;
    top.host_wdata_i = 2;
    top.host_awvalid_i = top.host_wvalid_i = 1;
    edge();
    top.host_awvalid_i = top.host_wvalid_i = 0;
    for (int n = 0; n < 4; ++n) edge();
  }
  ASSERT_EQ(window.written.size(), 2u);
  EXPECT_GE(window.written[0].first, 0x80000u);
  EXPECT_EQ(window.written[1].first, full_at);
}

/// Both read registers of 64 bits all the time, word by word, with pauses of any length in between.
TEST_F(SocBridge, TearsNoRegisterOf64BitsBetweenItsMasters) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  const auto address = [&] { return below(2) != 0 ? sent_at + 8 * below(4) : time_at + 8 * below(3); };
  std::uint32_t core_at = 0, core_low = 0, host_at = 0, host_low = 0;
  bool core_high = false, host_high = false;
  int core_pause = 0, host_pause = 0, core_reads = 0, host_reads = 0;
  top.host_rready_i = 1;
  for (int n = 0; n < 20'000; ++n) {
    if (top.want_i == 0 && --core_pause < 0) {
      if (!core_high) core_at = address();
      core_begins(false, core_at + (core_high ? 4 : 0));
    }
    if (top.host_arvalid_i == 0 && host_pause == 0) {
      if (!host_high) host_at = address();
      top.host_araddr_i = host_at + (host_high ? 4 : 0);
      top.host_arvalid_i = 1;
      host_pause = -1;
    }
    if (host_pause > 0) --host_pause;
    top.eval();
    const bool accepted = top.host_arvalid_i != 0 && top.host_arready_o != 0;
    const bool host_has = top.host_rvalid_o != 0;
    const std::uint32_t host_data = top.host_rdata_o;
    edge();
    if (accepted) top.host_arvalid_i = 0;
    if (host_has) {
      if (host_high) {
        ASSERT_EQ(host_data, Window::high_of(host_at, host_low)) << "read " << host_reads << " of the host";
      }
      host_low = host_data;
      host_high = !host_high;
      host_pause = 1 + static_cast<int>(below(9));
      ++host_reads;
    }
    if (core_has_answer()) {
      const std::uint32_t data = core_takes();
      if (core_high) {
        ASSERT_EQ(data, Window::high_of(core_at, core_low)) << "read " << core_reads << " of the core";
      }
      core_low = data;
      core_high = !core_high;
      core_pause = static_cast<int>(below(9));
      ++core_reads;
    }
  }
  EXPECT_GT(core_reads, 1000);
  EXPECT_GT(host_reads, 1000);
}

TEST_F(SocBridge, ForgetsBothLatchesAtASoftReset) {
  core_access(false, time_at);
  host_read(sent_at);
  EXPECT_NE(core_access(false, time_at + 4), 0u);
  EXPECT_NE(host_read(time_at + 4), 0u);
  core_access(true, reset_at, 1);
  EXPECT_EQ(core_access(false, time_at + 4), 0u);
  EXPECT_EQ(host_read(time_at + 4), 0u);
}

TEST_F(SocBridge, HandsOnTheEventsThatTheHostTakesInThePresentCycle) {
  window.events = {{valid | 1, 40}, {valid | 2, 40}};
  window.settle();
  for (int n = 0; n < 30; ++n) edge();
  EXPECT_TRUE(pushed.empty()) << "they are the host's";
  top.time_i = 77;
  while (host_read(event_at) != 0) continue;
  EXPECT_EQ(pushed, (std::vector<Taken>{{valid | 1, 77}, {valid | 2, 77}}));
}

TEST_F(SocBridge, TakesEventsByItselfWithTheirStampsWhereNobodyElseDoes) {
  top.host_takes_events_i = 0;
  std::vector<Taken> all;
  std::mt19937 random(2);
  std::uint32_t stamp = 100, value = 0;
  int reads = 0;
  for (int n = 0; n < 3000; ++n) {
    if (all.size() < 200 && random() % 7 == 0) {
      stamp += random() % 3;
      all.push_back({valid | ++value, stamp});
      window.events.push_back(all.back());
      window.settle();
    }
    if (top.want_i == 0) core_begins(false, status_at);
    edge();
    if (!core_has_answer()) continue;
    ASSERT_EQ(core_takes(), status_at * 3);
    ++reads;
  }
  EXPECT_EQ(pushed, all);
  EXPECT_EQ(all.size(), 200u);
  EXPECT_GT(reads, 300) << "the core has its turns in between";
}

TEST_F(SocBridge, KnowsTheStampAlsoAfterTheHostHasTakenAnEvent) {
  top.host_takes_events_i = 0;
  window.events = {{valid | 1, 40}};
  window.settle();
  for (int n = 0; n < 30; ++n) edge();
  top.host_takes_events_i = 1;
  window.events = {{valid | 2, 50}, {valid | 3, 50}};
  window.settle();
  host_read(event_at);
  top.host_takes_events_i = 0;
  for (int n = 0; n < 30; ++n) edge();
  ASSERT_EQ(pushed.size(), 3u);
  EXPECT_EQ(pushed[2], (Taken{valid | 3, 50}));
}

TEST_F(SocBridge, LooksSeldomWhereTheInterruptIsAnError) {
  top.host_takes_events_i = 0;
  window.error = true;
  window.settle();
  for (int n = 0; n < 1000; ++n) edge();
  EXPECT_GT(window.empty_looks, 40);
  EXPECT_LT(window.empty_looks, 63) << "one in 16 edges";
}

TEST_F(SocBridge, GivesASwitchUpThatDoesntAnswer) {
  answers = false;
  core_begins(false, status_at);
  int waited = 0;
  while (!core_has_answer() && waited < 1000) {
    edge();
    ++waited;
  }
  EXPECT_NEAR(waited, 255, 3);
  EXPECT_EQ(core_takes(), 0u);
  EXPECT_EQ(top.access_o, 2);
  edge();
  core_begins(true, commit_at, 1);
  edge();
  edge();
  ASSERT_TRUE(core_has_answer()) << "it isn't asked any more";
  core_takes();
  EXPECT_EQ(top.access_o, 2);
  EXPECT_EQ(top.errors_o, 2u);
  answers = true;
  for (int n = 0; n < 10; ++n) edge();
  EXPECT_TRUE(window.written.empty());
}

}  // namespace
}  // namespace ocs::test
