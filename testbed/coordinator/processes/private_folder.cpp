// Folders whose lock is free belong to nobody: the kernel lets go of locks however a process ends.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/processes/private_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "host/core/error.hpp"

namespace ocs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "lightloop-";
constexpr std::size_t random_letters = 6;  // of a ScratchFolder
constexpr const char* lock_name = "lock";
constexpr const char* early_name = "new";  // of the lock, until it is held: else a sweep could find it free
constexpr int most_tries = 100;

bool of_this_user(const fs::path& folder) {
  struct stat state {};
  return lstat(folder.c_str(), &state) == 0 && S_ISDIR(state.st_mode) && state.st_uid == geteuid();
}

/// Removes a folder whose owner has died at whatever moment. An owner that lives and hasn't come to its lock yet finds
/// the folder gone, and makes another one.
void sweep(const fs::path& folder) {
  for (const char* name : {lock_name, early_name}) {
    LockableFile lock(folder / name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!lock.is_open()) continue;
    std::error_code ignored;
    if (lock.try_lock()) fs::remove_all(folder, ignored);
    return;
  }
  rmdir(folder.c_str());  // if it is empty
}

/// The lock of this folder, held; not open: the folder was swept. @throws Error (run)
LockableFile lock_in(const fs::path& folder) {
  const fs::path early = folder / early_name;
  LockableFile lock(early, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (lock.is_open() && lock.lock() && rename(early.c_str(), (folder / lock_name).c_str()) == 0) return lock;
  const int cause = errno;
  if (cause == ENOENT) return {};
  throw Error(ErrorKind::run,
              "no file can be made in \"" + folder.string() + "\" for the nodes' sockets: " + std::strerror(cause));
}

}  // namespace

void sweep_private_folders(const fs::path& parent) {
  std::error_code ignored;
  for (fs::directory_iterator at(parent, ignored), end; at != end; at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(prefix) && name.size() == prefix.size() + random_letters && of_this_user(at->path()))
      sweep(at->path());
  }
}

PrivateFolder::PrivateFolder() {
  std::error_code none;
  sweep_private_folders(fs::temp_directory_path(none));
  for (int tries = 0; !lock_.is_open(); ++tries) {
    if (tries == most_tries) throw Error(ErrorKind::run, "each new folder for the nodes' sockets is removed at once");
    folder_.emplace(std::string(prefix), "a folder for the nodes' sockets");
    lock_ = lock_in(folder_->path());
  }
}

}  // namespace ocs
