// The event FIFO (section 10): the order within a record, places, what happens at one and the same edge.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "Vocs_events.h"
#include "Vocs_events__Syms.h"
#include "ocs_regs.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned committed = 1, refused = 2, wrapped = 4;

class Fifo : public Bench<Vocs_events, Vocs_events__Syms> {
 public:
  /// At one edge: what happens with `stamp`, and whether an event is read. @return the event as text, "" if none.
  std::string at(std::uint64_t stamp, unsigned device, unsigned entered, unsigned done, bool read = false) {
    top.go_i = device != 0 || entered != 0 || done != 0;
    top.stamp_i = stamp;
    top.device_i = device;
    top.source_i = 2;
    top.tag_i = tag;
    top.entered_i = entered;
    for (unsigned o = 0; o < 4; ++o) top.state_i[o] = o + 1;
    top.done_i = done;
    top.whole_i = whole;
    top.pop_i = read;
    top.eval();
    const std::uint32_t word = top.event_o;
    dropped = top.dropped_o != 0;
    edge();
    top.go_i = top.pop_i = 0;
    top.eval();
    if ((word & OCS_REGS__CORE__EVENT__VALID_bm) == 0) return "";
    const auto field = [word](std::uint32_t mask, int place) { return std::to_string((word & mask) >> place); };
    return ((word & OCS_REGS__CORE__EVENT__NEW_STAMP_bm) != 0 ? std::to_string(top.event_time_o) + ": " : "") +
           field(OCS_REGS__CORE__EVENT__CLASS_bm, OCS_REGS__CORE__EVENT__CLASS_bp) + "/" +
           field(OCS_REGS__CORE__EVENT__PORT_bm, OCS_REGS__CORE__EVENT__PORT_bp) + "/" +
           field(OCS_REGS__CORE__EVENT__KIND_bm, OCS_REGS__CORE__EVENT__KIND_bp) +
           ((word & OCS_REGS__CORE__EVENT__TAG_bm) == 0
                ? ""
                : "#" + field(OCS_REGS__CORE__EVENT__TAG_bm, OCS_REGS__CORE__EVENT__TAG_bp));
  }
  std::string read() { return at(0, 0, 0, 0, true); }

  bool dropped = false;
  std::uint8_t tag = 0, whole = 0;
};

using Texts = std::vector<std::string>;

TEST(Events, ShowTheTagOfACommitAndOfNothingElse) {
  Fifo fifo;
  fifo.tag = 63;
  fifo.at(5, wrapped | committed, 1, 2);
  fifo.tag = 9;
  fifo.at(6, refused, 0, 0);
  fifo.at(7, wrapped, 1, 0);
  Texts got;
  while (fifo.top.empty_o == 0) got.push_back(fifo.read());
  EXPECT_EQ(got, (Texts{"5: 0/2/0#63", "0/2/2", "1/0/1", "2/1/0", "6: 0/2/1#9", "7: 0/2/2", "1/0/1"}));
}

TEST(Events, SayWhichBurstWasWhole) {
  Fifo fifo;
  fifo.whole = 0b0100;
  fifo.at(5, 0, 0, 0b0110);
  fifo.whole = 0b1001;
  fifo.at(6, 0, 0b1000, 0b1001);
  fifo.whole = 0;
  fifo.at(7, 0, 0, 0b0001);
  Texts got;
  while (fifo.top.empty_o == 0) got.push_back(fifo.read());
  EXPECT_EQ(got, (Texts{"5: 2/1/0", "2/2/1", "6: 1/3/4", "2/0/1", "2/3/1", "7: 2/0/0"}));
}

TEST(Events, ComeByClassThenByPort) {
  Fifo fifo;
  fifo.at(5, wrapped | committed, 0b1101, 0b0110);
  fifo.at(6, wrapped | refused, 0, 0);
  Texts got;
  while (fifo.top.empty_o == 0) got.push_back(fifo.read());
  EXPECT_EQ(got, (Texts{"5: 0/2/0", "0/2/2", "1/0/1", "1/2/3", "1/3/4", "2/1/0", "2/2/0", "6: 0/2/1", "0/2/2"}));
  EXPECT_EQ(fifo.read(), "");
}

