// Starts the page's process and talks to it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/live/live_page.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>

#include "host/core/error.hpp"
#include "testbed/live/live_server.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds patience_at_the_end{1000};

/// Nothing of the run's stays open here: a reader of its output must see its end.
void leave_files(int socket) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int file = 0; file < 3; ++file) dup2(nothing, file);
  const int kept = dup2(socket, 3) >= 0 ? 3 : socket;
  if (kept == 3) close_range(4, ~0U, 0);
}

[[noreturn]] void be_server(int socket, const LiveAddress& where, const LiveArguments& arguments) {
  setpgid(0, 0);  // Ctrl-C is for the run, which says then that it has ended
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);
  constexpr int behind_the_run = 10;  // a tenth of what the run gets where both want a core: a login ends in seconds
  if (nice(behind_the_run) < 0) errno = 0;  // it is served all the same
  leave_files(socket);
  try {
    serve_live_page(3, where, arguments);
  } catch (const std::exception&) {
    _exit(EXIT_FAILURE);  // its clients see that it is gone, and the run says so
  }
  _exit(EXIT_SUCCESS);
}

}  // namespace

LivePage::LivePage(const LiveArguments& arguments) : where_(live_address(arguments)), owner_(getpid()) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(ErrorKind::run, std::string("--live: no connection to another process: ") + std::strerror(errno));
  std::cout.flush();
  std::fflush(nullptr);  // what is buffered must not be written by both
  server_ = fork();
  if (server_ == 0) be_server(ends[1], where_, arguments);
  close(ends[1]);
  socket_ = ends[0];
  const std::string word = server_ < 0 ? "" : first_word();
  if (word.starts_with('+')) {
    std::from_chars(word.data() + 1, word.data() + word.size(), where_.port);
    return;
  }
  close(socket_);
  if (server_ > 0) waitpid(server_, nullptr, 0);
  if (word.starts_with('-')) throw Error(ErrorKind::input, "--live: " + word.substr(1));
  throw Error(ErrorKind::run, std::string("--live: no further process can be started: ") + std::strerror(errno));
}

LivePage::~LivePage() {
  if (getpid() != owner_) return;
  close(socket_);
  waitpid(server_, nullptr, WNOHANG);
}

std::string LivePage::first_word() const {
  std::string word(4096, '\0');
  ssize_t size = 0;
  while ((size = recv(socket_, word.data(), word.size(), 0)) < 0 && errno == EINTR) {
  }
  word.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return word;
}

bool LivePage::send(const std::string& message) {
  if (lost_) return true;
  if (::send(socket_, message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return true;
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS) return false;
  lost_ = errno == EPIPE || errno == ECONNRESET;
  return true;  // a message that is too long is left out
}

void LivePage::flush() {
  while (!waiting_.empty() && send(waiting_.front())) waiting_.pop_front();
}

void LivePage::keep(LiveKind kind, const std::string& text) {
  if (lost_) return;
  waiting_.push_back(static_cast<char>(kind) + text);
  flush();
}

void LivePage::running(std::size_t row, const std::string& json) {
  flush();
  if (waiting_.empty()) send(static_cast<char>(LiveKind::running) + (std::to_string(row) + " " + json));
}

void LivePage::end(const std::string& json) {
  if (ended_) return;
  ended_ = true;
  keep(LiveKind::end, json);
  const auto until = std::chrono::steady_clock::now() + patience_at_the_end;
  while (!lost_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    // All is sent, and the other end closes when its address is free.
    pollfd other{.fd = socket_, .events = static_cast<short>(waiting_.empty() ? POLLIN : POLLOUT), .revents = 0};
    if (poll(&other, 1, static_cast<int>(left.count())) < 0 && errno != EINTR) return;
    if ((other.revents & (POLLHUP | POLLERR | POLLIN)) != 0 && waiting_.empty()) return;
    flush();
  }
}

}  // namespace ocs
