// The AXI4-Lite subordinate: a random manager with back-pressure on all five channels, and what no output may do.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <tuple>

#include "Vocs_axil.h"
#include "Vocs_axil__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

using Bus = Bench<Vocs_axil, Vocs_axil__Syms>;

std::uint32_t bits_of(unsigned strobes) {
  std::uint32_t bits = 0;
  for (unsigned b = 0; b < 4; ++b)
    if ((strobes >> b & 1) != 0) bits |= 0xFFu << (8 * b);
  return bits;
}

/// What stands behind the bus: answers of a read depend on its address, addresses with bit 4 are refused.
std::uint32_t answer(std::uint32_t address) { return address * 0x9E3779B1u; }
bool refused(std::uint32_t address) { return (address & 0x10) != 0; }

/// A manager that keeps the rules and is as unsteady as they allow.
class Manager {
 public:
  Manager(unsigned seed, unsigned patience) : random_(seed), patience_(patience) {
    bus_.top.bready_i = bus_.top.rready_i = 0;
  }

  void cycle(bool more) {
    auto& top = bus_.top;
    offer(top.awvalid_i, more, [&] { aw_.push_back(top.awaddr_i = address()); });
    offer(top.wvalid_i, more, [&] {
      top.wdata_i = static_cast<IData>(random_());
      top.wstrb_i = static_cast<CData>(random_() % 16);
      w_.push_back({top.wdata_i, bits_of(top.wstrb_i)});
    });
    offer(top.arvalid_i, more, [&] { ar_.push_back(top.araddr_i = address()); });
    top.bready_i = random_() % patience_ == 0;
    top.rready_i = random_() % patience_ == 0;
    top.eval();
    if (top.req_o != 0) carry_out();
    top.eval();
    const bool aw = (top.awvalid_i & top.awready_o) != 0, w = (top.wvalid_i & top.wready_o) != 0;
    const bool ar = (top.arvalid_i & top.arready_o) != 0;
    if ((top.bvalid_o & top.bready_i) != 0) {
      ASSERT_FALSE(write_answers_.empty());
      EXPECT_EQ(top.bresp_o, write_answers_.front() ? 2 : 0);
      write_answers_.pop_front();
    }
    if ((top.rvalid_o & top.rready_i) != 0) {
      ASSERT_FALSE(read_answers_.empty());
      EXPECT_EQ(std::tuple(top.rdata_o, top.rresp_o), read_answers_.front());
      read_answers_.pop_front();
    }
    bus_.edge();
    top.data_i = data_;
    top.error_i = 0;
    if (aw) top.awvalid_i = 0;
    if (w) top.wvalid_i = 0;
    if (ar) top.arvalid_i = 0;
    top.eval();
  }
  int writes = 0, reads = 0;

 private:
  template <class Valid, class Begin>
  void offer(Valid& valid, bool more, Begin begin) {
    if (valid != 0 || !more || random_() % patience_ != 0) return;
    valid = 1;
    begin();
  }
  std::uint32_t address() { return static_cast<std::uint32_t>(random_() % (1u << 20)); }

  /// The request has to be the oldest of its direction, with nothing of it changed.
  void carry_out() {
    auto& top = bus_.top;
    auto& addresses = top.write_o != 0 ? aw_ : ar_;
    ASSERT_FALSE(addresses.empty());
    EXPECT_EQ(top.addr_o, addresses.front() & ~3u);
    top.error_i = refused(top.addr_o);
    if (top.write_o != 0) {
      ASSERT_FALSE(w_.empty());
      EXPECT_EQ(std::tuple(top.data_o, top.biten_o), w_.front());
      w_.pop_front();
      write_answers_.push_back(refused(top.addr_o));
      ++writes;
    } else {
      data_ = answer(top.addr_o);
      read_answers_.emplace_back(refused(top.addr_o) ? 0 : data_, refused(top.addr_o) ? 2 : 0);
      ++reads;
    }
    addresses.pop_front();
  }

  Bus bus_;
  std::mt19937 random_;
  unsigned patience_;
  std::deque<std::uint32_t> aw_, ar_;
  std::deque<std::tuple<std::uint32_t, std::uint32_t>> w_;
  std::deque<bool> write_answers_;
  std::deque<std::tuple<std::uint32_t, std::uint8_t>> read_answers_;
  std::uint32_t data_ = 0;
};

TEST(Axil, CarriesOutEveryRequestOnceInOrderUnderBackPressureOnAllFiveChannels) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Manager manager(seed, seed % 6 + 1);
    for (int n = 0; n < 3000; ++n) {
      manager.cycle(true);
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(manager.writes, 100);
    EXPECT_GT(manager.reads, 100);
  }
}

