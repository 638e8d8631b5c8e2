// Locks are flock()'s: the kernel lets go of them however a process ends.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/private_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "host/core/error.hpp"

namespace ocs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "lightloop-", random_part = "XXXXXX";
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
    const int lock = open((folder / name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (lock < 0) continue;
    std::error_code ignored;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(folder, ignored);
    close(lock);
    return;
  }
  rmdir(folder.c_str());  // if it is empty
}

/// The lock of this folder, held; nothing: it was swept. @throws Error (run)
std::optional<int> lock_in(const fs::path& folder) {
  const fs::path early = folder / early_name;
  const int lock = open(early.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX) == 0 && rename(early.c_str(), (folder / lock_name).c_str()) == 0) return lock;
  const int cause = errno;
  if (lock >= 0) close(lock);
  if (cause == ENOENT) return std::nullopt;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  throw Error(ErrorKind::run,
              "no file can be made in \"" + folder.string() + "\" for the nodes' sockets: " + std::strerror(cause));
}

}  // namespace

void sweep_private_folders(const fs::path& parent) {
  std::error_code ignored;
  for (fs::directory_iterator at(parent, ignored), end; at != end; at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(prefix) && name.size() == prefix.size() + random_part.size() && of_this_user(at->path()))
      sweep(at->path());
  }
}

PrivateFolder::PrivateFolder() {
  const fs::path parent = fs::temp_directory_path();
  sweep_private_folders(parent);
  for (int tries = 0; lock_ < 0; ++tries) {
    std::string name = (parent / (std::string(prefix) + std::string(random_part))).string();
    if (tries == most_tries || mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::run, "a folder for the nodes' sockets can't be made in \"" + parent.string() +
                                      "\": " + std::strerror(errno) + "; TMPDIR names another place");
    path_ = name;
    lock_ = lock_in(path_).value_or(-1);
  }
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace ocs
