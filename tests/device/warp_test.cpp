// Section 11 of the contract: warped, unwarped and random strides give the same registers, events and times.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/device/bench.hpp"

namespace ocs::test {
namespace {

/// Random register programs: every call makes the same accesses on all benches and compares what they show.
class Programs {
 public:
  explicit Programs(std::uint64_t seed) : random_(seed) {
    DeviceConfig config;
    config.ports = ports_ = 2 + static_cast<int>(below(4));
    config.fifo_depth = below(4) == 0 ? 2 : 64;
    benches_.emplace_back(config);
    config.time_warp = false;
    benches_.emplace_back(config);
    config.time_warp = true;
    config.stride_seed = seed + 1;
    benches_.emplace_back(config);
    multicast_ = below(2) == 0;
    write(REG(CTRL),
          (multicast_ ? OCS_REGS__CTRL__MULTICAST_bm : 0) | (below(2) == 0 ? OCS_REGS__CTRL__ALL_STOP_bm : 0));
  }

  void play(int operations) {
    for (int k = 0; k < operations && !::testing::Test::HasFailure(); ++k) {
      const std::uint64_t accesses = below(6);
      for (std::uint64_t a = 0; a < accesses; ++a) access();
      advance();
      compare();
    }
  }

  /// Names of the events seen so far, without stamps and ports.
  const std::map<std::string, int>& seen() const { return seen_; }
  std::uint64_t edges(std::size_t bench) { return benches_[bench].edges(); }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::size_t port() { return below(static_cast<std::uint64_t>(ports_)); }
  std::uint32_t small() { return static_cast<std::uint32_t>(below(3) == 0 ? 0 : below(12)); }
  std::uint32_t bit() { return 1u << port(); }
  void write(std::uint32_t address, std::uint64_t value) {
    for (Bench& bench : benches_) bench.write(address, static_cast<std::uint32_t>(value));
  }
  void set(std::uint32_t address, std::size_t k, std::uint64_t value) {
    for (Bench& bench : benches_) bench.set(address, k, static_cast<std::uint32_t>(value));
  }

  void shadow() {
    const std::uint64_t in = below(40) == 0 ? static_cast<std::uint64_t>(ports_) : port();
    set(REG(port.SHADOW), port(), below(4) == 0 ? 0 : OCS_REGS__PORT__SHADOWX__VALID_bm | in);
  }

  /// A permutation, so that most commits pass without multicast too.
  void rotation() {
    const std::size_t shift = port();
    for (std::size_t o = 0; o < static_cast<std::size_t>(ports_); ++o)
      set(REG(port.SHADOW), o, OCS_REGS__PORT__SHADOWX__VALID_bm | (o + shift) % static_cast<std::size_t>(ports_));
  }

  void burst() {
    const std::size_t i = port();
    set(REG(port.LEN), i, below(20));
    set(REG(port.GAP), i, small());
    set(REG(port.REPEAT), i, below(3));
    set(REG(port.BURST), i, below(2) << 16 | below(100));
    write(REG(core.START), std::uint64_t{1} << i);
  }

  void go() {
    for (Bench& bench : benches_) bench.write64(REG(core.SEQ_BASE), static_cast<std::uint64_t>(bench.now()));
    write(REG(SEQ_LEN), below(4));
    write(REG(SEQ_PERIOD), below(3) == 0 ? 0 : 5 + below(20));
    write(REG(core.SEQ_GO), 1);
  }

  void store() {
    rotation();
    write(REG(SEQ_OFFSET), below(15));
    write(REG(core.SEQ_LAUNCH), below(std::uint64_t{1} << ports_));
    write(REG(core.SEQ_STORE), below(4));
  }

  void arm() {
    const std::uint64_t lead = below(20);
    for (Bench& bench : benches_) bench.write64(REG(core.COMMIT_AT), static_cast<std::uint64_t>(bench.now()) + lead);
  }

  void fault() {
    set(REG(port.FAULT), port(), below(3) == 0 ? below(8) : 0);
    if (below(3) == 0) set(REG(port.FLAP), port(), small());
  }

  void access() {
    switch (below(19)) {
      case 0:
        shadow();
        break;
      case 1:
        rotation();
        break;
      case 2:
      case 3:
        write(REG(core.COMMIT), 1);
        break;
      case 4:
        arm();
        break;
      case 5:
        set(REG(port.BASE), port(), small());
        break;
      case 6:
        set(REG(port.LOCK), port(), small());
        break;
      case 7:
        set(REG(port.SLOW), port(), small());
        break;
      case 8:
        set(REG(port.JITTER_MASK), port(), below(2) == 0 ? 0 : 7);
        break;
      case 9:
        set(REG(PAIR), port() * 256 + port(), small());
        break;
      case 10:
        fault();
        break;
      case 11:
        write(REG(core.RETRY), bit());
        break;
      case 12:
      case 13:
        burst();
        break;
      case 14:
        write(below(2) == 0 ? REG(core.STOP) : REG(core.START), bit());
        break;
      case 15:
        set(REG(port.SOURCE), port(), below(5) == 0 ? 0x80000000u : 5000 * below(12));
        break;
      case 16:
        below(3) == 0 ? go() : store();
        break;
      case 17:
        write(below(2) == 0 ? REG(core.SEQ_SWAP) : REG(core.SEQ_STOP), 1);
        break;
      default:
        write(REG(core.SEG_FULL), bit());
        write(REG(core.ERROR), 0x7F);
        write(REG(IRQ_ENABLE), below(8));
    }
  }

