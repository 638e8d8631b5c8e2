// Waits a moment for the process that has the lock.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/cluster/file_lock.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host/core/error.hpp"

namespace ocs {

FileLock::FileLock(const std::filesystem::path& file, const std::string& taken) : file_(file, O_RDWR | O_CREAT, 0644) {
  if (!file_.is_open()) refuse("\"" + file.string() + "\" can't be made: " + std::strerror(errno));
  constexpr int tries = 100, step_us = 10'000;  // what a holder that was killed has started ends a little later
  for (int k = 0; !file_.try_lock(); ++k) {
    if (k == tries) refuse(taken);
    usleep(step_us);
  }
}

}  // namespace ocs
