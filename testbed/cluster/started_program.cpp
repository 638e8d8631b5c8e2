// Starts a program with fork and exec, and waits for its end.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/cluster/started_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

[[noreturn]] void become(const std::vector<char*>& arguments, const std::filesystem::path& folder,
                         const std::filesystem::path& out, const std::filesystem::path& err, int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int to_out = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const int to_err = out == err ? to_out : open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(to_out, STDOUT_FILENO) >= 0 && dup2(to_err, STDERR_FILENO) >= 0 &&
      chdir(folder.c_str()) == 0)
    execvp(arguments.front(), arguments.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t written = write(report, &why, sizeof why);
  _exit(EXIT_FAILURE);
}

}  // namespace

std::string ProgramEnd::how() const {
  if (signal != 0) return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "ended with exit code " + std::to_string(exit_code);
}

ProgramEnd end_of_program(int status) {
  if (WIFSIGNALED(status)) return {.exit_code = 0, .signal = WTERMSIG(status)};
  return {.exit_code = WEXITSTATUS(status), .signal = 0};
}

ProgramEnd run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                       const std::filesystem::path& out, const std::filesystem::path& err) {
  std::vector<std::string> texts = command;
  std::vector<char*> arguments;
  arguments.reserve(texts.size() + 1);
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ErrorKind::run, std::string("no pipe can be made: ") + std::strerror(errno));
  const pid_t id = fork();
  if (id == 0) become(arguments, folder, out, err, ends[1]);
  close(ends[1]);
  int why = id < 0 ? errno : 0;
  if (id >= 0 && read(ends[0], &why, sizeof why) < 0) why = errno;
  close(ends[0]);
  int status = 0;
  while (id >= 0 && waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
  if (why != 0) refuse("program " + in_quotes(command.front()) + " can't be started: " + std::strerror(why));
  return end_of_program(status);
}

std::string end_of_file(const std::filesystem::path& file) {
  constexpr std::streamoff most = 1 << 16;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - most));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace ocs
