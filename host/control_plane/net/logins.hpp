// Who may log in, from a file: names, roles, and passwords as Argon2id hashes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "host/control_plane/server_context.hpp"

namespace ocs::serve {

struct Login {
  Role role = Role::nobody;
  std::string hash{};  ///< as hash_password() makes it
};
using Logins = std::map<std::string, Login, std::less<>>;

/// A table [users.NAME] for each, with role = "read" or "operate" and password = "$argon2id$...".
/// @param origin for messages. @throws Error (input) that names the file, the user and what would be right.
Logins parse_logins(std::string_view text, const std::string& origin);
/// @throws also Error (input): the file can't be read, or is larger than 1 MiB.
Logins read_logins(const std::filesystem::path& file);

/// libsodium hashes with its costs for interactive use: 64 MiB, some tens of milliseconds. @throws Error (run).
std::string hash_password(const std::string& password);
/// nobody: wrong. Takes as long for users that there aren't.
Role judge(const Logins& logins, const std::string& user, const std::string& password);

}  // namespace ocs::serve
