// An alarm that names the seed that hangs.
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

/// Only calls that a signal handler may make.
void seed_hangs(int) {
  std::array<char, 128> line;
  char* end = line.data();
  const auto text = [&](std::string_view part) {
    std::memcpy(end, part.data(), part.size());
    end += part.size();
  };
  const auto number = [&](std::uint64_t n) { end = std::to_chars(end, line.data() + line.size(), n).ptr; };
  text("lightloop-sim: seed ");
  number(watched_seed);
  text(" hangs: it takes more than ");
  number(longest_seconds);
  text(" s of real time\n");
  static_cast<void>(!write(STDERR_FILENO, line.data(), static_cast<std::size_t>(end - line.data())));
  _exit(1);
}

}  // namespace

void watch_seed(std::uint64_t seed, std::chrono::seconds longest) {
  watched_seed = seed;
  longest_seconds = static_cast<std::uint64_t>(longest.count());
  static_cast<void>(std::signal(SIGALRM, seed_hangs));
  alarm(static_cast<unsigned>(longest.count()));
}

void watch_no_seed() { alarm(0); }

}  // namespace ocs::sim
