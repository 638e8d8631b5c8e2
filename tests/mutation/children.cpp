// One process a mutant, so many at once.
// SPDX-License-Identifier: Apache-2.0
#include "tests/mutation/children.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

namespace ocs::conformance {
namespace {

/// The last line that the process prints says what noticed the mutant.
pid_t begin(int mutant, const std::string& log, unsigned seconds, const Killer& killer) {
  const pid_t child = fork();
  if (child != 0) return child;
  const rlimit limit{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &limit);
  if (std::freopen(log.c_str(), "w", stdout) == nullptr) _exit(2);
  std::string why;
  const std::string by = killer(mutant, why);
  std::cout << why << "\n" << by << std::endl;
  _exit(by.empty() ? 0 : 1);
}

std::string last_line(const std::string& path) {
  std::ifstream in(path);
  std::string line, last, check;
  while (std::getline(in, line)) {
    if (const auto at = line.find("own_"); at != std::string::npos && check.empty()) {
      check = line.substr(at, line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", at) - at);
    }
    if (!line.empty()) last = line;
  }
  return check.empty() ? last : last + " (check " + check + ")";
}

/// @param status of a process that has ended
std::string killer_of(int status, const std::string& log) {
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? "it takes ten times as long" : "it crashes";
  return WEXITSTATUS(status) != 0 ? last_line(log) : "";
}

}  // namespace

void judge_each(const std::vector<int>& mutants, std::size_t jobs, const std::string& folder, unsigned seconds,
                const Killer& killer) {
  using Clock = std::chrono::steady_clock;
  std::map<pid_t, std::pair<int, Clock::time_point>> running;
  for (std::size_t next = 0; next < mutants.size() || !running.empty();) {
    if (next < mutants.size() && running.size() < jobs) {
      const int mutant = mutants[next++];
      running[begin(mutant, folder + "/" + std::to_string(mutant) + ".log", seconds, killer)] = {mutant, Clock::now()};
      continue;
    }
    int status = 0;
    const auto found = running.find(wait(&status));
    const auto [mutant, start] = found->second;
    running.erase(found);
    const std::string by = killer_of(status, folder + "/" + std::to_string(mutant) + ".log");
    std::cout << mutant << " " << std::chrono::duration<double>(Clock::now() - start).count() << " " << by << std::endl;
  }
}

}  // namespace ocs::conformance
