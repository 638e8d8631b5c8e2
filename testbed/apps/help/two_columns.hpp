// Names with their explanations in two columns, and items of lists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ocs {

/// Lines of at most 100 characters. The words of `text` start at column `indent`, below the name if it is longer.
/// @param name with its own indentation. @returns lines that each end with a newline.
std::string two_columns(std::string_view name, std::string_view text, std::size_t indent);

/// An item of a list in Markdown, in lines of at most 100 characters. No line begins with a lone sign, which could be
/// taken for a list's.
std::string list_item(std::string_view text);

}  // namespace ocs
