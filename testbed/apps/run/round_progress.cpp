// Says how far it is and, on a terminal, takes that away at the end.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/round_progress.hpp"

#include <unistd.h>

#include <utility>

namespace ocs {
namespace {

constexpr std::chrono::milliseconds terminal_interval{100}, log_interval{5000};

}  // namespace

RoundProgress::RoundProgress(std::FILE* out, std::string what, bool quiet)
    : out_(out),
      what_(std::move(what)),
      quiet_(quiet),
      terminal_(isatty(fileno(out)) != 0),
      next_(Clock::now() + (terminal_ ? terminal_interval : log_interval)) {}

RoundProgress::~RoundProgress() {
  if (!shown_ || !terminal_) return;
  std::fputs("\r\033[K", out_);
  std::fflush(out_);
}

void RoundProgress::tick(int round, int rounds) {
  const auto now = Clock::now();
  if (quiet_ || now < next_) return;
  next_ = now + (terminal_ ? terminal_interval : log_interval);
  shown_ = true;
  std::fprintf(out_, terminal_ ? "\r%s: round %d of %d, %d %%\033[K" : "%s: round %d of %d, %d %%\n", what_.c_str(),
               round + 1, rounds, static_cast<int>(100LL * round / rounds));
  std::fflush(out_);
}

}  // namespace ocs