  void advance() {
    const auto cycles = static_cast<std::int64_t>(below(8) == 0 ? below(300) : below(10));
    const std::int64_t limit = benches_[0].now() + cycles;
    const std::int64_t reached = benches_[0].run_until(limit);
    for (std::size_t k = 1; k < benches_.size(); ++k) ASSERT_EQ(benches_[k].run_until(limit), reached);
  }

  void same(std::uint32_t address) {
    const std::uint32_t value = benches_[0].read(address);
    for (std::size_t k = 1; k < benches_.size(); ++k)
      ASSERT_EQ(benches_[k].read(address), value) << "address " << address << " bench " << k;
  }

  void compare() {
    if (below(3) != 0) {
      const Texts events = benches_[0].events();
      for (std::size_t k = 1; k < benches_.size(); ++k) ASSERT_EQ(benches_[k].events(), events);
      for (const std::string& event : events) {
        const std::size_t second = event.find(' ') + 1;
        ++seen_[event[second] == 'o' || event[second] == 'i' ? event.substr(event.find(' ', second) + 1)
                                                             : event.substr(second, event.find(' ', second) - second)];
      }
    }
    for (const std::uint32_t address : {REG(core.STATUS), REG(core.ERROR), REG(core.IRQ_STATUS), REG(core.SEG_FULL),
                                        REG(core.COMMITS), REG(core.REFUSED), REG(core.LATE), REG(core.DROPPED)})
      same(address);
    for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(ports_); ++p) {
      for (const std::uint32_t array : {REG(port.STATE), REG(port.ACTIVE), REG(port.ENGINE), REG(port.SEG),
                                        REG(port.SEG_FIRST), REG(port.SEG_COUNT)})
        same(array + 4 * p);
      for (const std::uint32_t array : {REG(port.PASSED), REG(port.LOST), REG(port.DARK), REG(port.TUNINGS),
                                        REG(port.RESTARTS), REG(port.SENT), REG(port.UNROUTED)})
        same(array + 8 * p);
    }
    conserve();
  }

  /// Section 7: nothing appears, nothing disappears. Section 5: while stop no output is UP.
  void conserve() {
    Bench& bench = benches_[0];
    std::uint64_t sent = 0, fate = 0;
    const bool stop = (bench.read(REG(core.STATUS)) & OCS_REGS__CORE__STATUS__STOP_bm) != 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(ports_); ++p) {
      sent += bench.counter(REG(port.SENT), p);
      fate +=
          bench.counter(REG(port.PASSED), p) + bench.counter(REG(port.LOST), p) + bench.counter(REG(port.UNROUTED), p);
      ASSERT_NE(bench.state(p), stop ? "UP" : "HELD");
    }
    if (multicast_)
      ASSERT_GE(fate, sent);
    else
      ASSERT_EQ(fate, sent);
  }

  std::mt19937_64 random_;
  int ports_;
  bool multicast_;
  std::vector<Bench> benches_;
  std::map<std::string, int> seen_;
};

TEST(Warp, IsNotObservable) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Programs programs(seed);
    programs.play(120);
    if (HasFailure()) return;
    for (const auto& [name, count] : programs.seen()) seen[name] += count;
    EXPECT_LT(programs.edges(0), programs.edges(1));
    EXPECT_LE(programs.edges(0), programs.edges(2));
  }
  for (const char* name : {"commit", "refused", "wrap", "IDLE", "TUNING", "LOCKING", "UP", "HELD", "FAILED", "DONE"})
    EXPECT_GT(seen[name], 100) << name << " is seldom reached: the programs prove little";
}

TEST(Warp, CrossesAMirrorMovementInAFewEdges) {
  Bench bench(16);
  for (std::uint32_t o = 0; o < 16; ++o) {
    bench.delays(o, 1953125, 0);  // 10 ms at 5120 ps
    bench.circuit(o, 15 - o);
  }
  bench.commit();
  bench.run(2000000);
  EXPECT_EQ(bench.state(7), "UP");
  EXPECT_EQ(bench.counter(REG(port.DARK), 7), 1953125u);
  EXPECT_EQ(bench.edges(), 3u);  // the commit, the end of tuning, the rest
}

}  // namespace
}  // namespace ocs::test
