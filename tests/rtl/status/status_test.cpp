// Sticky errors and the interrupt line (section 10): all sources, all enables, set where it is cleared.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "Vocs_status.h"
#include "Vocs_status__Syms.h"
#include "tests/rtl/bench.hpp"

namespace ocs::test {
namespace {

constexpr unsigned errors = 7, overflow = 5;
using Status = Bench<Vocs_status, Vocs_status__Syms>;

TEST(Status, RaisesTheInterruptOfEachSourceWhereItIsEnabled) {
  for (unsigned bit = 0; bit <= errors; ++bit) {  // the last one: no error, but an event
    Status status;
    status.top.fifo_empty_i = bit < errors;
    status.top.set_i = bit < errors ? 1u << bit : 0;
    status.edge();
    status.top.set_i = 0;
    const unsigned source = bit == errors ? 1 : bit == overflow ? 2 : 4;
    for (unsigned enable = 0; enable < 8; ++enable) {
      status.top.enable_i = enable;
      status.edge();
      EXPECT_EQ(status.top.sources_o, source) << bit;
      EXPECT_EQ(status.top.irq_o, (enable & source) != 0) << bit << " " << enable;
    }
  }
}

TEST(Status, KeepsWhatIsSetWhereItIsCleared) {
  Status status;
  status.top.fifo_empty_i = 1;
  status.top.set_i = 0b0001111;
  status.edge();
  status.top.clear_i = 0b0000110;
  status.top.set_i = 0b0000010;
  status.edge();
  EXPECT_EQ(status.top.error_o, 0b0001011);
  status.top.set_i = 0;
  status.top.clear_i = 0x7F;
  status.edge();
  EXPECT_EQ(status.top.error_o, 0);
}

}  // namespace
}  // namespace ocs::test
