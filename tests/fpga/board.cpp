// The FPGA top, Verilated, with its serial line on a pseudo-terminal whose name it prints; runs until its input ends.
// It answers each line of its input with a line after twice the patience of the top in cycles: a test waits by cycles.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>

#include "Vocs_fpga.h"
#include "verilated.h"

namespace {

constexpr unsigned divisor = 4;        // clock cycles of a bit; as Verilated
constexpr unsigned patience = 100000;  // clock cycles after which half a transaction is forgotten; as Verilated

/// One direction of the line, a bit at a time.
class Sender {
 public:
  void push(std::uint8_t byte) { bytes_.push_back(byte); }
  [[nodiscard]] bool busy() const { return left_ != 0 || !bytes_.empty(); }
  /// @return the line in the next cycle.
  bool next() {
    if (left_ == 0) {
      if (bytes_.empty()) return true;
      frame_ = 0x200u | unsigned{bytes_.front()} << 1;  // start, eight bits, stop
      bytes_.pop_front();
      left_ = 10 * divisor;
    }
    return (frame_ >> ((10 * divisor - left_--) / divisor) & 1) != 0;
  }

 private:
  std::deque<std::uint8_t> bytes_;
  unsigned frame_ = 0, left_ = 0;
};

class Receiver {
 public:
  /// @return a byte, or -1, after a cycle in which the line was `level`.
  int take(bool level) {
    if (cycle_ == 0) {
      cycle_ = level ? 0 : 1;
      return -1;
    }
    ++cycle_;
    if (cycle_ % divisor == divisor / 2) {
      const unsigned bit = cycle_ / divisor;  // 0: start; 1 to 8; 9: stop
      if (bit >= 1 && bit <= 8) byte_ = (byte_ >> 1) | (level ? 0x80u : 0u);
      if (bit == 9) {
        cycle_ = 0;
        return static_cast<int>(byte_ & 0xFF);
      }
    }
    return -1;
  }

 private:
  unsigned cycle_ = 0, byte_ = 0;
};

void edge(Vocs_fpga& top) {
  top.clk_i = 0;
  top.eval();
  top.clk_i = 1;
  top.eval();
}

}  // namespace

int main(int argc, char** argv) {
  Verilated::commandArgs(argc, argv);  // +verilator+seed+N: what memory and flip-flops hold before reset
  int host = -1, device = -1;
  char name[128];
  termios raw{};
  cfmakeraw(&raw);
  if (openpty(&host, &device, name, &raw, nullptr) != 0) {
    std::perror("openpty");
    return 1;
  }
  std::printf("%s\n", name);
  std::fflush(stdout);

  const auto top = std::make_unique<Vocs_fpga>();
  top->rst_ni = 0;
  top->rx_i = 1;
  for (int k = 0; k < 8; ++k) edge(*top);
  top->rst_ni = 1;
  Sender sender;
  Receiver receiver;
  unsigned left = 0;  // cycles to run before a line of the input is answered
  for (bool running = true; running;) {
    pollfd waits[2] = {{host, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    ::poll(waits, 2, sender.busy() ? 0 : 1);
    if ((waits[1].revents & (POLLIN | POLLHUP)) != 0) {
      char asked[16];
      running = ::read(STDIN_FILENO, asked, sizeof asked) > 0;
      left = 2 * patience;
    }
    if ((waits[0].revents & POLLIN) != 0) {
      std::uint8_t bytes[256];
      const ssize_t count = ::read(host, bytes, sizeof bytes);
      for (ssize_t k = 0; k < count; ++k) sender.push(bytes[k]);
    }
    for (int k = 0; k < 2000; ++k) {
      top->rx_i = sender.next();
      edge(*top);
      if (const int byte = receiver.take(top->tx_o != 0); byte >= 0) {
        const auto one = static_cast<std::uint8_t>(byte);
        if (::write(host, &one, 1) != 1) return 1;
      }
      if (left > 0 && --left == 0) {
        std::printf("ran\n");
        std::fflush(stdout);
      }
    }
  }
  ::close(device);
  return 0;
}
