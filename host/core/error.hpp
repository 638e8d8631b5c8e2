// The one exception type: a sentence that names the thing, the value, and what would be right.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace ocs {

/// What went wrong decides the exit code.
enum class ErrorKind {
  input,     ///< the user's input is wrong: exit 2
  run,       ///< a run could not be executed: exit 1
  internal,  ///< a broken invariant of ours: exit 1, and a bug
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }
  int exit_code() const noexcept { return kind_ == ErrorKind::input ? 2 : 1; }

 private:
  ErrorKind kind_;
};

/// Refuses input. @throws Error (input).
[[noreturn]] inline void refuse(const std::string& sentence) { throw Error(ErrorKind::input, sentence); }

/// The same for input that comes from somewhere: a file, a key. @throws Error (input) that begins with it.
[[noreturn]] inline void refuse(const std::string& origin, const std::string& sentence) {
  refuse(origin + ": " + sentence);
}

}  // namespace ocs
