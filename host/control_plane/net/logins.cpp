// The logins file, by toml++; hashes, by libsodium.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/logins.hpp"

#include <sodium.h>

#include <fstream>
#include <iterator>
#include <optional>

#include "host/core/error.hpp"
#include "host/toml/toml.hpp"

namespace ocs::serve {
namespace {

constexpr std::size_t longest_file = std::size_t{1} << 20;

[[noreturn]] void wrong(const std::string& origin, const std::string& sentence) {
  throw Error(ErrorKind::input, origin + ": " + sentence);
}

bool printable(std::string_view text) {
  for (const char letter : text)
    if (letter <= ' ' || letter > '~' || letter == ':' || letter == ';' || letter == '"') return false;
  return !text.empty() && text.size() <= 64;
}

Login login_of(const toml::table& table, const std::string& who) {
  for (const auto& [key, value] : table)
    if (key != "role" && key != "password")
      wrong(who, "unknown key \"" + std::string(key.str()) + "\"; known: role, password");
  const std::string role = table["role"].value_or(std::string());
  if (role != "read" && role != "operate") wrong(who, "role must be \"read\" or \"operate\"");
  const std::string hash = table["password"].value_or(std::string());
  if (!hash.starts_with("$argon2id$") || hash.size() >= crypto_pwhash_STRBYTES)
    wrong(who, "password must be what `lightloop serve --hash-password` prints");
  return {.role = role == "read" ? Role::read : Role::operate, .hash = hash};
}

void start_sodium() {
  if (sodium_init() < 0) throw Error(ErrorKind::run, "libsodium can't be started");
}

}  // namespace

Logins parse_logins(std::string_view text, const std::string& origin) {
  Logins logins;
  try {
    const toml::table table = parse_toml(text, origin);
    for (const auto& [key, value] : table)
      if (key != "users")
        wrong(origin, "unknown key \"" + std::string(key.str()) + "\"; there are tables [users.NAME]");
    const toml::table* users = table["users"].as_table();
    if (users == nullptr || users->empty()) wrong(origin, "must have a table [users.NAME] for each user");
    for (const auto& [name, value] : *users) {
      const std::string user(name.str());
      if (!printable(user))
        wrong(origin, "a user's name has 1 to 64 printable characters, no blank and none of : ; \"");
      if (!value.is_table()) wrong(origin, "users." + user + " must be a table");
      logins[user] = login_of(*value.as_table(), std::string(origin).append(": users.").append(user));
    }
  } catch (const toml::parse_error& failure) {
    throw Error(ErrorKind::input, std::string(origin) + ":" + std::to_string(failure.source().begin.line) +
                                      ": this is not valid TOML: " + std::string(failure.description()));
  }
  return logins;
}

Logins read_logins(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw Error(ErrorKind::input, "logins \"" + file.string() + "\" can't be read");
  std::string text(longest_file + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > longest_file)
    throw Error(ErrorKind::input, "logins \"" + file.string() + "\" is larger than 1 MiB");
  return parse_logins(text, file.string());
}

std::string hash_password(const std::string& password) {
  start_sodium();
  std::string hash(crypto_pwhash_STRBYTES, '\0');
  if (crypto_pwhash_str(hash.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                        crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0)
    throw Error(ErrorKind::run, "out of memory: hashing a password takes 64 MiB");
  hash.resize(hash.find('\0'));
  return hash;
}

Role judge(const Logins& logins, const std::string& user, const std::string& password) {
  start_sodium();
  const auto found = logins.find(user);
  const std::string& hash = found == logins.end() ? logins.begin()->second.hash : found->second.hash;
  std::string padded = hash;
  padded.resize(crypto_pwhash_STRBYTES, '\0');
  const bool right = crypto_pwhash_str_verify(padded.data(), password.data(), password.size()) == 0;
  return right && found != logins.end() ? found->second.role : Role::nobody;
}

}  // namespace ocs::serve
