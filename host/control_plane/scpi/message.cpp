// Reads SCPI messages.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/scpi/message.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace ocs::serve::scpi {
namespace {

constexpr std::size_t longest_mnemonic = 12;

bool blank(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }
bool letter_or_digit(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }
char upper(char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Cuts at `separator`, but not within quotes, nor commas within parentheses.
std::vector<std::string_view> cut(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  std::size_t from = 0;
  int depth = 0;
  char quote = '\0';
  for (std::size_t k = 0; k <= text.size(); ++k) {
    if (k == text.size() || (text[k] == separator && depth == 0 && quote == '\0')) {
      pieces.push_back(text.substr(from, k - from));
      from = k + 1;
    } else if (quote != '\0') {
      if (text[k] == quote) quote = '\0';
    } else if (text[k] == '"' || text[k] == '\'') {
      quote = text[k];
    } else if (text[k] == '(' && separator == ',') {
      ++depth;
    } else if (text[k] == ')' && depth > 0) {
      --depth;
    }
  }
  return pieces;
}

}  // namespace

std::vector<std::string_view> split_units(std::string_view message) {
  std::vector<std::string_view> units;
  for (const std::string_view piece : cut(message, ';'))
    if (const std::string_view unit = trimmed(piece); !unit.empty()) units.push_back(unit);
  return units;
}

Unit parse_unit(std::string_view text) {
  for (const char letter : text)
    if ((letter < ' ' && !blank(letter)) || letter > '~')
      throw ScpiError(-101, "byte " + std::to_string(static_cast<unsigned char>(letter)));
  std::size_t end = 0;
  while (end < text.size() && (letter_or_digit(text[end]) || text[end] == ':' || text[end] == '*')) ++end;
  Unit unit{.header = text.substr(0, end)};
  if (unit.header.empty())
    throw ScpiError(-102, "a command begins with a letter, not with " + std::string(text.substr(0, 12)));
  if (end < text.size() && text[end] == '?') {
    unit.query = true;
    ++end;
  }
  if (end == text.size()) return unit;
  if (!blank(text[end])) throw ScpiError(-111, std::string(text.substr(0, end + 1)));
  const std::string_view rest = trimmed(text.substr(end));
  if (rest.empty()) return unit;
  for (const std::string_view piece : cut(rest, ',')) {
    unit.parameters.push_back(trimmed(piece));
    if (unit.parameters.back().empty()) throw ScpiError(-109, "nothing between commas");
  }
  return unit;
}

std::vector<std::string> mnemonics_of(std::string_view header) {
  std::vector<std::string> words;
  if (header.front() == ':') header.remove_prefix(1);
  for (std::size_t from = 0;;) {
    const std::size_t end = std::min(header.find(':', from), header.size());
    std::string word(header.substr(from, end - from));
    if (word.size() > longest_mnemonic + (word.starts_with('*') ? 1U : 0U)) throw ScpiError(-112, word);
    if (word.empty()) throw ScpiError(-113, std::string(header));
    std::transform(word.begin(), word.end(), word.begin(), upper);
    words.push_back(std::move(word));
    if (end == header.size()) return words;
    from = end + 1;
  }
}

bool mnemonic_fits(std::string_view pattern, std::string_view word) {
  const auto same = [](char a, char b) { return upper(a) == b; };
  if (word.size() == pattern.size()) return std::equal(pattern.begin(), pattern.end(), word.begin(), same);
  const auto short_end =
      std::find_if(pattern.begin(), pattern.end(), [](char letter) { return letter >= 'a' && letter <= 'z'; });
  return std::equal(pattern.begin(), short_end, word.begin(), word.end(), same);
}

std::int64_t integer_of(std::string_view text, std::int64_t least, std::int64_t most) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() ||
      (std::isdigit(static_cast<unsigned char>(digits.front())) == 0 && digits.front() != '-' && digits.front() != '.'))
    throw ScpiError(-104, std::string(text) + " isn't a number");
  if (digits.size() > 24) throw ScpiError(-124, std::string(text.substr(0, 24)));
  double value = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (wrong == std::errc::result_out_of_range) throw ScpiError(-222, std::string(text));
  if (wrong != std::errc{} || end != digits.data() + digits.size()) throw ScpiError(-121, std::string(text));
  if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)))
    throw ScpiError(-222, std::string(text) + " isn't from " + std::to_string(least) + " to " + std::to_string(most));
  return std::llround(value);
}

std::string string_of(std::string_view text) {
  const char quote = text.front();
  if (quote != '"' && quote != '\'') throw ScpiError(-104, std::string(text) + " isn't a string in quotes");
  std::string inside;
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (text[k] != quote) {
      inside += text[k];
    } else if (k + 1 < text.size() && text[k + 1] == quote) {
      inside += text[k++];
    } else if (k + 1 == text.size()) {
      return inside;
    } else {
      break;
    }
  }
  throw ScpiError(-151, "a string has to end with the quote that it begins with");
}

std::vector<int> list_of(std::string_view text, int most) {
  if (text.front() != '(') throw ScpiError(-104, std::string(text) + " isn't a list as (@1,2)");
  const auto malformed = [whole = text] { return ScpiError(-171, std::string(whole.substr(0, 60))); };
  if (text.size() < 3 || text.back() != ')' || trimmed(text.substr(1)).front() != '@') throw malformed();
  text.remove_prefix(text.find('@') + 1);
  text.remove_suffix(1);
  std::vector<int> numbers;
  if (trimmed(text).empty()) return numbers;
  const auto number = [&](std::string_view digits) {
    digits = trimmed(digits);
    int value = 0;
    const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || end != digits.data() + digits.size() || wrong == std::errc::invalid_argument)
      throw malformed();
    if (wrong != std::errc{} || value < 1 || value > most)
      throw ScpiError(-222, "port " + std::string(digits.substr(0, 24)) + " isn't from 1 to " + std::to_string(most));
    return value;
  };
  for (const std::string_view piece : cut(text, ',')) {
    const std::size_t colon = piece.find(':');
    const int first = number(piece.substr(0, colon));
    const int last = colon == std::string_view::npos ? first : number(piece.substr(colon + 1));
    if (last < first) throw malformed();
    if (numbers.size() > 65536) throw ScpiError(-222, "more than 65536 ports in a list");
    for (int k = first; k <= last; ++k) numbers.push_back(k);
  }
  return numbers;
}

}  // namespace ocs::serve::scpi
