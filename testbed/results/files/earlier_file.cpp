// Looks for a free name.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/files/earlier_file.hpp"

#include <string>
#include <system_error>

#include "host/core/error.hpp"

namespace ocs {

std::filesystem::path keep_earlier(const std::filesystem::path& file) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure) || std::filesystem::file_size(file, failure) == 0) return {};
  for (int k = 1;; ++k) {
    std::filesystem::path free = file;
    free += "." + std::to_string(k);
    if (std::filesystem::exists(std::filesystem::symlink_status(free, failure))) continue;
    std::filesystem::rename(file, free, failure);
    if (failure)
      throw Error(ErrorKind::input, "\"" + file.string() + "\" holds earlier results and can't be renamed to \"" +
                                        free.string() + "\": " + failure.message());
    return free;
  }
}

}  // namespace ocs
