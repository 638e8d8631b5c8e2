// A database as it is now, also while a process on another host writes to it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "host/files/scratch_folder.hpp"

namespace ocs {

/// SQLite keeps the last transactions of a database in FILE-wal, and the index of that file in memory that the
/// processes of one host share. A database that has such a file is therefore copied together with it, to a temporary
/// folder that is removed at the end. A database without it is whole, and is read where it is, unless a copy is asked
/// for.
class DatabaseSnapshot {
 public:
  /// @throws Error (input): it does not exist or can't be copied. Error (run): it was written to each time.
  explicit DatabaseSnapshot(const std::string& file, bool always_copied = false);

  const std::string& readable() const { return readable_; }  ///< the file to open
  bool copied() const { return folder_.has_value(); }
  /// A sentence of an error, which names the file instead of its copy.
  std::string original_names(std::string sentence) const;

 private:
  bool copy();

  std::string file_, readable_;
  std::optional<ScratchFolder> folder_;  ///< of the copy; none: there is no copy
};

}  // namespace ocs
