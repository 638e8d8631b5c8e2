// Ctrl-C: what is finished is kept, and the program ends by itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <stdexcept>
#include <string>

namespace ocs {

/// The user wants the program to end. No Error: nothing is wrong.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(int signal, const std::string& sentence) : std::runtime_error(sentence), signal_(signal) {}
  int exit_code() const noexcept { return 128 + signal_; }  ///< as a shell says it: 130 after Ctrl-C
  int signal() const noexcept { return signal_; }

 private:
  int signal_;
};

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted; a second one ends the program at once. A signal that was
/// ignored before (SIGHUP under nohup) stays so. Only one at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  int noted() const;   ///< the signal that came, or 0
  void check() const;  ///< @throws Interrupted if one came

 private:
  struct sigaction before_int_ {
  }, before_term_{}, before_hang_up_{};
};

}  // namespace ocs
