// A process that this one starts and that never outlives it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/processes/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr int exit_not_started = 127;
constexpr std::chrono::milliseconds to_end_all{10'000};  // a keeper, whose program forks without end

/// In the child, between fork and exec: nothing but system calls.
[[noreturn]] void become(char* const* arguments, int inherit, ChildProcess::Standard standard, pid_t parent,
                         const cpu_set_t& all_cores) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(exit_not_started);  // it has gone already
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int sign : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) signal(sign, SIG_DFL);
  sched_setaffinity(0, sizeof all_cores, &all_cores);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(standard.in < 0 ? nowhere : standard.in, STDIN_FILENO);
  dup2(standard.out < 0 ? nowhere : standard.out, STDOUT_FILENO);
  int first_closed = ChildProcess::inherited_descriptor;
  if (inherit >= 0) {
    if (inherit == first_closed)
      fcntl(inherit, F_SETFD, 0);
    else
      dup2(inherit, first_closed);
    ++first_closed;
  }
  close_range(static_cast<unsigned>(first_closed), ~0U, 0);
  execv(arguments[0], arguments);
  _exit(exit_not_started);
}

std::string describe(int status) {
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  if (WEXITSTATUS(status) == exit_not_started) return "couldn't be started";
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, int inherit, Standard standard,
                           std::optional<ProcessLimits> limits)
    : kept_(limits.has_value()) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  cpu_set_t all_cores;  // the caller may have kept itself on one of them
  CPU_ZERO(&all_cores);
  for (unsigned core = 0; core < CPU_SETSIZE; ++core) CPU_SET(core, &all_cores);
  id_ = fork();
  if (id_ == 0) become(arguments.data(), inherit, standard, limits ? keep(*limits, parent) : parent, all_cores);
  if (id_ < 0)
    throw Error(ErrorKind::run, "a process for " + command.front() + " can't be started: " + std::strerror(errno));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)), kept_(other.kept_), ended_(std::move(other.ended_)) {}

ChildProcess::~ChildProcess() {
  if (id_ < 0 || ended()) return;
  if (kept_) {
    kill(id_, SIGTERM);
    if (wait(to_end_all)) return;
  }
  kill(-id_, SIGKILL);  // what it has started itself
  kill(id_, SIGKILL);
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

const std::optional<std::string>& ChildProcess::ended() {
  siginfo_t over{};
  if (ended_ || waitid(P_PID, static_cast<id_t>(id_), &over, WEXITED | WNOHANG | WNOWAIT) != 0 || over.si_pid != id_)
    return ended_;
  kill(-id_, SIGKILL);  // what it has started and left behind; until it is waited for, the number is nobody else's
  int status = 0;
  if (waitpid(id_, &status, 0) == id_) ended_ = describe(status);
  return ended_;
}

bool ChildProcess::wait(std::chrono::milliseconds patience) {
  if (const int handle = ended() ? -1 : static_cast<int>(syscall(SYS_pidfd_open, id_, 0)); handle >= 0) {
    pollfd end{handle, POLLIN, 0};
    poll(&end, 1, static_cast<int>(patience.count()));
    close(handle);
  }
  return ended().has_value();
}

}  // namespace ocs
