// The line is Boost.Asio's serial port; waiting with a limit is poll's.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/uart.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/serial_port.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "host/core/wait_text.hpp"
#include "host/device/board/board.hpp"

namespace ocs {
namespace {

using std::chrono::milliseconds;

class SerialLine final : public ByteLine {
 public:
  SerialLine(std::string path, unsigned baud) : path_(std::move(path)), port_(context_) {
    using Port = boost::asio::serial_port_base;
    boost::system::error_code error;
    port_.open(path_, error);
    if (error) refuse("can't be opened: " + error.message());
    port_.set_option(Port::baud_rate(baud), error);
    if (error) refuse("doesn't take " + std::to_string(baud) + " baud: " + error.message());
    for (const auto set :
         {+[](boost::asio::serial_port&p, boost::system::error_code&e) { p.set_option(Port::character_size(8), e); },
          +[](boost::asio::serial_port&p, boost::system::error_code&e) {
            p.set_option(Port::parity(Port::parity::none), e);
          },
          +[](boost::asio::serial_port&p, boost::system::error_code&e) {
            p.set_option(Port::stop_bits(Port::stop_bits::one), e);
          },
          +[](boost::asio::serial_port&p, boost::system::error_code&e) {
            p.set_option(Port::flow_control(Port::flow_control::none), e);
          }}) {
      set(port_, error);
      if (error) refuse("can't be set to 8N1 without flow control: " + error.message());
    }
  }

  void send(std::span<const std::uint8_t> bytes) override {
    boost::system::error_code error;
    boost::asio::write(port_, boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (error) gone(error.message());
  }

  std::size_t receive(std::span<std::uint8_t> bytes, milliseconds patience) override {
    const auto until = std::chrono::steady_clock::now() + patience;
    std::size_t got = 0;
    while (got < bytes.size()) {
      const auto left = std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now());
      pollfd waits{port_.native_handle(), POLLIN, 0};
      const int ready = ::poll(&waits, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0) break;
      const ssize_t count = ::read(waits.fd, bytes.data() + got, bytes.size() - got);
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (count <= 0) gone(count == 0 ? "it has been hung up" : std::strerror(errno));
      got += static_cast<std::size_t>(count);
    }
    return got;
  }

  void forget_input() override { ::tcflush(port_.native_handle(), TCIFLUSH); }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::input, "serial line \"" + path_ + "\" " + why);
  }
  [[noreturn]] void gone(const std::string& why) const {
    throw Error(ErrorKind::run, "serial line \"" + path_ + "\" is gone: " + why);
  }

  std::string path_;
  boost::asio::io_context context_;
  boost::asio::serial_port port_;
};

/// Word addresses and words, most significant byte first.
class Uartbone final : public RegisterBus {
 public:
  Uartbone(std::unique_ptr<ByteLine> line, std::string where) : line_(std::move(line)), where_(std::move(where)) {}

  std::uint32_t read(std::uint32_t address) override {
    line_->forget_input();
    std::array<std::uint8_t, 6> asked{0x02, 1};
    put(std::span(asked).subspan<2, 4>(), address / 4);
    line_->send(asked);
    std::array<std::uint8_t, 4> word{};
    if (const std::size_t got = line_->receive(word, patience); got < word.size())
      throw Error(ErrorKind::run, where_ + ": " + (got == 0 ? "no" : "half an") + " answer to a read of address " +
                                      std::to_string(address) + " within " + wait_text(patience));
    return std::uint32_t{word[0]} << 24 | std::uint32_t{word[1]} << 16 | std::uint32_t{word[2]} << 8 | word[3];
  }

  void write(std::uint32_t address, std::uint32_t value) override {
    std::array<std::uint8_t, 10> said{0x01, 1};
    put(std::span(said).subspan<2, 4>(), address / 4);
    put(std::span(said).subspan<6, 4>(), value);
    line_->send(said);
  }

 private:
  static constexpr milliseconds patience{3000};

  static void put(std::span<std::uint8_t, 4> bytes, std::uint32_t value) {
    for (std::size_t k = 0; k < 4; ++k) bytes[k] = static_cast<std::uint8_t>(value >> (24 - 8 * k));
  }

  std::unique_ptr<ByteLine> line_;
  std::string where_;
};

}  // namespace

std::unique_ptr<ByteLine> open_serial_line(const std::string& place) {
  const std::size_t at = place.rfind('@');
  unsigned baud = 115200;
  if (at != std::string::npos) {
    const char* const end = place.data() + place.size();
    const auto [stop, error] = std::from_chars(place.data() + at + 1, end, baud);
    if (error != std::errc{} || stop != end || baud == 0)
      throw Error(ErrorKind::input, "serial line \"" + place + "\": behind @ there must be a baud rate, as in \"" +
                                        place.substr(0, at) + "@115200\"");
  }
  return std::make_unique<SerialLine>(place.substr(0, at), baud);
}

std::unique_ptr<RegisterBus> make_uartbone(std::unique_ptr<ByteLine> line, const std::string& where) {
  return std::make_unique<Uartbone>(std::move(line), where);
}

std::unique_ptr<Device> make_uart(const DeviceConfig& config) {
  if (config.place.empty())
    throw Error(ErrorKind::input, "device \"uart\" needs its line: \"uart:/dev/ttyUSB0\", for instance");
  const std::string where = "uart:" + config.place;
  auto bus = make_uartbone(open_serial_line(config.place), where);
  return make_board(where, std::move(bus), make_no_interrupt(std::chrono::milliseconds(1)), config);
}

}  // namespace ocs
