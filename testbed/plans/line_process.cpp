// A socket to its standard input, because a socket can be written without SIGPIPE; a pipe from its standard output.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/line_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/wait_text.hpp"

namespace ocs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds polite{100}, slice{100};
/// On a busy machine, from the end of a program's output to that of its keeper.
constexpr std::chrono::milliseconds end_follows{2000};
constexpr int first_free = 10;  // no end may be one of 0 to 3, which the child gets

/// Another number for an open file, away from those that a child is given.
int away(int file) {
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, first_free);
  close(file);
  return moved;
}

}  // namespace

struct LineProcess::Pipes {
  int to = -1, child_in = -1, from = -1, child_out = -1;

  static Pipes open() {
    std::array<int, 2> in{-1, -1}, out{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0 || pipe2(out.data(), O_CLOEXEC) != 0)
      throw Error(ErrorKind::run, std::string("no pipe to a program can be made: ") + std::strerror(errno));
    const Pipes pipes{.to = away(in[0]), .child_in = away(in[1]), .from = away(out[0]), .child_out = away(out[1])};
    for (const int file : {pipes.to, pipes.from}) fcntl(file, F_SETFL, O_NONBLOCK);
    return pipes;
  }
};

LineProcess::LineProcess(const std::vector<std::string>& command, std::string name, const ProcessLimits& limits)
    : LineProcess(command, std::move(name), limits, Pipes::open()) {}

LineProcess::LineProcess(const std::vector<std::string>& command, std::string name, const ProcessLimits& limits,
                         Pipes pipes)
    : name_(std::move(name)),
      to_(pipes.to),
      from_(pipes.from),
      child_(command, -1, {.in = pipes.child_in, .out = pipes.child_out}, limits) {
  close(pipes.child_in);
  close(pipes.child_out);
}

LineProcess::~LineProcess() {
  close(to_);
  child_.wait(polite);
  close(from_);
}

void LineProcess::refuse(const std::string& what) const { throw Error(ErrorKind::run, name_ + " " + what); }

void LineProcess::refuse_ended() {
  child_.wait(end_follows);
  refuse(child_.ended() ? *child_.ended() + " before it answered" : "closed its standard output before it answered");
}

/// Sends as much as the program takes now.
void LineProcess::send(std::string_view& rest) {
  while (!rest.empty()) {
    const ssize_t sent = ::send(to_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (sent < 0) rest = {};  // it reads no more; what it has to say decides
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// What there is now, until a line is whole. @return whether more may come.
bool LineProcess::receive(std::size_t most) {
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t got = read(from_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0;
    said_.append(chunk.data(), static_cast<std::size_t>(got));
    if (said_.find('\n', said_.size() - static_cast<std::size_t>(got)) != std::string::npos) return true;
    if (said_.size() > most) refuse("answers with more than " + std::to_string(most) + " bytes, the most allowed");
  }
}

std::string LineProcess::ask(std::string_view question, const AnswerLimits& limits) {
  receive(limits.bytes);
  if (!said_.empty()) refuse("wrote something before it was asked; it must write one line for each line that it reads");
  const std::string whole = std::string(question) + "\n";
  std::string_view rest = whole;
  const Clock::time_point deadline = Clock::now() + limits.patience;
  for (bool more = true; said_.find('\n') == std::string::npos;) {
    if (!more) refuse_ended();
    if (limits.pause) limits.pause();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) refuse("hasn't answered within " + wait_text(limits.patience) + ", its planning_timeout");
    std::array<pollfd, 2> files{{{from_, POLLIN, 0}, {rest.empty() ? -1 : to_, POLLOUT, 0}}};
    poll(files.data(), files.size(), static_cast<int>(std::min(left, slice).count()) + 1);
    if (files[1].revents != 0) send(rest);
    if (files[0].revents != 0) {
      more = receive(limits.bytes);
    } else if (child_.ended()) {  // what it started may still hold its output, so that this never ends
      receive(limits.bytes);
      more = false;
    }
  }
  const std::size_t end = said_.find('\n');
  if (end + 1 != said_.size()) refuse("answers with more than one line; it must write one for each that it reads");
  std::string answer = said_.substr(0, end);
  said_.clear();
  return answer;
}

}  // namespace ocs
