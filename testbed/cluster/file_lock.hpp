// One process at a time has a file or a folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "host/files/lockable_file.hpp"

namespace ocs {

/// A lock on a file of its own, which is made and stays. It ends with the process, and with the processes that inherit
/// it. On NFS it holds for all hosts.
class FileLock {
 public:
  /// Waits a second for a holder that is ending. @param taken sentence of the error if another process has it.
  /// @throws Error (input): another process has it, or the file can't be made.
  FileLock(const std::filesystem::path& file, const std::string& taken);

 private:
  LockableFile file_;
};

}  // namespace ocs
