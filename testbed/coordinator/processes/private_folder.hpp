// A folder for sockets that goes with its owner; one whose owner was killed goes when the next one is made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "host/files/lockable_file.hpp"
#include "host/files/scratch_folder.hpp"

namespace ocs {

/// A new folder in the folder for temporary files, in which only this user may do anything. It is locked while its
/// owner lives.
class PrivateFolder {
 public:
  PrivateFolder();  ///< @throws Error (run)
  const std::filesystem::path& path() const { return folder_->path(); }

 private:
  LockableFile lock_;                    // let go of behind the folder: a sweep never finds both
  std::optional<ScratchFolder> folder_;  // made anew until no sweep has taken it
};

/// Removes such folders of this user that dead processes have left in `parent`.
void sweep_private_folders(const std::filesystem::path& parent);

}  // namespace ocs
