// flock() on a file beside the work.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/cluster/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host/core/error.hpp"

namespace ocs {

FileLock::FileLock(const std::filesystem::path& file, const std::string& taken)
    : file_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (file_ < 0) refuse("\"" + file.string() + "\" can't be made: " + std::strerror(errno));
  constexpr int tries = 100, step_us = 10'000;  // what a holder that was killed has started ends a little later
  for (int k = 0; flock(file_, LOCK_EX | LOCK_NB) != 0; ++k) {
    if (k == tries) {
      close(file_);
      refuse(taken);
    }
    usleep(step_us);
  }
}

FileLock::~FileLock() { close(file_); }

}  // namespace ocs
