// An alarm that names the seed that hangs, and a last line that names the one that crashes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/seed_watch.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstring>
#include <string_view>

namespace ocs::sim {
namespace {

std::atomic<std::uint64_t> watched_seed = 0, longest_seconds = 0;

/// A line for standard error, made by calls that a signal handler may make.
class Line {
 public:
  Line& operator<<(std::string_view part) {
    std::memcpy(end_, part.data(), part.size());
    end_ += part.size();
    return *this;
  }
  Line& operator<<(std::uint64_t n) {
    end_ = std::to_chars(end_, text_.data() + text_.size(), n).ptr;
    return *this;
  }
  void write_out() {
    static_cast<void>(!write(STDERR_FILENO, text_.data(), static_cast<std::size_t>(end_ - text_.data())));
  }

 private:
  std::array<char, 128> text_;
  char* end_ = text_.data();
};

void seed_hangs(int) {
  Line line;
  line << "lightloop-sim: seed " << watched_seed << " hangs: it takes more than " << longest_seconds
       << " s of real time\n";
  line.write_out();
  _exit(1);
}

void seed_crashes(int signal) {
  Line line;
  line << "lightloop-sim: seed " << watched_seed << " crashes, by signal " << static_cast<std::uint64_t>(signal)
       << "\n";
  line.write_out();
  static_cast<void>(std::signal(signal, SIG_DFL));
  static_cast<void>(raise(signal));
}

/// What catches crashes already, a sanitizer, says more.
void watch_crashes() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    static_cast<void>(std::signal(signal, seed_crashes));
  }
}

}  // namespace

void watch_seed(std::uint64_t seed, std::chrono::seconds longest) {
  watched_seed = seed;
  longest_seconds = static_cast<std::uint64_t>(longest.count());
  static_cast<void>(std::signal(SIGALRM, seed_hangs));
  watch_crashes();
  alarm(static_cast<unsigned>(longest.count()));
}

void watch_no_seed() { alarm(0); }

}  // namespace ocs::sim
