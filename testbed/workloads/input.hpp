// What every reader of outside text needs: whole files with a limit, and wrong values shown in one readable sentence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ocs {

/// The file's bytes. `what` says what it is ("experiment file").
/// @throws Error (input) when it is missing, no file, unreadable, or larger than `max_bytes`; or a named pipe that
/// gives nothing for 10 s.
std::string read_text_file(const std::filesystem::path& file, std::string_view what, std::size_t max_bytes);

/// `text` in quotes, fit for one line of a message: control and non-ASCII bytes replaced, cut after 60 characters.
std::string in_quotes(std::string_view text);

/// The known name most like `name` (edit distance, ties: the first), or "" if none is alike.
std::string nearest(std::string_view name, std::span<const std::string> known);

/// What an experiment names: files of one folder, or any file by path.
struct Library {
  std::string_view kind;    ///< "workload", for messages
  std::string_view plural;  ///< "workloads"
  std::string_view ending;  ///< of the folder's files, ".csv"
  std::string_view path;    ///< how a file is named by path, "file:PATH"
  std::string_view except;  ///< a file of the folder with that ending that is something else; empty: none
};

/// Names of the folder's files, ascending. @throws Error (input) when it can't be read.
std::vector<std::string> names_in(const Library& library, const std::filesystem::path& folder);

/// The folder's file called `name`; "file:PATH" is relative to `base`, and the folder need not be there.
/// @throws Error (input) that names the known ones, and the one that is most alike.
std::filesystem::path file_named(std::string_view name, const Library& library, const std::filesystem::path& folder,
                                 const std::filesystem::path& base);

/// "a, b, c"
std::string joined(std::span<const std::string> names);

}  // namespace ocs
