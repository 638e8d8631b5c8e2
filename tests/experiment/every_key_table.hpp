// The data of the test of every key: kinds of run, a value to try for each key, and where no value can matter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ocs::test {

/// A small experiment of each way to run: what it says besides `common_settings()`.
struct RunKind {
  std::string name;
  std::vector<std::string> settings;  ///< "key=value"
};

/// For GoogleTest.
inline std::ostream& operator<<(std::ostream& out, const RunKind& kind) { return out << kind.name; }

/// A value of a key that differs from what the experiments say of it.
struct Trial {
  std::string_view kinds;  ///< separated by blanks; "*": all that have no trial of their own for the key
  std::string_view key, value;
};

/// A key that is neither refused nor warned of although its trial changes nothing that is measured.
struct Silent {
  std::string_view kinds;  ///< as above
  std::string_view key;
  std::string_view why;
};

/// A key whose trial ends the run with an error.
struct Ending {
  std::string_view kinds;  ///< as above
  std::string_view key;
  std::string_view sentence;  ///< a part of it
};

std::vector<std::string> common_settings();
std::span<const RunKind> run_kinds();
std::span<const Trial> trials();
std::span<const Silent> silent_keys();
std::span<const Ending> endings();

/// Whether `kinds` names the kind, or is "*".
bool names_kind(std::string_view kinds, std::string_view kind);

}  // namespace ocs::test
