// Runs between fork and exec, where other threads may have held locks: nothing here but system calls.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/processes/process_keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace ocs {
namespace {

constexpr int exit_unstarted = 127, longest_end_s = 5;
constexpr std::size_t piece = 4000;  // a pipe that is ready takes 4096 bytes at once, the last piece and a note

void limit(int resource, std::uint64_t most, std::uint64_t above = 0) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource>(resource), &now);
  now.rlim_cur = std::min<rlim_t>(most, now.rlim_max);
  now.rlim_max = std::min<rlim_t>(most + above, now.rlim_max);
  setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

/// The parent of a process, from "PID (NAME) STATE PARENT ..."; 0 if it has gone.
pid_t parent_of(int proc, const char* id) {
  std::array<char, 32> name{};
  std::array<char, 512> text{};
  const std::size_t length = strlen(id);
  if (length + sizeof "/stat" > name.size()) return 0;
  memcpy(name.data(), id, length);
  memcpy(name.data() + length, "/stat", sizeof "/stat");
  const int file = openat(proc, name.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t got = read(file, text.data(), text.size());
  close(file);
  const std::string_view stat(text.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
  const std::size_t end = stat.rfind(')');
  pid_t parent = 0;
  for (std::size_t at = end == std::string_view::npos ? stat.size() : end + 4; at < stat.size(); ++at) {
    if (stat[at] < '0' || stat[at] > '9') break;
    parent = parent * 10 + (stat[at] - '0');
  }
  return parent;
}

/// Kills every child of this process.
void kill_children() {
  struct Entry {  // of getdents64
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
  };
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  alignas(Entry) std::array<char, 8192> entries;
  for (long got; (got = syscall(SYS_getdents64, proc, entries.data(), entries.size())) > 0;)
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const Entry*>(entries.data() + at);
      at += entry->length;
      if (entry->name[0] < '1' || entry->name[0] > '9' || parent_of(proc, entry->name) != getpid()) continue;
      pid_t id = 0;
      for (const char* c = entry->name; *c != '\0'; ++c) id = id * 10 + (*c - '0');
      kill(id, SIGKILL);
    }
  close(proc);
}

/// Until no descendant is left: each that is killed leaves its children to this process.
void end_all() {
  timespec begun{}, now{};
  clock_gettime(CLOCK_MONOTONIC, &begun);
  for (;;) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (ended < 0 || now.tv_sec - begun.tv_sec > longest_end_s) return;
    kill_children();
    poll(nullptr, 0, 1);
  }
}

/// Passes standard error on, the first bytes of it.
class Errors {
 public:
  static constexpr int from = STDIN_FILENO;

  bool full() const { return held_ > 0; }

  /// @return whether more may come.
  bool take() {
    const ssize_t got = read(from, chunk_.data(), piece);
    if (got <= 0) return got < 0 && errno == EINTR;
    held_ = std::min(static_cast<std::size_t>(got), static_cast<std::size_t>(max_error_bytes) - passed_);
    passed_ += held_;
    if (held_ < static_cast<std::size_t>(got) && !said_) {
      held_ += notice.copy(chunk_.data() + held_, notice.size());
      said_ = true;
    }
    return true;
  }

  void pass() {
    if (held_ > 0) static_cast<void>(!write(STDERR_FILENO, chunk_.data(), held_));
    held_ = 0;
  }

  /// What is still there after the end of everybody who could write.
  void finish() {
    constexpr int patience_ms = 100;
    do {
      pollfd out{STDERR_FILENO, POLLOUT, 0};
      if (full() && poll(&out, 1, patience_ms) <= 0) return;
      pass();
    } while (take());
  }

 private:
  static constexpr std::string_view notice =
      "\nlightloop: a scheduler wrote more than 1 MiB to standard error; the rest is dropped\n";
  std::array<char, piece + notice.size()> chunk_{};
  std::size_t held_ = 0, passed_ = 0;
  bool said_ = false;
};

sigset_t heeded() {
  sigset_t set;
  sigemptyset(&set);
  for (const int sign : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&set, sign);
  return set;
}

/// Waits for the end of `program`, or a signal to end it. @return its status, as waitpid() gives it.
int watch(pid_t program, Errors& errors) {
  const sigset_t set = heeded();
  const int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  for (bool more = true;;) {
    std::array<pollfd, 3> files{{{signals, POLLIN, 0},
                                 {more && !errors.full() ? Errors::from : -1, POLLIN, 0},
                                 {errors.full() ? STDERR_FILENO : -1, POLLOUT, 0}}};
    poll(files.data(), files.size(), -1);
    if (files[2].revents != 0) errors.pass();
    if (files[1].revents != 0) more = errors.take();
    signalfd_siginfo signal{};
    while (read(signals, &signal, sizeof signal) == sizeof signal)
      if (signal.ssi_signo != SIGCHLD) return SIGKILL;
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
      if (ended == program) return status;
  }
}

[[noreturn]] void end_as(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  const int sign = WTERMSIG(status);
  limit(RLIMIT_CORE, 0);
  signal(sign, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  raise(sign);
  _exit(128 + sign);
}

[[noreturn]] void be_keeper(pid_t program, int errors_from) {
  dup2(errors_from, Errors::from);
  fcntl(Errors::from, F_SETFL, O_NONBLOCK);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDOUT_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  Errors errors;
  const int status = watch(program, errors);
  end_all();
  errors.finish();
  end_as(status);
}

}  // namespace

pid_t keep(const ProcessLimits& limits, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(exit_unstarted);  // it has gone already
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  std::array<int, 2> errors{-1, -1};
  if (pipe2(errors.data(), O_CLOEXEC) != 0) _exit(exit_unstarted);
  const pid_t keeper = getpid();
  const pid_t program = _Fork();
  if (program < 0) _exit(exit_unstarted);
  if (program > 0) be_keeper(program, errors[0]);
  dup2(errors[1], STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.cpu_s, 1);  // SIGXCPU, and a second after it SIGKILL
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_NOFILE, limits.files);
  limit(RLIMIT_NPROC, limits.processes);
  return keeper;
}

}  // namespace ocs
