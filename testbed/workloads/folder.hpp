// The names in a folder. std::filesystem::directory_iterator ends the program where memory is short: what it calls is
// noexcept, and allocates.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dirent.h>

#include <cerrno>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace ocs {

/// Without "." and "..", in no order. @throws std::system_error if it can't be read
inline std::vector<std::string> names_in_folder(const std::string& folder) {
  struct Close {
    void operator()(DIR* open) const { closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(opendir(folder.c_str()));
  if (!open) throw std::system_error(errno, std::generic_category());
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(open.get());
    if (entry == nullptr && errno != 0) throw std::system_error(errno, std::generic_category());
    if (entry == nullptr) return names;
    if (const std::string name = static_cast<const char*>(entry->d_name); name != "." && name != "..")
      names.push_back(name);
  }
}

}  // namespace ocs
