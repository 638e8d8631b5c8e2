// UARTBone on a line of which the other end is ours, and on a pseudo-terminal.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/uart.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Notes what is sent, answers what it was told to.
class FakeLine final : public ByteLine {
 public:
  struct Ends {
    Bytes sent, answer;
    int forgotten = 0;
  };
  explicit FakeLine(Ends& ends) : ends_(ends) {}
  void send(std::span<const std::uint8_t> bytes) override {
    ends_.sent.insert(ends_.sent.end(), bytes.begin(), bytes.end());
  }
  std::size_t receive(std::span<std::uint8_t> bytes, std::chrono::milliseconds) override {
    const std::size_t count = std::min(bytes.size(), ends_.answer.size());
    std::copy_n(ends_.answer.begin(), count, bytes.begin());
    ends_.answer.erase(ends_.answer.begin(), ends_.answer.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void forget_input() override { ++ends_.forgotten; }

 private:
  Ends& ends_;
};

class Uart : public ::testing::Test {
 protected:
  FakeLine::Ends line_;
  std::unique_ptr<RegisterBus> bus_ = make_uartbone(std::make_unique<FakeLine>(line_), "uart:test");
};

TEST_F(Uart, AWriteSendsWordAddressAndWordMostSignificantByteFirst) {
  bus_->write(0x82000004, 0x12345678);
  EXPECT_EQ(line_.sent, (Bytes{0x01, 0x01, 0x20, 0x80, 0x00, 0x01, 0x12, 0x34, 0x56, 0x78}));
}

TEST_F(Uart, AReadForgetsWhatCameBeforeAndTakesItsWord) {
  line_.answer = {0x4f, 0x43, 0x53, 0x31};
  EXPECT_EQ(bus_->read(0x82000004), 0x4f435331u);
  EXPECT_EQ(line_.sent, (Bytes{0x02, 0x01, 0x20, 0x80, 0x00, 0x01}));
  EXPECT_EQ(line_.forgotten, 1);
}

TEST_F(Uart, SilenceAndHalfAnAnswerAreErrors) {
  EXPECT_NE(failure([&] { bus_->read(4); }).find("uart:test: no answer to a read of address 4"), std::string::npos);
  line_.answer = {1, 2, 3};
  EXPECT_NE(failure([&] { bus_->read(4); }).find("half an answer"), std::string::npos);
}

TEST(SerialLine, ThatIsntThereOrHasNoRateIsRefused) {
  EXPECT_NE(refusal([] { open_serial_line("/dev/no_such_line"); }).find("can't be opened"), std::string::npos);
  for (const char* place : {"/dev/ttyUSB0@", "/dev/ttyUSB0@0", "/dev/ttyUSB0@fast", "/dev/ttyUSB0@9600x"})
    EXPECT_NE(
        refusal([&] { open_serial_line(place); }).find("there must be a baud rate, as in \"/dev/ttyUSB0@115200\""),
        std::string::npos)
        << place;
  DeviceConfig config;
  EXPECT_NE(refusal([&] { make_uart(config); }).find("needs its line"), std::string::npos);
}

TEST(SerialLine, CarriesAllBytesAndNoticesThatItsCableIsPulled) {
  int board = -1, host = -1;
  char name[128];
  ASSERT_EQ(openpty(&board, &host, name, nullptr, nullptr), 0);
  const auto line = open_serial_line(std::string(name) + "@1000000");
  Bytes all(256);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::uint8_t>(k);
  line->send(all);
  Bytes got(256);
  std::size_t count = 0;
  while (count < got.size()) {
    const ssize_t more = read(board, got.data() + count, got.size() - count);
    ASSERT_GT(more, 0);
    count += static_cast<std::size_t>(more);
  }
  EXPECT_EQ(got, all) << "nothing is translated or kept as a control character";
  const std::array<std::uint8_t, 3> answer{3, 13, 26};
  ASSERT_EQ(write(board, answer.data(), answer.size()), 3);
  Bytes four(4);
  EXPECT_EQ(line->receive(four, std::chrono::milliseconds(50)), 3u);
  EXPECT_EQ(four, (Bytes{3, 13, 26, 0}));
  close(board);
  close(host);
  EXPECT_NE(failure([&] { line->receive(four, std::chrono::milliseconds(2000)); }).find("is gone"), std::string::npos);
}

}  // namespace
}  // namespace ocs::test
