// A file of results is written anew; what it held is kept beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ocs {

/// Renames what is there, if it holds anything, to the first free FILE.1, FILE.2, ... @return the new name; empty:
/// there was nothing. @throws Error (input) if it can't be renamed.
std::filesystem::path keep_earlier(const std::filesystem::path& file);

}  // namespace ocs
