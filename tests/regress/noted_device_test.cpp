// What a case accesses is noted before the access ends, and nothing else changes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/noted_device.hpp"

#include <gtest/gtest.h>

#include "host/conformance/registers.hpp"
#include "host/device/catalogue.hpp"
#include "testbed/regress/program_case.hpp"

namespace ocs::regress {
namespace {

TEST(NotedDevice, NotesTheLastAccess) {
  const auto device = make_device("model", {});
  CaseNote note;
  NotedDevice noted(*device, note);
  Device& used = noted;
  EXPECT_EQ(note.text(), "");
  note.say("model");
  EXPECT_EQ(note.text(), "model");
  const std::uint32_t time = conformance::find_register("TIME")->address;
  EXPECT_EQ(used.bus().read(time), 0U);
  EXPECT_EQ(note.text(), "model, in a read of TIME,");
  EXPECT_EQ(used.clock().run_until(Cycles{812}).n, 812);
  EXPECT_EQ(note.text(), "model, on the way to cycle 812,");
  EXPECT_EQ(device->clock().now().n, 812);
  EXPECT_EQ(used.bus().read(time), 812U);
  used.bus().write(conformance::find_register("SEED")->address, 7);
  EXPECT_EQ(note.text(), "model, in a write of SEED,");
  // Some bytes of a register are an access, too, and reach the device.
  const std::uint32_t base = conformance::find_register("BASE")->address;
  used.bus().write_bytes(base, 0x1234, 0b0010);
  EXPECT_EQ(note.text(), "model, in a write of BASE,");
  EXPECT_EQ(device->bus().read(base), 0x1200U);
  note.say("next");
  EXPECT_EQ(note.text(), "next");  // nothing is accessed yet
}

TEST(NotedDevice, IsWhatProgramsRunOn) {
  conformance::Op advance;
  advance.kind = conformance::Op::Kind::advance;
  advance.value = 20;
  conformance::Op write;
  write.kind = conformance::Op::Kind::write;
  write.reg = conformance::find_register("BASE");
  write.value = 7;
  const std::vector program{write, advance};
  CaseNote note;
  note.say("model");
  const WayResult noted = run_way({"model"}, 4, 64, program, nullptr, &note),
                  alone = run_way({"model"}, 4, 64, program);
  ASSERT_TRUE(noted.seen && alone.seen) << noted.failure << alone.failure;
  EXPECT_EQ(noted.seen->last, alone.seen->last);
  EXPECT_EQ(noted.seen->cycles, 20U);
  EXPECT_EQ(note.text().rfind("model, in a read of ", 0), 0U) << note.text();  // all registers are read at the end
}

}  // namespace
}  // namespace ocs::regress
