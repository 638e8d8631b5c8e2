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
#include <string>

#include "host/core/error.hpp"

namespace ocs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "lightloop-", random_part = "XXXXXX", lock_name = "lock";

/// Whether nobody holds the lock in a folder of this user. A folder without one isn't ready yet, or is another thing.
bool is_left_behind(const fs::path& folder) {
  struct stat state {};
  if (lstat(folder.c_str(), &state) != 0 || !S_ISDIR(state.st_mode) || state.st_uid != geteuid()) return false;
  const int lock = open((folder / lock_name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (lock < 0) return false;
  const bool left = flock(lock, LOCK_EX | LOCK_NB) == 0;
  close(lock);
  return left;
}

}  // namespace

void sweep_private_folders(const fs::path& parent) {
  std::error_code ignored;
  for (fs::directory_iterator at(parent, ignored), end; at != end; at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(prefix) && name.size() == prefix.size() + random_part.size() && is_left_behind(at->path()))
      fs::remove_all(at->path(), ignored);
  }
}

PrivateFolder::PrivateFolder() {
  const fs::path parent = fs::temp_directory_path();
  sweep_private_folders(parent);
  std::string name = (parent / (std::string(prefix) + std::string(random_part))).string();
  if (mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::run, "a folder for the nodes' sockets can't be made in \"" + parent.string() +
                                    "\": " + std::strerror(errno) + "; TMPDIR names another place");
  path_ = name;
  // The lock gets its name once it is held: a sweep never finds it free while its owner lives.
  const fs::path early = path_ / "new";
  lock_ = open(early.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (lock_ < 0 || flock(lock_, LOCK_EX) != 0 || rename(early.c_str(), (path_ / lock_name).c_str()) != 0) {
    const int cause = errno;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    throw Error(ErrorKind::run,
                "no file can be made in \"" + path_.string() + "\" for the nodes' sockets: " + std::strerror(cause));
  }
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace ocs