TEST(Events, AreDroppedWhenFullThoughAPlaceFreesAtTheSameEdge) {
  Fifo fifo;
  for (unsigned n = 1; n <= 4; ++n) fifo.at(n, committed, 0, 0);
  EXPECT_EQ(fifo.at(5, committed, 1, 0, true), "1: 0/2/0");
  EXPECT_TRUE(fifo.dropped);
  fifo.at(6, refused, 0, 0);
  EXPECT_FALSE(fifo.dropped);
  Texts got;
  while (fifo.top.empty_o == 0) got.push_back(fifo.read());
  EXPECT_EQ(got, (Texts{"2: 0/2/0", "3: 0/2/0", "4: 0/2/0", "6: 0/2/1"}));
}

TEST(Events, AreReportedThoughTheirRecordIsDroppedUntilTheyAreCleared) {
  Fifo fifo;
  for (unsigned n = 1; n <= 4; ++n) fifo.at(n, committed, 0, 0);
  fifo.at(5, 0, 0b0101, 0b0010);
  EXPECT_TRUE(fifo.dropped);
  EXPECT_EQ(fifo.top.changed_o, 0b0101);
  EXPECT_EQ(fifo.top.ended_o, 0b0010);
  fifo.top.changed_clear_i = 0b0001;
  fifo.top.ended_clear_i = 0b0010;
  fifo.at(6, 0, 0b0001, 0);  // output 0 is cleared at the edge that sets it
  EXPECT_EQ(fifo.top.changed_o, 0b0101);
  EXPECT_EQ(fifo.top.ended_o, 0);
  fifo.top.changed_clear_i = 0b0111;
  fifo.top.ended_clear_i = 0;
  fifo.at(7, 0, 0, 0b1000);
  EXPECT_EQ(fifo.top.changed_o, 0);
  EXPECT_EQ(fifo.top.ended_o, 0b1000);
}

TEST(Events, PassThroughWhileRecordsComeAndGoAtOneEdge) {
  Fifo fifo;
  fifo.at(1, committed, 0, 0);
  for (unsigned n = 2; n < 40; ++n) {
    EXPECT_EQ(fifo.at(n, committed, 0, 0, true), std::to_string(n - 1) + ": 0/2/0");
    EXPECT_FALSE(fifo.dropped);
  }
  EXPECT_EQ(fifo.read(), "39: 0/2/0");
  EXPECT_EQ(fifo.top.empty_o, 1);
}

TEST(Events, KeepTheirPlaceUntilTheLastOfTheRecordIsRead) {
  Fifo fifo;
  fifo.at(1, committed, 0b1000, 0);
  for (unsigned n = 2; n <= 4; ++n) fifo.at(n, committed, 0, 0);
  fifo.read();
  fifo.at(5, committed, 0, 0);
  EXPECT_TRUE(fifo.dropped);
  fifo.read();
  fifo.at(6, committed, 0, 0);
  EXPECT_FALSE(fifo.dropped);
}

TEST(Events, HaveNoNewStampWhereTheStampIsThatOfTheOneBeforeOrZeroAfterReset) {
  Fifo fifo;
  fifo.at(0xFFFF'FFFF'FFFF'FFF0, committed, 0b1111, 0b1111);
  EXPECT_EQ(fifo.read(), "18446744073709551600: 0/2/0");
  for (int n = 0; n < 8; ++n) EXPECT_EQ(fifo.read().find(':'), std::string::npos);
  EXPECT_EQ(fifo.top.empty_o, 1);
}

TEST(Events, KeepEveryBitOfTheirStamps) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 30; ++round) {
    Fifo fifo;
    std::vector<std::uint64_t> stamps;
    for (int n = 0; n < 4; ++n) stamps.push_back(random());
    std::sort(stamps.begin(), stamps.end());
    std::vector<unsigned> outputs;
    for (const std::uint64_t stamp : stamps) {
      outputs.push_back(static_cast<unsigned>(random() % 15) + 1);
      fifo.at(stamp, random() % 2 == 0 ? 0 : refused, outputs.back(), static_cast<unsigned>(random() % 16));
    }
    Texts got;
    for (std::string text = fifo.read(); !text.empty(); text = fifo.read())
      if (text.find(':') != std::string::npos) got.push_back(text.substr(0, text.find(':')));
    Texts wanted;
    for (const std::uint64_t stamp : stamps) wanted.push_back(std::to_string(stamp));
    EXPECT_EQ(got, wanted) << round;
  }
}

}  // namespace
}  // namespace ocs::test
