// A file on which one process at a time has a lock, until it ends in whatever way.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace ocs {

/// An open file, which flock() locks. The kernel lets go of the lock when the last process that has the file open
/// closes it or ends. On NFS it holds for all hosts.
class LockableFile {
 public:
  LockableFile() = default;
  /// Opens it as open() does. Where it can't be opened, is_open() is false and errno says why.
  LockableFile(const std::filesystem::path& file, int flags, mode_t mode = 0)
      : descriptor_(open(file.c_str(), flags | O_CLOEXEC, mode)) {}
  LockableFile(LockableFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  LockableFile& operator=(LockableFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~LockableFile() {
    if (is_open()) close(descriptor_);
  }

  bool is_open() const { return descriptor_ >= 0; }

  /// @returns false if another process has the lock
  bool try_lock() { return flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }

  /// Waits for the lock. @returns false if the file can't be locked, or a signal came: errno says which
  bool lock() { return flock(descriptor_, LOCK_EX) == 0; }

  /// Whether this name is still that of the open file: who had the lock before may have removed it.
  bool is_named(const std::filesystem::path& file) const {
    struct stat mine {
    }, there{};
    return fstat(descriptor_, &mine) == 0 && stat(file.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
           mine.st_ino == there.st_ino;
  }

 private:
  int descriptor_ = -1;
};

}  // namespace ocs
