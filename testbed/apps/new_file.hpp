// A file that a command makes; what is there stays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace ocs {

/// A file that is new, or standard output.
class NewFile {
 public:
  /// @param name "-": standard output. @param what "the plan". @throws Error (input): it is there, or can't be made
  NewFile(std::string name, std::string what);

  /// @throws Error (run): not all of it is written
  void write(const std::string& text);

 private:
  std::string name_, what_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
};

}  // namespace ocs
