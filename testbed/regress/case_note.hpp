// What a case is doing, for the sentence about one that had to be ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace ocs::regress {

/// Memory that a process shares with those that it makes: what one of them has said last is there after its end,
/// whatever ended it. Without memory nothing is kept.
class CaseNote {
 public:
  CaseNote() : text_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
  ~CaseNote() {
    if (text_ != MAP_FAILED) munmap(text_, size);
  }
  CaseNote(const CaseNote&) = delete;
  CaseNote& operator=(const CaseNote&) = delete;

  /// @param text its first 255 bytes stay.
  void say(std::string_view text) {
    if (text_ == MAP_FAILED) return;
    char* const end = std::copy_n(text.data(), std::min(text.size(), size - 1), static_cast<char*>(text_));
    *end = '\0';
  }
  std::string text() const {
    if (text_ == MAP_FAILED) return "";
    const std::string_view all(static_cast<const char*>(text_), size);
    return std::string(all.substr(0, all.find('\0')));
  }

 private:
  static constexpr std::size_t size = 256;
  void* text_;
};

}  // namespace ocs::regress
