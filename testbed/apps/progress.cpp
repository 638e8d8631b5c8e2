// Writes one line again and again.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include "testbed/results/human.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds interval{100};

std::size_t width_of(std::FILE* terminal) {
  winsize size{};
  constexpr std::size_t usual = 80;
  return ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : usual;
}

}  // namespace

TerminalProgress::TerminalProgress(std::FILE* out, const Interruption& interruption, bool quiet)
    : out_(out), interruption_(interruption), terminal_(!quiet && isatty(fileno(out)) != 0) {}

TerminalProgress::~TerminalProgress() { clear(); }

void TerminalProgress::begin(const std::string& what) {
  what_ = what;
  next_ = {};
}

void TerminalProgress::tick(Picos now, double fraction, const std::string& waiting_for) {
  interruption_.check();
  if (!terminal_) return;
  const auto wall = std::chrono::steady_clock::now();
  if (wall < next_) return;
  next_ = wall + interval;
  std::string line = what_ + "  " + human_percent(fraction) + "  simulated " + human_time(now);
  if (!waiting_for.empty()) line += "  waiting for " + waiting_for;
  line.resize(std::min(line.size(), width_of(out_) - 1));
  std::fprintf(out_, "\r%s\033[K", line.c_str());
  std::fflush(out_);
  shown_ = true;
}

void TerminalProgress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", out_);
  std::fflush(out_);
  shown_ = false;
}

}  // namespace ocs
