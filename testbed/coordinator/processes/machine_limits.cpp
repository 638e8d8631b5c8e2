// Counts open files; starts threads and ends them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/processes/machine_limits.hpp"

#include <dirent.h>
#include <sys/resource.h>

#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "host/core/error.hpp"

namespace ocs {
namespace {

std::size_t open_files() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"), closedir);
  std::size_t count = 0;
  while (folder && readdir(folder.get()) != nullptr) ++count;
  return count;
}

}  // namespace

void require_files(std::size_t more, const std::string& what) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const std::size_t open = open_files();
  if (open + more > limit.rlim_cur)
    throw Error(ErrorKind::run, what + " need " + std::to_string(more) + " open files more than the " +
                                    std::to_string(open) + " that are open, but the limit is " +
                                    std::to_string(limit.rlim_cur) + "; `ulimit -n` raises it");
}

void require_threads(std::size_t more, const std::string& what) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  std::promise<void> counted;
  const std::shared_future<void> end = counted.get_future().share();
  std::vector<std::thread> threads;
  bool enough = true;
  try {
    while (threads.size() < more) threads.emplace_back([end] { end.wait(); });
  } catch (const std::system_error&) {
    enough = false;
  }
  const std::size_t got = threads.size();
  counted.set_value();
  for (std::thread& thread : threads) thread.join();
  if (!enough)
    throw Error(ErrorKind::run, what + " need " + std::to_string(more) + " threads, but only " + std::to_string(got) +
                                    " can be started; `ulimit -u` raises the limit");
}

}  // namespace ocs
