// Forks, reads outcomes from pipes, kills process groups.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/case_processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/cluster/started_program.hpp"

namespace ocs::regress {
namespace {

void limit_memory([[maybe_unused]] std::int64_t bytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return;  // they reserve more address space than any machine has
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return;
#endif
#endif
  const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  setrlimit(RLIMIT_AS, &limit);
}

[[noreturn]] void be_case(const CaseProcesses::Work& work, CaseNote& note, std::int64_t memory_bytes, pid_t parent,
                          int pipe) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);  // it has ended before that was asked for
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
  limit_memory(memory_bytes);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  const std::string bytes = to_bytes(work(note));
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(pipe, bytes.data() + at, bytes.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(EXIT_FAILURE);
    at += static_cast<std::size_t>(written);
  }
  _exit(EXIT_SUCCESS);
}

std::string seconds_text(std::chrono::milliseconds time) {
  constexpr std::int64_t ms_in_s = 1000;
  return time.count() % ms_in_s == 0 ? std::to_string(time.count() / ms_in_s) + " s"
                                     : std::to_string(time.count()) + " ms";
}

}  // namespace

CaseProcesses::~CaseProcesses() {
  for (const Running& one : running_) kill(-one.id, SIGKILL);
  for (const Running& one : running_) {
    waitpid(one.id, nullptr, 0);
    close(one.pipe);
  }
}

std::int64_t CaseProcesses::memory_bytes() const {
  std::int64_t sum = 0;
  for (const Running& one : running_) sum += one.limits.memory_bytes;
  return sum;
}

void CaseProcesses::start(std::size_t number, const Work& work, const Limits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ErrorKind::run, std::string("no connection to another process can be made: ") + std::strerror(errno));
  auto note = std::make_unique<CaseNote>();
  std::cout.flush();
  const pid_t parent = getpid(), id = fork();
  if (id == 0) {
    close(ends[0]);
    be_case(work, *note, limits.memory_bytes, parent, ends[1]);
  }
  close(ends[1]);
  if (id < 0) {
    close(ends[0]);
    throw Error(ErrorKind::run, std::string("no further process can be started: ") + std::strerror(errno));
  }
  setpgid(id, id);  // in both processes: either may need it first
  running_.push_back({number, id, ends[0], Clock::now(), limits, std::move(note), {}});
}

bool CaseProcesses::read_from(Running& one) {
  std::array<char, 1 << 16> chunk{};
  const ssize_t got = read(one.pipe, chunk.data(), chunk.size());
  if (got < 0) return errno != EINTR;
  one.received.append(chunk.data(), static_cast<std::size_t>(got));
  return got == 0;
}

Outcome CaseProcesses::bury(Running& one) {
  const auto took = Clock::now() - one.began;
  const bool late = took >= one.limits.time && one.received.empty();
  kill(-one.id, SIGKILL);  // what it has started, and left behind
  int status = 0;
  while (waitpid(one.id, &status, 0) < 0 && errno == EINTR) continue;
  close(one.pipe);
  Outcome outcome;
  if (late) {
    const std::string doing = one.note->text();
    outcome = {.verdict = Verdict::timed_out,
               .sentence = (doing.empty() ? "it" : doing) + " did not end within " + seconds_text(one.limits.time)};
  } else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS) {
    outcome = outcome_from_bytes(one.received);
  } else {
    outcome = {.verdict = Verdict::broken, .sentence = "its process " + end_of_program(status).how()};
  }
  outcome.seconds = std::chrono::duration<double>(took).count();
  return outcome;
}

std::chrono::milliseconds CaseProcesses::until_next_limit(std::chrono::milliseconds patience) const {
  for (const Running& one : running_)
    patience =
        std::min(patience, std::chrono::ceil<std::chrono::milliseconds>(one.began + one.limits.time - Clock::now()));
  return std::max(patience, std::chrono::milliseconds{0});
}

std::vector<CaseProcesses::Finished> CaseProcesses::wait(std::chrono::milliseconds patience) {
  std::vector<pollfd> polled;
  polled.reserve(running_.size());
  for (const Running& one : running_) polled.push_back({one.pipe, POLLIN, 0});
  poll(polled.data(), polled.size(), static_cast<int>(until_next_limit(patience).count()));
  std::vector<Finished> finished;
  std::vector<Running> going_on;
  for (std::size_t k = 0; k < running_.size(); ++k) {
    Running& one = running_[k];
    bool ended = polled[k].revents != 0 && read_from(one);
    ended = ended || (Clock::now() >= one.began + one.limits.time && one.received.empty());
    if (ended)
      finished.push_back({one.number, bury(one)});
    else
      going_on.push_back(std::move(one));
  }
  running_ = std::move(going_on);
  return finished;
}

}  // namespace ocs::regress
