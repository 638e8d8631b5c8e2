// A new folder among the temporary files, which is removed with its owner.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "host/core/error.hpp"

namespace ocs {

/// Only this user may do anything in it. It is removed with all that is in it.
class ScratchFolder {
 public:
  /// @param prefix of its name, which has six more letters. @param what it is for, in the sentence of an error: "a folder
  /// for sockets". @throws Error (run)
  ScratchFolder(const std::string& prefix, const std::string& what) {
    std::error_code none;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(none);
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (none || mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::run, what + " can't be made " +
                                      (none ? "among the temporary files: " + none.message()
                                            : "in \"" + parent.string() + "\": " + std::strerror(errno)) +
                                      "; TMPDIR names another place");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace ocs
