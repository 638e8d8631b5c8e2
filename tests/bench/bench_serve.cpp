// How fast `lightloop serve` answers SCPI: one connection, two hundred at once, memory after many commands. No test.
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tests/common/places.hpp"

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

const std::string query = "OXC:SWIT:CONN:PORT? 1\n";

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// The program, serving SCPI on a port that the system chose; ended with this.
class Program {
 public:
  explicit Program(const std::string& device) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) std::exit(1);
    const std::string program = ocs::test::built("lightloop");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      execl(program.c_str(), program.c_str(), "serve", device.c_str(), "--tuning", "10 ms", "--scpi", "0", "--tl1",
            "off", "--http", "off", "--connections", "300", static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    std::string said;
    for (char letter = 0; said.find("SCPI") == std::string::npos || letter != '\n';) {
      if (::read(ends[0], &letter, 1) != 1) std::exit(1);
      said += letter;
    }
    port_ = static_cast<std::uint16_t>(std::stoi(said.substr(said.rfind(':') + 1)));
    close(ends[0]);
  }
  ~Program() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  tcp::endpoint where() const { return {asio::ip::address_v4::loopback(), port_}; }
  long resident_kb() const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
    return 0;
  }

 private:
  pid_t pid_;
  std::uint16_t port_ = 0;
};

tcp::socket connect(asio::io_context& loop, const Program& program) {
  tcp::socket socket(loop);
  socket.connect(program.where());
  socket.set_option(tcp::no_delay(true));
  return socket;
}

/// One connection: every answer is waited for, then `ahead` commands on the way at a time.
double rate(const Program& program, int commands, int ahead) {
  asio::io_context loop;
  tcp::socket socket = connect(loop, program);
  std::string many;
  for (int k = 0; k < ahead; ++k) many += query;
  std::string answers;
  const auto begin = Clock::now();
  for (int k = 0; k < commands; k += ahead) {
    asio::write(socket, asio::buffer(many));
    for (int n = 0; n < ahead; ++n) {
      const std::size_t size = asio::read_until(socket, asio::dynamic_buffer(answers), '\n');
      answers.erase(0, size);
    }
  }
  return commands / seconds(Clock::now() - begin);
}

/// A client that asks, waits for the answer, rests, and asks again.
class Asker : public std::enable_shared_from_this<Asker> {
 public:
  Asker(tcp::socket socket, Clock::duration rest, std::vector<double>& latencies)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), rest_(rest), latencies_(latencies) {}
  void ask() {
    sent_ = Clock::now();
    asio::async_write(socket_, asio::buffer(query), [self = shared_from_this()](auto error, std::size_t) {
      if (!error) self->read_answer();
    });
  }
  void start(Clock::duration later) {
    timer_.expires_after(later);
    timer_.async_wait([self = shared_from_this()](auto) { self->ask(); });
  }

 private:
  void read_answer() {
    asio::async_read_until(socket_, asio::dynamic_buffer(answer_), '\n',
                           [self = shared_from_this()](auto error, std::size_t) {
                             if (error) return;
                             self->latencies_.push_back(seconds(Clock::now() - self->sent_));
                             self->answer_.clear();
                             if (self->rest_ > 0ms) return self->start(self->rest_);
                             self->ask();
                           });
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  Clock::duration rest_;
  std::vector<double>& latencies_;
  std::string answer_;
  Clock::time_point sent_;
};

void many_clients(const Program& program, int clients, Clock::duration rest, const char* what) {
  std::vector<double> latencies;
  asio::io_context loop(1);
  for (int k = 0; k < clients; ++k)
    std::make_shared<Asker>(connect(loop, program), rest, latencies)->start(std::chrono::microseconds(50) * k);
  const auto begin = Clock::now();
  loop.run_for(3s);
  const double took = seconds(Clock::now() - begin);
  std::sort(latencies.begin(), latencies.end());
  const auto quantile = [&](double part) {
    return 1e3 * latencies[static_cast<std::size_t>(part * static_cast<double>(latencies.size() - 1))];
  };
  std::printf("%d clients, %s: %.0f queries/s, p50 %.3f ms, p99 %.3f ms, longest %.3f ms\n", clients, what,
              static_cast<double>(latencies.size()) / took, quantile(0.5), quantile(0.99), quantile(1.0));
}

}  // namespace

/// Usage: bench_serve [DEVICE]
int main(int argc, char** argv) {
  const Program program(argc > 1 ? argv[1] : "model");
  std::printf("one connection, each answer waited for: %.0f commands/s\n", rate(program, 50000, 1));
  std::printf("one connection, 100 commands on the way: %.0f commands/s\n", rate(program, 1000000, 100));
  const long before = program.resident_kb();
  rate(program, 100000, 100);
  std::printf("resident memory: %ld kB, after 100000 more commands %ld kB\n", before, program.resident_kb());
  many_clients(program, 200, 10ms, "each asks 10 ms after an answer");
  many_clients(program, 200, 0ms, "each asks at once");
  return 0;
}
