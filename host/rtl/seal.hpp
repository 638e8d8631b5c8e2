// The end of an object's file: which sources it was made of, and a check sum over all of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ocs::rtl {

/// BLAKE2b over several pieces of text, as 32 hexadecimal digits. Pieces do not run into one another.
std::string hash_of(const std::vector<std::string>& pieces);

/// The whole file. @throws Error (run) if it can't be read.
std::string contents_of(const std::filesystem::path& file);

/// Appends the seal to a finished object. A loader ignores what follows an ELF file's own contents.
/// @param sources hash of what the object was made of. @throws Error (run) if the file can't be read or written.
void seal(const std::filesystem::path& object, const std::string& sources);

/// The hash of the sources that the object was made of; nothing if the file is missing, cut off, or changed.
std::optional<std::string> sealed_sources(const std::filesystem::path& object);

}  // namespace ocs::rtl
