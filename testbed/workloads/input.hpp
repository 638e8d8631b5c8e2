// What every reader of outside text needs: whole files with a limit, and wrong values shown in one readable sentence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ocs {

/// The file's bytes. `what` says what it is ("experiment file").
/// @throws Error (input) when it is missing, no file, unreadable, or larger than `max_bytes`.
std::string read_text_file(const std::filesystem::path& file, std::string_view what, std::size_t max_bytes);

/// `text` in quotes, fit for one line of a message: control and non-ASCII bytes replaced, cut after 60 characters.
std::string in_quotes(std::string_view text);

/// The known name most like `name` (edit distance, ties: the first), or "" if none is alike.
std::string nearest(std::string_view name, std::span<const std::string> known);

/// "a, b, c"
std::string joined(std::span<const std::string> names);

}  // namespace ocs
