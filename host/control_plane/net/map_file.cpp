// Maps as files, by toml++.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/map_file.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>

#include "host/core/error.hpp"
#include "host/toml/toml.hpp"

namespace ocs::serve {
namespace {

constexpr std::size_t longest_map_file = std::size_t{1} << 20;

[[noreturn]] void wrong_map(const std::string& origin, const std::string& sentence) {
  throw Error(ErrorKind::input, origin + ": " + sentence);
}

/// The port before `letter`, taken from the front of the text; 0 if there is none.
int port_before(std::string_view& text, char letter) {
  int number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end == text.data() + text.size() || (*end & ~0x20) != letter) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number >= 1 && number <= static_cast<int>(max_ports) ? number : 0;
}

CrossConnect circuit_of(const std::string& text, const std::string& origin) {
  std::string_view rest = text;
  const int in = port_before(rest, 'A');
  const bool dash = in > 0 && rest.starts_with('-');
  if (dash) rest.remove_prefix(1);
  const int out = dash ? port_before(rest, 'B') : 0;
  if (out == 0 || !rest.empty())
    wrong_map(origin, "\"" + text.substr(0, 40) + "\" isn't a circuit as \"1A-2B\", with ports from 1 to " +
                          std::to_string(max_ports));
  return {Input{static_cast<std::uint16_t>(in - 1)}, Output{static_cast<std::uint16_t>(out - 1)}};
}

}  // namespace

std::string name_of(const CrossConnect& circuit) {
  return std::to_string(index(circuit.in) + 1) + "A-" + std::to_string(index(circuit.out) + 1) + "B";
}

std::vector<CrossConnect> parse_map(std::string_view text, const std::string& origin) {
  std::vector<CrossConnect> circuits;
  try {
    const toml::table table = parse_toml(text, origin);
    for (const auto& [key, value] : table)
      if (key != "circuits") wrong_map(origin, "unknown key \"" + std::string(key.str()) + "\"; known: circuits");
    const toml::array* list = table["circuits"].as_array();
    if (list == nullptr) wrong_map(origin, "must have circuits = [\"1A-2B\", ...]");
    for (const auto& entry : *list) {
      if (!entry.is_string()) wrong_map(origin, "circuits must be a list of texts as \"1A-2B\"");
      circuits.push_back(circuit_of(entry.as_string()->get(), origin));
    }
  } catch (const toml::parse_error& failure) {
    throw Error(ErrorKind::input, origin + ":" + std::to_string(failure.source().begin.line) +
                                      ": this is not valid TOML: " + std::string(failure.description()));
  }
  std::map<Output, CrossConnect> by_output;
  std::sort(circuits.begin(), circuits.end());
  for (std::size_t k = 0; k < circuits.size(); ++k) {
    if (k > 0 && circuits[k].in == circuits[k - 1].in)
      wrong_map(origin, name_of(circuits[k - 1]) + " and " + name_of(circuits[k]) + " share an input");
    const auto [other, first] = by_output.emplace(circuits[k].out, circuits[k]);
    if (!first) wrong_map(origin, name_of(other->second) + " and " + name_of(circuits[k]) + " share an output");
  }
  return circuits;
}

std::vector<CrossConnect> read_map(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file))
    throw Error(ErrorKind::input, "map \"" + file.string() + "\" can't be read");
  std::string text(longest_map_file + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > longest_map_file)
    throw Error(ErrorKind::input, "map \"" + file.string() + "\" is larger than 1 MiB");
  return parse_map(text, file.string());
}

Difference difference(const std::vector<CrossConnect>& there, const std::vector<CrossConnect>& wanted) {
  Difference result;
  std::set_difference(there.begin(), there.end(), wanted.begin(), wanted.end(), std::back_inserter(result.remove));
  std::set_difference(wanted.begin(), wanted.end(), there.begin(), there.end(), std::back_inserter(result.add));
  std::set_intersection(there.begin(), there.end(), wanted.begin(), wanted.end(), std::back_inserter(result.keep));
  return result;
}

}  // namespace ocs::serve
