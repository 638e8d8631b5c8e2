// Reads TL1 commands and writes answers.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/tl1/message.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>

namespace ocs::serve::tl1 {
namespace {

constexpr std::size_t longest_tid = 20, longest_ctag = 20;

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

/// A comment ends with */ and an answer with ;, so neither is within a text.
std::string harmless(std::string_view text) {
  std::string clean(text.substr(0, 200));
  for (char& letter : clean)
    if (letter == ';' || letter == '*' || letter < ' ' || letter > '~') letter = '?';
  return clean;
}

}  // namespace

std::vector<std::string> pieces_of(std::string_view block, char separator) {
  std::vector<std::string> pieces;
  std::size_t from = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t k = 0; k <= block.size(); ++k) {
    if (k == block.size() || (block[k] == separator && depth == 0 && !quoted)) {
      pieces.emplace_back(trimmed(block.substr(from, k - from)));
      from = k + 1;
    } else if (block[k] == '"') {
      quoted = !quoted;
    } else if (block[k] == '(' && !quoted) {
      ++depth;
    } else if (block[k] == ')' && depth > 0 && !quoted) {
      --depth;
    }
  }
  return pieces;
}

void parse(std::string_view text, Command& command) {
  const std::vector<std::string> blocks = pieces_of(text, ':');
  const auto block = [&](std::size_t k) { return k < blocks.size() ? blocks[k] : std::string(); };
  command.ctag = block(3);
  const bool printable =
      std::all_of(command.ctag.begin(), command.ctag.end(), [](char letter) { return letter >= ' ' && letter <= '~'; });
  const bool bad_ctag = command.ctag.size() > longest_ctag || !printable;
  if (bad_ctag) command.ctag.clear();
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] < ' ' ? !(text[k] >= '\t' && text[k] <= '\r') : text[k] > '~')
      throw Denial("IISP", "Byte " + std::to_string(static_cast<unsigned char>(text[k])) + " at offset " +
                               std::to_string(k) + " in command");
  for (const char letter : blocks.front())
    if (letter != ' ') command.verb += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  command.tid = unquoted(block(1));
  if (command.tid.size() > longest_tid) throw Denial("IITA", "Target longer than 20 characters");
  command.aid = block(2);
  if (bad_ctag)
    throw Denial("IICT", "Parse error at offset " +
                             std::to_string(blocks[0].size() + blocks[1].size() + blocks[2].size() + 3) +
                             " in command");
  command.general = block(4);
  if (blocks.size() > 5) command.payload.assign(blocks.begin() + 5, blocks.end());
}

std::vector<int> numbers_of(std::string_view aid, int most) {
  std::vector<int> numbers;
  if (trimmed(aid).empty()) throw Denial("IIAC", "Empty parameters");
  int first = 0;
  bool range = false;
  for (const std::string& piece : pieces_of(aid, '&')) {
    if (piece.empty()) {  // between the two of &&
      if (range || numbers.empty()) throw Denial("IIAC", "Invalid list of ports: " + std::string(aid));
      range = true;
      continue;
    }
    int value = 0;
    const auto [end, wrong] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
    if (wrong == std::errc::invalid_argument || end != piece.data() + piece.size())
      throw Denial("IIAC", "Invalid list of ports: " + std::string(aid));
    if (wrong != std::errc{} || value < 1 || value > most) throw Denial("IDNV", "Invalid OXC port: " + piece);
    if (range && value <= first) throw Denial("IIAC", "Invalid list of ports: " + std::string(aid));
    if (numbers.size() > 65536) throw Denial("IDNV", "More than 65536 ports in a list");
    for (int k = range ? first + 1 : value; k <= value; ++k) numbers.push_back(k);
    range = false;
    first = value;
  }
  if (range) throw Denial("IIAC", "Invalid list of ports: " + std::string(aid));
  return numbers;
}

std::string header(std::string_view name, std::time_t now) {
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%y-%m-%d %H:%M:%S", &parts);
  return "\r\n\n   " + std::string(name) + " " + text.data() + "\r\n";
}

std::string completed(std::string_view name, std::time_t now, std::string_view ctag,
                      const std::vector<std::string>& lines) {
  std::string text = header(name, now) + "M  " + std::string(ctag.empty() ? "0" : ctag) + " COMPLD\r\n";
  for (const std::string& line : lines) text.append("   \"").append(line).append("\"\r\n");
  return text + ";";
}

std::string denied(std::string_view name, std::time_t now, std::string_view ctag, const Denial& why) {
  return header(name, now) + "M  " + std::string(ctag.empty() ? "0" : ctag) + " DENY\r\n   " + why.code() +
         "\r\n   /* " + harmless(why.text()) + " */\r\n;";
}

}  // namespace ocs::serve::tl1
