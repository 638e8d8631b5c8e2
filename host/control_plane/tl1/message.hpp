// TL1 commands as blocks, answers as lines: GR-831's shape, as its users write it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace ocs::serve::tl1 {

/// VERB-MOD[-MOD]:[TID]:[AID]:[CTAG]:[general block]:[payload[:...]] without its semicolon.
struct Command {
  std::string verb;  ///< in capitals, without blanks: ENT-PATCH
  std::string tid{}, aid{}, ctag{};
  std::vector<std::string> payload{};  ///< blocks behind the general one
  std::string general{};

  /// The first block of the payload with anything in it; keywords are in the second one, names in the first.
  std::string_view parameter() const {
    for (const std::string& block : payload)
      if (!block.empty()) return block;
    return {};
  }
};

/// Why a command is denied; thrown within this room.
class Denial : public std::exception {
 public:
  /// @param code of GR-833: IDNV. @param text what is said; gets no semicolon and no comment end
  Denial(std::string_view code, std::string text) : code_(code), text_(std::move(text)) {}
  const std::string& code() const noexcept { return code_; }
  const std::string& text() const noexcept { return text_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string code_, text_;
};

/// What could be read; a CTAG is there even if the rest is wrong, so that the answer can carry it.
/// @throws Denial IISP, IICT.
void parse(std::string_view text, Command& command);

/// Pieces between commas, blanks around them removed; commas within parentheses or quotes don't count.
std::vector<std::string> pieces_of(std::string_view block, char separator = ',');

/// Numbers of an AID: 1&4&10, 1&&17. @throws Denial IIAC, IDNV (text `Invalid OXC port: 99`) out of 1...most.
std::vector<int> numbers_of(std::string_view aid, int most);

/// CR LF LF, three blanks, the name, date and time of day.
std::string header(std::string_view name, std::time_t now);

/// A whole answer. @param lines go in quotes
std::string completed(std::string_view name, std::time_t now, std::string_view ctag,
                      const std::vector<std::string>& lines);
std::string denied(std::string_view name, std::time_t now, std::string_view ctag, const Denial& why);

}  // namespace ocs::serve::tl1
