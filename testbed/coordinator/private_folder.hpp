// A folder for sockets that goes with its owner; one whose owner was killed goes when the next one is made.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ocs {

/// A new folder in the folder for temporary files, in which only this user may do anything. It is locked while its
/// owner lives.
class PrivateFolder {
 public:
  PrivateFolder();  ///< @throws Error (run)
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

/// Removes such folders of this user that dead processes have left in `parent`.
void sweep_private_folders(const std::filesystem::path& parent);

}  // namespace ocs
