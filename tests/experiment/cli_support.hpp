// Starts the program lightloop as a user would, in a folder of its own for each test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/common/places.hpp"

namespace ocs::test {

using Json = nlohmann::json;

inline const std::string source = ocs::test::source_dir();
inline const std::string tiny = source + "/testbed/experiments/tiny.toml";
inline const std::string main_job = source + "/testbed/experiments/main.toml";

struct Outcome {
  int code;
  std::string out, err;
};

inline std::string read(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The program, running; killed if it still does at the end of the test.
class Child {
 public:
  /// @param out, err where its standard output and error go; -1: nowhere.
  Child(const std::string& folder, std::vector<std::string> arguments, int out = -1, int err = -1) {
    arguments.insert(arguments.begin(), ocs::test::built("lightloop"));
    std::vector<char*> raw;
    for (std::string& argument : arguments) raw.push_back(argument.data());
    raw.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    setpgid(0, 0);
    for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM})  // what `&` and nohup ignore
      ::signal(signal, SIG_DFL);
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(out < 0 ? nowhere : out, STDOUT_FILENO);
    dup2(err < 0 ? nowhere : err, STDERR_FILENO);
    if (chdir(folder.c_str()) == 0) execv(raw[0], raw.data());
    _exit(127);
  }
  ~Child() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t id() const { return pid_; }
  void send(int signal) const { kill(pid_, signal); }
  /// To the program and all that it has started, as a terminal does.
  void send_to_all(int signal) const { kill(-pid_, signal); }
  /// Its exit code, or minus the signal that ended it.
  int wait() {
    int status = 0;
    waitpid(std::exchange(pid_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_;
};

/// What a child writes. A program that prints more than `capacity` can't end before it is read.
class Pipe {
 public:
  explicit Pipe(int capacity = 4096) {
    EXPECT_EQ(pipe(ends_.data()), 0);
    EXPECT_GE(fcntl(ends_[1], F_SETPIPE_SZ, capacity), capacity);
    for (const int end : ends_) fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  ~Pipe() {
    close_writer();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) close(std::exchange(ends_[1], -1));
  }
  /// Reads until `word` is there, or to the end. @return everything read so far.
  const std::string& read_until(const std::string& word) {
    close_writer();
    std::array<char, 64> chunk{};
    while (text_.find(word) == std::string::npos) {
      const ssize_t got = ::read(ends_[0], chunk.data(), chunk.size());
      if (got <= 0) break;
      text_.append(chunk.data(), static_cast<std::size_t>(got));
    }
    return text_;
  }
  const std::string& read_all() { return read_until(std::string(1, '\0')); }

 private:
  std::array<int, 2> ends_{-1, -1};
  std::string text_;
};

/// A folder of its own for each test, in which the program is started.
class Cli : public ::testing::Test {
 protected:
  Cli() {
    std::string name = ::testing::TempDir() + "lightloop_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~Cli() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  /// `arguments` as one would type them in a shell.
  Outcome run(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + folder_ + "' && " + environment + " '" + ocs::test::built("lightloop") + "' " +
                                arguments + " >'" + path(".out") + "' 2>'" + path(".err") + "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path(".out")), read(path(".err"))};
  }

  Json rows(const std::string& arguments) const {
    const Outcome outcome = run("run " + arguments + " --json - --quiet");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out).at("rows");
  }

  /// The program must refuse: exit 2 and one sentence on standard error.
  std::string refused(const std::string& arguments, int code = 2) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.substr(0, 11), "lightloop: ");
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    return outcome.err.substr(std::min<std::size_t>(11, outcome.err.size()));
  }

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace ocs::test
