// Writes one line again and again, and another one every few seconds.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include "testbed/results/text/human.hpp"
#include "testbed/results/text/time_left.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds interval{100};

std::size_t width_of(std::FILE* terminal) {
  winsize size{};
  constexpr std::size_t usual = 80;
  return ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : usual;
}

}  // namespace

TerminalProgress::TerminalProgress(std::FILE* out, const Interruption& interruption, bool quiet,
                                   std::chrono::milliseconds heartbeat)
    : out_(out),
      interruption_(interruption),
      quiet_(quiet),
      terminal_(!quiet && isatty(fileno(out)) != 0),
      heartbeat_(heartbeat) {}

TerminalProgress::~TerminalProgress() { clear(); }

void TerminalProgress::begin(const std::string& what) {
  what_ = what;
  waiting_for_.clear();
  now_ = beat_at_ = {};
  fraction_ = 0;
  slowest_ = {};
  next_show_ = {};
  last_beat_ = Clock::now();
  if (begun_++ == 0) first_begin_ = last_beat_;
}

std::string TerminalProgress::time_left(Clock::time_point wall) const {
  const double done = static_cast<double>(begun_) - 1 + fraction_;
  const double passed = std::chrono::duration<double>(wall - first_begin_).count();
  return begun_ == 0 ? std::string() : time_left_text(done, static_cast<double>(expected_), passed);
}

void TerminalProgress::tick(const Report& report) {
  interruption_.check();
  if (quiet_) return;
  now_ = report.now;
  fraction_ = report.fraction;
  waiting_for_ = report.waiting_for;
  if (report.slowest.took > slowest_.took) slowest_ = report.slowest;
  const auto wall = Clock::now();
  beat_if_due(wall);
  if (!terminal_ || wall < next_show_) return;
  next_show_ = wall + interval;
  show();
}

void TerminalProgress::pause() {
  interruption_.check();
  if (!quiet_) beat_if_due(Clock::now());
}

void TerminalProgress::show() {
  std::string line = what_ + "  " + human_percent(fraction_) + "  simulated " + human_time(now_);
  if (const std::string left = time_left(Clock::now()); !left.empty()) line += "  " + left;
  if (!waiting_for_.empty()) line += "  waiting for " + waiting_for_;
  line.resize(std::min(line.size(), width_of(out_) - 1));
  std::fprintf(out_, "\r%s\033[K", line.c_str());
  std::fflush(out_);
  shown_ = true;
}

void TerminalProgress::beat_if_due(Clock::time_point wall) {
  if (wall < last_beat_ + heartbeat_) return;
  clear();
  const double passed = std::chrono::duration<double>(wall - last_beat_).count();
  const double rate = static_cast<double>((now_ - beat_at_).n) * 1e-12 / passed;
  std::string line = what_ + ": " + human_percent(fraction_) + ", simulated " + human_time(now_) + ", " +
                     human_ratio(rate) + " x real time";
  if (const std::string left = time_left(wall); !left.empty()) line += ", " + left;
  if (slowest_.took.count() >= 0)
    line += ", slowest node " + std::to_string(index(slowest_.node)) + " (" +
            human_time(std::chrono::duration<double>(slowest_.took).count()) + ")";
  if (!waiting_for_.empty()) line += ", waiting for " + waiting_for_;
  std::fprintf(out_, "%s\n", line.c_str());
  std::fflush(out_);
  last_beat_ = wall;
  beat_at_ = now_;
  slowest_ = {};
}

void TerminalProgress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", out_);
  std::fflush(out_);
  shown_ = false;
}

}  // namespace ocs
