// What a case is doing, for the sentence about one that had to be ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ocs::regress {

/// Memory that a process shares with those that it makes: what one of them has noted last is there after its end,
/// whatever ended it. Without memory nothing is kept.
class CaseNote {
 public:
  /// An access to a device that was begun.
  struct Access {
    enum class Kind : std::uint8_t { none, read, write, advance } kind = Kind::none;
    std::int64_t value = 0;  ///< the address in the window; advance: to this cycle
  };

  CaseNote();
  ~CaseNote();
  CaseNote(const CaseNote&) = delete;
  CaseNote& operator=(const CaseNote&) = delete;

  /// What is done from now on, of which nothing is accessed yet. @param text its first 255 bytes stay.
  void say(std::string_view text);
  /// Takes no time to speak of: a program makes thousands.
  void begins(Access access);
  /// "model, warped: program "a", in a write of COMMIT"; empty: nothing was noted.
  std::string text() const;

 private:
  struct Shared;
  Shared* shared_;
};

}  // namespace ocs::regress
