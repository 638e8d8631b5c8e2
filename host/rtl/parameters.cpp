// Ranges are those that the RTL checks at elaboration (rtl/ocs_top.sv); here they cost no run of Verilator.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "host/core/error.hpp"

namespace ocs::rtl {
namespace {

constexpr std::array<std::string_view, 3> cores{"counter", "fast", "soc"};

struct NumberPart {
  char letter;
  int Parameters::*value;
};
constexpr std::array numbers{NumberPart{'f', &Parameters::fifo_depth}, NumberPart{'s', &Parameters::sequencer_entries},
                             NumberPart{'o', &Parameters::options}, NumberPart{'w', &Parameters::lanes}};

struct FlagPart {
  std::string_view word;
  bool Parameters::*value;
};
constexpr std::array flags{FlagPart{"short", &Parameters::short_cycle}, FlagPart{"checks", &Parameters::checks},
                           FlagPart{"waves", &Parameters::waves}, FlagPart{"coverage", &Parameters::coverage}};

void require(bool right, const char* what, int value, const std::string& allowed) {
  if (!right)
    throw Error(ErrorKind::input,
                std::string("a switch has ") + what + " " + std::to_string(value) + ", but must have " + allowed);
}

bool power_of_two(int value, int least, int most) {
  return value >= least && value <= most && (value & (value - 1)) == 0;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-')) {
    parts.push_back(text.substr(0, dash));
    text.remove_prefix(dash + 1);
  }
  parts.push_back(text);
  return parts;
}

bool number(std::string_view digits, int& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size();
}

bool take_part(std::string_view part, Parameters& out) {
  for (const FlagPart& flag : flags)
    if (part == flag.word) return out.*flag.value = true;
  for (const NumberPart& known : numbers)
    if (!part.empty() && part.front() == known.letter) return number(part.substr(1), out.*known.value);
  return false;
}

}  // namespace

std::string_view name_of(Core core) { return cores.at(static_cast<std::size_t>(core)); }

void check(const Parameters& p) {
  require(p.ports >= 2 && p.ports <= 256, "a number of ports of", p.ports, "2 to 256 ports");
  require(power_of_two(p.fifo_depth, 2, 4096), "an event FIFO of", p.fifo_depth,
          "a power of two from 2 to 4096 records");
  require(power_of_two(p.sequencer_entries, 2, 32768), "a sequencer bank of", p.sequencer_entries,
          "a power of two from 2 to 32768 entries");
  require(p.options >= 0 && p.options <= 4095, "options", p.options, "a set of bits from 0 to 4095");
  require(p.lanes >= 0 && p.lanes <= 64, "a number of lanes of", p.lanes, "0 to 64 lanes");
  if (p.lanes > 0 && p.core != Core::fast)
    throw Error(ErrorKind::input,
                "words cross the fast core only (core \"fast\"), not core \"" + std::string(name_of(p.core)) + "\"");
  if ((p.checks || p.short_cycle) && p.core != Core::counter)
    throw Error(ErrorKind::input, std::string(p.checks ? "checks exist" : "the form for a short cycle exists") +
                                      " for core \"counter\" only, not for core \"" + std::string(name_of(p.core)) +
                                      "\"");
  if (p.checks && p.short_cycle)
    throw Error(ErrorKind::input, "checks ask for the horizon, which the form for a short cycle does not have");
  if (p.waves && p.short_cycle)
    throw Error(ErrorKind::input,
                "waveforms show the stages of a switch at once, which those of the form for a short "
                "cycle are not; take the counter core's");
  if (p.options != Parameters{}.options && p.core == Core::soc)
    throw Error(ErrorKind::input, "the system on chip (core \"soc\") has all options; they cannot be chosen");
}

std::string name_of(const Parameters& parameters) {
  std::string name = std::string(name_of(parameters.core)) + "-" + std::to_string(parameters.ports);
  for (const NumberPart& part : numbers)
    if (parameters.*part.value != Parameters{}.*part.value)
      name += std::string("-") + part.letter + std::to_string(parameters.*part.value);
  for (const FlagPart& flag : flags)
    if (parameters.*flag.value) name += "-" + std::string(flag.word);
  return name;
}

Parameters parameters_of(std::string_view name) {
  const std::vector<std::string_view> parts = split(name);
  const auto core = std::ranges::find(cores, parts.front());
  Parameters out;
  bool right = core != cores.end() && parts.size() >= 2 && number(parts[1], out.ports);
  if (right) out.core = static_cast<Core>(core - cores.begin());
  for (std::size_t k = 2; right && k < parts.size(); ++k) right = take_part(parts[k], out);
  if (!right || name_of(out) != name)
    throw Error(
        ErrorKind::input,
        "\"" + std::string(name) + "\" is not the name of a switch, such as \"fast-136\" or \"counter-4-f4-checks\"");
  check(out);
  return out;
}

}  // namespace ocs::rtl
