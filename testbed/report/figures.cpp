// Gives what a report knows to a Python process, as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/report/figures.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/report/page.hpp"
#include "testbed/report/report_data.hpp"

namespace ocs {
namespace {

using Json = nlohmann::json;

/// A process whose standard input and output are one socket.
class Python {
 public:
  explicit Python(const std::vector<std::string>& arguments) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw Error(ErrorKind::run, std::string("no connection to another process can be made: ") + std::strerror(errno));
    socket_ = ends[0];
    std::vector<char*> words;
    words.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO}) posix_spawn_file_actions_adddup2(&files, ends[1], file);
    const int failed = posix_spawnp(&id_, words.front(), &files, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (failed == 0) return;
    close(socket_);
    throw Error(
        ErrorKind::input,
        std::string("--figures needs python3 with matplotlib, but python3 can't be started: ") + std::strerror(failed));
  }
  ~Python() {
    close(socket_);
    if (id_ > 0) waitpid(id_, nullptr, 0);
  }
  Python(const Python&) = delete;
  Python& operator=(const Python&) = delete;

  /// It reads all of it before it answers, or has ended.
  void say(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) break;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    shutdown(socket_, SHUT_WR);
  }
  std::string answer() {
    std::string text;
    std::array<char, 4096> piece{};
    for (;;) {
      const ssize_t size = recv(socket_, piece.data(), piece.size(), 0);
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return text;
      text.append(piece.data(), static_cast<std::size_t>(size));
    }
  }
  /// Its exit code; negative: a signal ended it.
  int end() {
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int socket_ = -1;
  pid_t id_ = -1;
};

}  // namespace

Figures draw_figures(const FigureRequest& request) {
  ReportData data = report_data(request.database, request.rows);
  // -P: no file of the current folder is taken for a module.
  Python python({"python3", "-P", "-c", std::string(figure_script()), request.folder, request.format});
  python.say(data.json.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string answer = python.answer();
  const int code = python.end();
  if (!answer.empty() && answer.back() == '\n') answer.pop_back();
  if (code == 2 && !answer.empty()) throw Error(ErrorKind::input, "--figures: " + answer);
  const Json said = Json::parse(answer, nullptr, false);
  if (code != 0 || said.is_discarded())
    throw Error(ErrorKind::run, "--figures: python3 failed; what it said stands above");
  return {.written = said.at("written"), .left_out = said.at("left_out"), .warnings = std::move(data.warnings)};
}

}  // namespace ocs
