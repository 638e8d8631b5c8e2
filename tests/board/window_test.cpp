// What the file of a served window refuses, and that driving it is like driving what is served.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "host/device/board/mapped.hpp"
#include "host/device/model/model.hpp"
#include "rtl/regs/generated/ocs_regs.h"
#include "tests/board/served_device.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

constexpr std::uint32_t id_at = 0, sequence_at = 0x20;
constexpr std::int64_t virtual_time = 0;

DeviceConfig four_ports(const std::string& place = {}) {
  DeviceConfig config;
  config.ports = 4;
  config.place = place;
  return config;
}

std::string refusal_of(const DeviceConfig& config) {
  return refusal([&] { make_mapped(config); });
}

TEST(ServedWindow, ReadsAndWritesTheSwitchThatIsServed) {
  const auto device = through_a_file(make_model(four_ports()), four_ports());
  EXPECT_EQ(device->bus().read(id_at), 0x4f435331u);
  device->bus().write(sequence_at, 0x12345678);
  EXPECT_EQ(device->bus().read(sequence_at), 0x12345678u);
  EXPECT_EQ(device->clock().kind(), ClockKind::virtual_time);
  EXPECT_EQ(device->clock().run_until(Cycles{1000}), Cycles{1000});
  EXPECT_EQ(device->clock().now(), Cycles{1000});
}

TEST(ServedWindow, RefusesWhatTheSwitchRefuses) {
  const auto device = through_a_file(make_model(four_ports()), four_ports());
  EXPECT_THROW(device->bus().read(0xFF000), AccessRefused);
  EXPECT_THROW(device->bus().write(id_at, 1), AccessRefused);
  EXPECT_EQ(device->bus().read(id_at), 0x4f435331u) << "the next access works";
}

TEST(ServedWindow, IsTakenAsAfterAReset) {
  Served served(make_model(four_ports()), virtual_time);
  {
    const auto first = make_mapped(four_ports(served.path()));
    first->bus().write(sequence_at, 7);
    first->bus().write(0x40000, 9);  // PAIR, a memory
    first->clock().run_until(Cycles{50});
  }
  const auto second = make_mapped(four_ports(served.path()));
  EXPECT_EQ(second->clock().now(), Cycles{0});
  EXPECT_EQ(second->bus().read(sequence_at), 0u);
  EXPECT_EQ(second->bus().read(0x40000), 0u);
}

TEST(ServedWindow, HasOneDriverAtATime) {
  Served served(make_model(four_ports()), virtual_time);
  const auto driver = make_mapped(four_ports(served.path()));
  EXPECT_NE(refusal_of(four_ports(served.path())).find("is driven by another program already"), std::string::npos);
}

TEST(ServedWindow, HasOneServerAtATime) {
  Served served(make_model(four_ports()), virtual_time);
  const auto other = make_model(four_ports());
  EXPECT_NE(refusal([&] { WindowServer(*other, served.path(), 0); }).find("is served by another program already"),
            std::string::npos);
}

TEST(ServedWindow, IsNeverPutOverAnotherFile) {
  const std::string path = fresh_path(".txt");
  std::ofstream(path) << "something else";
  const auto device = make_model(four_ports());
  EXPECT_NE(refusal([&] { WindowServer(*device, path, 0); }).find("is something else"), std::string::npos);
  std::string text;
  std::getline(std::ifstream(path), text);
  EXPECT_EQ(text, "something else");
  std::filesystem::remove(path);
}

TEST(ServedWindow, GoesWithItsServerAndTellsItsDriver) {
  Served served(make_model(four_ports()), virtual_time);
  const auto driver = make_mapped(four_ports(served.path()));
  served.end();
  EXPECT_FALSE(std::filesystem::exists(served.path()));
  EXPECT_NE(failure([&] { driver->bus().read(id_at); }).find("its server has ended"), std::string::npos);
}

TEST(ServedWindow, LeftByAServerThatWasKilledIsServedByNobodyAndMadeAnew) {
  const std::string path = fresh_path(".window");
  {
    Served served(make_model(four_ports()), virtual_time, path);
    std::filesystem::copy_file(path, path + ".left");
  }
  std::filesystem::rename(path + ".left", path);
  EXPECT_NE(refusal_of(four_ports(path)).find("is served by nobody"), std::string::npos);
  Served again(make_model(four_ports()), virtual_time, path);
  EXPECT_EQ(make_mapped(four_ports(path))->bus().read(id_at), 0x4f435331u);
}

TEST(ServedWindow, ThatWasCutIsRefused) {
  const std::string path = fresh_path(".window");
  {
    Served served(make_model(four_ports()), virtual_time, path);
    std::filesystem::copy_file(path, path + ".cut");
  }
  std::filesystem::resize_file(path + ".cut", 40);
  EXPECT_NE(refusal_of(four_ports(path + ".cut")).find("has 40 bytes, but should have"), std::string::npos);
  std::filesystem::remove(path + ".cut");
}

TEST(ServedWindow, OfAnotherSwitchThanConfiguredIsRefusedWithWhatToWriteInstead) {
  Served served(make_model(four_ports()), virtual_time);
  DeviceConfig config = four_ports(served.path());
  config.ports = 8;
  EXPECT_NE(refusal_of(config).find("has 4 ports, but 8 are asked for; ports must be 4"), std::string::npos);
  config = four_ports(served.path());
  config.word_bytes = 32;
  EXPECT_NE(refusal_of(config).find("the word must be 64 B"), std::string::npos);
  config = four_ports(served.path());
  config.cycle = Picos{1280};
  EXPECT_NE(refusal_of(config).find("one word a cycle: 100000000000 bit/s"), std::string::npos);
}