/// What is accepted at one edge is executed at the next, at which another one is accepted.
TEST(Axil, CarriesOutARequestAtEachEdgeAndLetsReadsAndWritesTakeTurns) {
  Bus bus;
  auto& top = bus.top;
  top.bready_i = top.rready_i = 1;
  for (const bool write : {true, false}) {
    top.awvalid_i = top.wvalid_i = write;
    top.arvalid_i = !write;
    top.eval();
    EXPECT_EQ(top.req_o, 0);
    bus.edge();
    for (int n = 0; n < 10; ++n) {
      EXPECT_EQ(top.req_o, 1);
      EXPECT_EQ(top.write_o, write);
      EXPECT_TRUE(write ? top.awready_o & top.wready_o : top.arready_o);
      top.awvalid_i = top.wvalid_i = write && n < 9;
      top.arvalid_i = !write && n < 9;
      bus.edge();
      EXPECT_TRUE(write ? top.bvalid_o : top.rvalid_o);
    }
  }
  top.awvalid_i = top.wvalid_i = top.arvalid_i = 1;
  bus.edge();
  int writes = 0;
  for (int n = 0; n < 10; ++n) {
    EXPECT_EQ(top.req_o, 1);
    writes += top.write_o;
    bus.edge();
  }
  EXPECT_EQ(writes, 5);
}

TEST(Axil, StopsWhereTwoAnswersWaitAndGoesOnWhenOneIsTaken) {
  for (const bool write : {true, false}) {
    Bus bus;
    auto& top = bus.top;
    top.bready_i = top.rready_i = 0;
    top.awvalid_i = top.wvalid_i = write;
    top.arvalid_i = !write;
    bus.edge();
    const auto executed = [&](int edges) {
      int count = 0;
      for (int n = 0; n < edges; ++n) {
        count += top.req_o;
        top.data_i += top.req_o;
        bus.edge();
      }
      return count;
    };
    EXPECT_EQ(executed(10), 2);
    EXPECT_FALSE(write ? top.awready_o | top.wready_o : top.arready_o);
    EXPECT_TRUE(write ? top.bvalid_o : top.rvalid_o);
    (write ? top.bready_i : top.rready_i) = 1;
    bus.edge();  // one is taken, the other one comes forward
    (write ? top.bready_i : top.rready_i) = 0;
    EXPECT_TRUE(write ? top.bvalid_o : top.rvalid_o);
    EXPECT_EQ(executed(10), 1);
  }
}

TEST(Axil, AcceptsAnAddressWithoutDataAndDataWithoutAnAddress) {
  for (const bool address_first : {true, false}) {
    Bus bus;
    auto& top = bus.top;
    top.awaddr_i = 0x40;
    top.wdata_i = 77;
    top.wstrb_i = 5;
    (address_first ? top.awvalid_i : top.wvalid_i) = 1;
    top.eval();
    EXPECT_TRUE(address_first ? top.awready_o : top.wready_o);
    bus.edge();
    (address_first ? top.awvalid_i : top.wvalid_i) = 0;
    (address_first ? top.awaddr_i : top.wdata_i) = 0;
    for (int n = 0; n < 5; ++n) {
      EXPECT_EQ(top.req_o, 0);
      bus.edge();
    }
    (address_first ? top.wvalid_i : top.awvalid_i) = 1;
    bus.edge();
    EXPECT_EQ(top.req_o, 1);
    EXPECT_EQ(top.addr_o, 0x40u);
    EXPECT_EQ(top.data_o, 77u);
    EXPECT_EQ(top.biten_o, 0x00FF00FFu);
  }
}

/// The specification forbids paths from an input to an output within a cycle.
TEST(Axil, ShowsNoInputOnAnOutputWithinACycle) {
  Bus bus;
  auto& top = bus.top;
  std::mt19937 random(1);
  const auto outputs = [&] {
    return std::tuple(top.awready_o, top.wready_o, top.arready_o, top.bvalid_o, top.rvalid_o, top.bresp_o, top.rresp_o);
  };
  for (int n = 0; n < 2000; ++n) {
    const auto before = outputs();
    for (int k = 0; k < 4; ++k) {  // a manager's inputs while it makes up its mind
      top.awvalid_i = random() & 1;
      top.wvalid_i = random() & 1;
      top.arvalid_i = random() & 1;
      top.bready_i = random() & 1;
      top.rready_i = random() & 1;
      top.error_i = random() & 1;
      top.eval();
      ASSERT_EQ(outputs(), before) << n;
    }
    bus.edge();
  }
}

}  // namespace
}  // namespace ocs::test
