// TOML, read by toml++. All readers of TOML come through here: the parser recurses once a level, so depth is bounded
// before it. A reader links tomlplusplus::tomlplusplus.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ocs {

inline constexpr std::size_t deepest_toml = 64;  ///< parts of a key, and brackets around it

/// Follows keys and brackets through a text that may be anything. It agrees with the parser up to the first mistake,
/// and beyond that nothing is parsed.
class TomlDepth {
 public:
  /// @return the line, from 1, where keys and brackets nest too deep; nothing: nowhere.
  static std::optional<std::uint32_t> too_deep(std::string_view text) {
    TomlDepth depth(text);
    while (depth.at_ < text.size()) {
      depth.take();
      if (depth.around_ + depth.dots_ > deepest_toml) return depth.line_;
    }
    return std::nullopt;
  }

 private:
  explicit TomlDepth(std::string_view text) : text_(text) {}

  void take() {
    switch (const char c = text_[at_]; c) {
      case '#':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      case '"':
      case '\'':
        return skip_string(c);
      case '.':
        ++dots_;
        break;
      case '[':
      case '{':
        brackets_.push_back(dots_);
        around_ += dots_ + 1;
        dots_ = 0;
        break;
      case ']':
      case '}':
        leave_bracket();
        break;
      case ',':
        dots_ = 0;
        break;
      case '\n':
        ++line_;
        if (brackets_.empty()) dots_ = 0;
        break;
      default:
        break;
    }
    ++at_;
  }

  void leave_bracket() {
    if (brackets_.empty()) return;
    dots_ = brackets_.back();
    brackets_.pop_back();
    around_ -= dots_ + 1;
  }

  /// "text", 'text', or several lines between three of either. Only within " does a backslash take a quote's meaning.
  void skip_string(char quote) {
    const bool lines = text_.substr(at_).starts_with(std::string_view(quote == '"' ? "\"\"\"" : "'''"));
    at_ += lines ? 3U : 1U;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n' && !lines) return;  // a mistake
      if (c == '\n') ++line_;
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      if (c != quote) continue;
      if (!lines) break;
      if (text_.size() - at_ >= 3 && text_[at_ + 1] == quote && text_[at_ + 2] == quote) {
        at_ += 3;
        while (at_ < text_.size() && text_[at_] == quote) ++at_;  // up to two quotes may end the text itself
        return;
      }
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0, dots_ = 0, around_ = 0;
  std::uint32_t line_ = 1;
  std::vector<std::size_t> brackets_{};  ///< the dots of the key before each
};

/// @throws toml::parse_error, also for a text that nests too deep for the parser. @param origin for its messages.
inline toml::table parse_toml(std::string_view text, std::string_view origin = {}) {
  if (const auto line = TomlDepth::too_deep(text))
    throw toml::parse_error("keys and brackets nest more than 64 deep", toml::source_position{*line, 1});
  return toml::parse(text, origin);
}

static_assert(deepest_toml == 64);  // as its message says

}  // namespace ocs