TEST(ServedWindow, AtAPaceGoesOnByItselfAlsoWhileItsInterruptIsHigh) {
  constexpr std::int64_t speed = 1000;  // a cycle every 5.12 us
  Served served(make_model(four_ports()), speed);
  const auto device = make_mapped(four_ports(served.path()));
  ASSERT_EQ(device->clock().kind(), ClockKind::wall_time);
  RegisterBus& bus = device->bus();
  bus.write(offsetof(ocs_regs_t, IRQ_ENABLE), 7);
  EXPECT_EQ(bus.read(offsetof(ocs_regs_t, IRQ_ENABLE)), 7u);
  const Cycles before = device->clock().now();
  const Cycles limit = before + Cycles{20'000};  // 100 ms
  bus.write(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, SHADOW), 0x80000001);
  bus.write(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, COMMIT), 1);
  const Cycles at = device->clock().run_until(limit);
  EXPECT_LT(at, limit) << "the interrupt wakes it";
  while (device->clock().now() < limit) usleep(1000);
  EXPECT_NE(bus.read(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, IRQ_STATUS)) & 1, 0u);
  EXPECT_EQ(bus.read(offsetof(ocs_regs_t, IRQ_ENABLE)), 7u) << "as it was written, whatever the server does with it";
}

TEST(MappedFile, ThatIsTooShortOrNotThereIsRefused) {
  const std::string path = fresh_path(".bin");
  std::ofstream(path) << "OCS1";
  EXPECT_NE(refusal_of(four_ports(path)).find("has 4 bytes, but a switch's registers take 524288"), std::string::npos);
  std::filesystem::remove(path);
  EXPECT_NE(refusal_of(four_ports(path)).find("can't be opened: No such file"), std::string::npos);
  EXPECT_NE(refusal_of(four_ports()).find("needs what to map"), std::string::npos);
}

/// A file of registers that nobody changes.
std::string dead_registers(std::uint32_t id, std::uint32_t version) {
  const std::string path = fresh_path(".bin");
  std::ofstream out(path, std::ios::binary);
  const std::uint32_t words[] = {id, version, 4 | 64u << 16, 64 | 64u << 16, 0, 5120};
  out.write(reinterpret_cast<const char*>(words), sizeof words);
  out.close();
  std::filesystem::resize_file(path, window_bytes);
  return path;
}

TEST(MappedFile, WithoutASwitchIsRefused) {
  const std::string zero = dead_registers(0, 0), old = dead_registers(0x4f435331, 9u << 16);
  EXPECT_NE(failure([&] { make_mapped(four_ports(zero)); }).find("the window doesn't begin with OCS1"),
            std::string::npos);
  EXPECT_NE(failure([&] { make_mapped(four_ports(old)); }).find("not of the version"), std::string::npos);
  std::filesystem::remove(zero);
  std::filesystem::remove(old);
}

TEST(MappedFile, IsReadAndWrittenWordByWordAndASwitchWhoseClockStandsStillIsNoticed) {
  const std::string path = dead_registers(0x4f435331, 1u << 16);
  const auto device = make_mapped(four_ports(path));
  device->bus().write(sequence_at, 0xABCD);
  EXPECT_EQ(device->bus().read(sequence_at), 0xABCDu);
  std::ifstream in(path, std::ios::binary);
  in.seekg(sequence_at);
  std::uint32_t stored = 0;
  in.read(reinterpret_cast<char*>(&stored), sizeof stored);
  EXPECT_EQ(stored, 0xABCDu);
  EXPECT_THROW(device->bus().read(2), AccessRefused);
  EXPECT_THROW(device->bus().write(window_bytes, 0), AccessRefused);
  EXPECT_NE(failure([&] { device->clock().run_until(Cycles{1000}); }).find("clock stands still in cycle 0"),
            std::string::npos);
  std::filesystem::remove(path);
}

TEST(Uio, SaysItsMapInSysfs) {
  const std::filesystem::path root = fresh_path("");
  const auto map = root / "class/uio/uio3/maps/map0";
  std::filesystem::create_directories(map);
  std::ofstream(map / "size") << "0x0000000000080000\n";
  std::ofstream(map / "offset") << "0x0\n";
  EXPECT_EQ(read_uio_map(root, "uio3").size, 0x80000u);
  EXPECT_EQ(read_uio_map(root, "uio3").offset, 0u);
  std::ofstream(map / "offset") << "none\n";
  EXPECT_NE(failure([&] { read_uio_map(root, "uio3"); }).find("which is no number"), std::string::npos);
  EXPECT_NE(failure([&] { read_uio_map(root, "uio4"); }).find("can't be read"), std::string::npos);
  std::filesystem::remove_all(root);
}

TEST(Uio, ItsInterruptIsReadFourBytesAtATime) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  const auto line = make_uio_interrupt(ends[0], "mapped:/dev/uio3", false);
  using std::chrono::milliseconds;
  using Clock = std::chrono::steady_clock;
  auto before = Clock::now();
  line->wait(milliseconds(30));
  EXPECT_GE(Clock::now() - before, milliseconds(30)) << "nothing has happened";
  const std::uint32_t count = 1;
  ASSERT_EQ(write(ends[1], &count, sizeof count), 4);
  before = Clock::now();
  line->wait(milliseconds(5000));
  EXPECT_LT(Clock::now() - before, milliseconds(4000));
  close(ends[1]);
  EXPECT_NE(failure([&] { line->wait(milliseconds(1000)); }).find("doesn't say its interrupts"), std::string::npos);
  close(ends[0]);
}

}  // namespace
}  // namespace ocs::test
