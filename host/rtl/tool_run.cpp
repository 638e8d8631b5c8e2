// Children are started with posix_spawn and waited for one by one; nothing here has threads.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/tool_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include <sys/pidfd.h>  // of glibc 2.36, which leaves the linkage of C out
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>

#include "host/core/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): unistd.h has it as an extension only

namespace ocs::rtl {
namespace {

constexpr std::size_t shown_lines = 15;
constexpr int command_not_found = 127;

volatile std::sig_atomic_t signal_seen = 0;  // a handler reaches nothing else

/// Notes signals that would end the program while tools run; afterwards the program gets them as it always does.
class HeldSignals {
 public:
  HeldSignals() {
    signal_seen = 0;
    struct sigaction action {};
    action.sa_handler = [](int signal) { signal_seen = signal; };
    sigemptyset(&action.sa_mask);
    for (std::size_t k = 0; k < signals.size(); ++k) {
      sigaction(signals.at(k), nullptr, &before_.at(k));
      if (before_.at(k).sa_handler != SIG_IGN) sigaction(signals.at(k), &action, nullptr);
    }
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() {
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals.at(k), &before_.at(k), nullptr);
  }

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

/// What a child does with its files and signals before it becomes the tool, which leads a process group of its own.
class SpawnSetup {
 public:
  SpawnSetup(const char* output, const char* folder) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    constexpr mode_t mode = 0644;
    if (output != nullptr)
      posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, mode);
    if (output != nullptr) posix_spawn_file_actions_adddup2(&files_, STDOUT_FILENO, STDERR_FILENO);
    if (folder != nullptr) posix_spawn_file_actions_addchdir_np(&files_, folder);
    posix_spawnattr_init(&attributes_);
    sigset_t all{};
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  posix_spawn_file_actions_t& files() { return files_; }

  /// @return errno's number, 0 if the tool has started.
  int start(const std::vector<std::string>& command, pid_t& pid) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    return posix_spawnp(&pid, arguments.front(), &files_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

std::string last_lines(const std::filesystem::path& log) {
  std::deque<std::string> lines;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
    if (lines.size() > shown_lines) lines.pop_front();
  }
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

/// A tool on a full disk may have no place even for its error message.
std::string space_left(const std::filesystem::path& folder) {
  constexpr std::uintmax_t enough = 16'000'000;  // bytes that a build of a large switch takes at most
  std::error_code failure;
  const std::uintmax_t left = std::filesystem::space(folder, failure).available;
  if (failure || left >= enough) return {};
  return "only " + std::to_string(left / 1000) + " kB are left on the disk of \"" + folder.parent_path().string() +
         "\" (XDG_CACHE_HOME names another place); ";
}

[[noreturn]] void not_started(const ToolCall& call, int error) {
  throw Error(ErrorKind::run, "\"" + call.command.front() + "\" can't be started: " + std::strerror(error));
}

void require_success(const ToolCall& call, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == command_not_found) not_started(call, ENOENT);
  const std::string end = WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                                              : "failed with exit code " + std::to_string(WEXITSTATUS(status));
  throw Error(ErrorKind::run, "\"" + call.command.front() + "\" " + end + "; " + space_left(call.folder) +
                                  "its last lines:" + last_lines(call.log));
}

/// Tools that run. Those that are left when it goes are ended, with all that they started: a compiler's driver leaves
/// the compiler itself behind.
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (const Running& tool : running_) kill(-tool.pid, SIGTERM);
    for (const Running& tool : running_) reap(tool);
  }
  std::size_t size() const { return running_.size(); }

  void start(const ToolCall& call) {
    Running tool{&call, 0, -1};
    SpawnSetup setup(call.log.c_str(), call.folder.c_str());
    if (const int error = setup.start(call.command, tool.pid); error != 0) not_started(call, error);
    tool.end = pidfd_open(tool.pid, 0);
    running_.push_back(tool);
  }

  /// @throws Error (run) if that one failed, or a signal came.
  void wait_for_one() {
    std::vector<pollfd> ends;
    ends.reserve(running_.size());
    for (const Running& tool : running_) ends.push_back({tool.end, POLLIN, 0});
    const int ready = poll(ends.data(), ends.size(), -1);
    if (signal_seen != 0) throw Error(ErrorKind::run, "interrupted");
    if (ready <= 0) return;
    const auto first = std::ranges::find_if(ends, [](const pollfd& end) { return end.revents != 0; });
    const auto place = running_.begin() + (first - ends.begin());
    const Running ended = *place;
    running_.erase(place);
    require_success(*ended.call, reap(ended));
  }

 private:
  struct Running {
    const ToolCall* call;
    pid_t pid;
    int end;  ///< readable once the tool has ended
  };

  static int reap(const Running& tool) {
    int status = 0;
    while (waitpid(tool.pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(tool.end);
    return status;
  }

  std::vector<Running> running_;
};

void run_all(const std::vector<ToolCall>& calls, unsigned jobs) {
  Pool pool;
  for (const ToolCall& call : calls) {
    while (pool.size() >= std::max(jobs, 1U)) pool.wait_for_one();
    pool.start(call);
  }
  while (pool.size() > 0) pool.wait_for_one();
}

}  // namespace

void run_tools(const std::vector<ToolCall>& calls, unsigned jobs) {
  const HeldSignals held;
  try {
    run_all(calls, jobs);
  } catch (const Error& failure) {
    if (signal_seen != 0) throw ToolsInterrupted(signal_seen);
    throw;
  }
}

std::string output_of(const std::vector<std::string>& command) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0)
    throw Error(ErrorKind::run, std::string("no pipe can be made: ") + std::strerror(errno));
  SpawnSetup setup(nullptr, nullptr);
  posix_spawn_file_actions_adddup2(&setup.files(), pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&setup.files(), STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int error = setup.start(command, pid);
  close(pipe_ends[1]);
  std::string text;
  std::array<char, 4096> chunk{};
  for (ssize_t got = 0; error == 0 && (got = read(pipe_ends[0], chunk.data(), chunk.size())) != 0;) {
    if (got > 0) text.append(chunk.data(), static_cast<std::size_t>(got));
    if (got < 0 && errno != EINTR) break;
  }
  close(pipe_ends[0]);
  int status = 0;
  while (error == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return error == 0 && status == 0 ? text : "";
}

}  // namespace ocs::rtl
