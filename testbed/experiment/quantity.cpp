// Decimal numbers with units, in 128-bit integers.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/quantity.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <span>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
  bool written;  ///< to_text uses it; the units it uses ascend
};

constexpr Unit times[] = {{"ps", 1, true},
                          {"ns", 1'000, true},
                          {"us", 1'000'000, true},
                          {"\u00b5s", 1'000'000, false},
                          {"\u03bcs", 1'000'000, false},
                          {"ms", 1'000'000'000, true},
                          {"s", 1'000'000'000'000, true}};
constexpr Unit rates[] = {{"bit/s", 1, true},
                          {"kbit/s", 1'000, true},
                          {"Mbit/s", 1'000'000, true},
                          {"Gbit/s", 1'000'000'000, true},
                          {"Tbit/s", 1'000'000'000'000, true},
                          {"b/s", 1, false},
                          {"kb/s", 1'000, false},
                          {"Mb/s", 1'000'000, false},
                          {"Gb/s", 1'000'000'000, false},
                          {"Tb/s", 1'000'000'000'000, false}};
constexpr Unit sizes[] = {{"B", 1, true},
                          {"kB", 1'000, true},
                          {"MB", 1'000'000, true},
                          {"GB", 1'000'000'000, true},
                          {"TB", 1'000'000'000'000, true},
                          {"KiB", std::int64_t{1} << 10, false},
                          {"MiB", std::int64_t{1} << 20, false},
                          {"GiB", std::int64_t{1} << 30, false},
                          {"TiB", std::int64_t{1} << 40, false}};

struct Grammar {
  std::span<const Unit> units;
  std::string_view a_quantity, base, example;
};

Grammar grammar(Dimension dimension) {
  switch (dimension) {
    case Dimension::time:
      return {times, "a time", "picoseconds", "\"10 ms\""};
    case Dimension::rate:
      return {rates, "a rate", "bit/s", "\"100 Gbit/s\""};
    case Dimension::size:
      break;
  }
  return {sizes, "a size", "bytes", "\"25 MB\""};
}

[[noreturn]] void refuse_unit(std::string_view unit, const Grammar& known) {
  std::vector<std::string> names;
  for (const Unit& each : known.units)
    if (each.name[0] > 0 && each.name[0] < 0x7f) names.emplace_back(each.name);
  const std::string list = joined(names);
  if (unit.empty())
    refuse("must be " + std::string(known.a_quantity) + " with a unit, such as " + std::string(known.example) +
           "; units: " + list);
  // Another case is the likeliest slip: "Ms" is nearer to "ms" than to "ps".
  const auto same_letters = [&](const std::string& name) {
    return std::ranges::equal(name, unit, [](unsigned char a, unsigned char b) { return tolower(a) == tolower(b); });
  };
  const auto cased = std::ranges::find_if(names, same_letters);
  const std::string like = cased != names.end() ? *cased : nearest(unit, names);
  refuse("must be " + std::string(known.a_quantity) + " in one of the units " + list + "; " + in_quotes(unit) +
         " is not one of them" + (like.empty() ? "" : " (did you mean " + in_quotes(like) + "?)"));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::int64_t parse_quantity(std::string_view text, Dimension dimension) {
  constexpr int most_digits = 24;  // so that 10^24 * the largest factor fits 128 bits
  const Grammar known = grammar(dimension);
  UnsignedWide number = 0, divisor = 1;
  int digits = 0, whole_digits = 0;
  bool point = false;
  std::size_t k = 0;
  for (; k < text.size() && (is_digit(text[k]) || (text[k] == '.' && !point)); ++k) {
    if (text[k] == '.') {
      point = true;
      whole_digits = digits;
      continue;
    }
    if (++digits > most_digits) refuse("must have at most 24 digits");
    number = number * 10 + static_cast<unsigned>(text[k] - '0');
    if (point) divisor *= 10;
  }
  if (digits == 0 || (point && (whole_digits == 0 || whole_digits == digits)))
    refuse("must be " + std::string(known.a_quantity) + " from 0 in decimal digits with a unit, such as " +
           std::string(known.example));
  if (k < text.size() && text[k] == ' ') ++k;
  const std::string_view name = text.substr(k);
  const auto unit =
      std::find_if(known.units.begin(), known.units.end(), [&](const Unit& each) { return each.name == name; });
  if (unit == known.units.end()) refuse_unit(name, known);
  const UnsignedWide scaled = number * static_cast<UnsignedWide>(unit->factor);
  if (scaled % divisor != 0) refuse("must be a whole number of " + std::string(known.base));
  if (scaled / divisor > static_cast<UnsignedWide>(std::numeric_limits<std::int64_t>::max()))
    refuse("must be at most " + to_text(std::numeric_limits<std::int64_t>::max(), dimension));
  return static_cast<std::int64_t>(scaled / divisor);
}

std::string to_text(std::int64_t value, Dimension dimension) {
  const Grammar known = grammar(dimension);
  const Unit* unit = &known.units.front();
  for (const Unit& each : known.units)
    if (each.written && each.factor <= value) unit = &each;
  std::string text = std::to_string(value / unit->factor);
  if (std::int64_t rest = value % unit->factor; rest != 0) {
    std::string fraction = std::to_string(unit->factor + rest).substr(1);  // with leading zeros
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += "." + fraction;
  }
  return text + " " + std::string(unit->name);
}

}  // namespace ocs
