// The generated table, and names with indices and fields in it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/console/register_map.hpp"

#include <algorithm>
#include <charconv>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::console {
namespace {

constexpr std::uint32_t window_ports = 256;  // for which the window is laid out
constexpr std::uint32_t mask_bits = 32;
constexpr std::uint32_t mask_words = window_ports / mask_bits;

#define OCS_REGISTER(name, group, address, entries, stride, bits, access, meaning) \
  RegisterInfo{name, group, address, entries, stride, bits, access, meaning},
#define OCS_FIELD(owner, name, low, width, access, meaning)
constexpr RegisterInfo registers[] = {
#include "ocs_reg_table.inc"
};
#undef OCS_REGISTER
#undef OCS_FIELD
#define OCS_REGISTER(name, group, address, entries, stride, bits, access, meaning)
#define OCS_FIELD(owner, name, low, width, access, meaning) FieldInfo{owner, name, low, width, access, meaning},
constexpr FieldInfo fields[] = {
#include "ocs_reg_table.inc"
};
#undef OCS_REGISTER
#undef OCS_FIELD

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return upper(x) == upper(y); });
}

bool begins(std::string_view name, std::string_view beginning) {
  return name.size() >= beginning.size() && same(name.substr(0, beginning.size()), beginning);
}

template <class Infos>
std::vector<std::string> names(const Infos& infos) {
  std::vector<std::string> all;
  for (const auto& info : infos) all.emplace_back(info.name);
  return all;
}

std::string uppercase(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), upper);
  return result;
}

const FieldInfo& find_field(const RegisterInfo& reg, std::string_view name) {
  for (const FieldInfo& field : fields_of(reg))
    if (same(field.name, name)) return field;
  const std::vector<std::string> known = names(fields_of(reg));
  refuse("register " + std::string(reg.name) + " has no field " + in_quotes(name) +
         (known.empty() ? "" : "; it has " + joined(known)));
}

bool is_pair(const RegisterInfo& reg) { return reg.entries == window_ports * window_ports; }
bool is_mask(const RegisterInfo& reg) { return reg.entries == mask_words; }

/// [first, last] of one index.
struct Range {
  std::uint32_t first, last;
};

std::uint32_t number(std::string_view text, std::uint32_t most, const std::string& whole) {
  std::uint32_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value > most)
    refuse("index " + in_quotes(text) + " of " + whole + " must be a number from 0 to " + std::to_string(most) +
           ", FIRST:LAST, or * for all");
  return value;
}

/// @param all how many * stands for. @param most the largest index that the window has.
Range parse_range(std::string_view text, std::uint32_t all, std::uint32_t most, const std::string& whole) {
  if (text == "*") return {0, all - 1};
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    const std::uint32_t only = number(text, most, whole);
    return {only, only};
  }
  const Range range{number(text.substr(0, colon), most, whole), number(text.substr(colon + 1), most, whole)};
  if (range.first > range.last) refuse("index " + in_quotes(text) + " of " + whole + " must ascend");
  return range;
}

/// The text within the next pair of brackets, which is taken off `rest`.
std::string_view take_index(std::string_view& rest, const std::string& whole) {
  const std::size_t close = rest.find(']');
  if (close == std::string_view::npos) refuse("register name " + whole + " has no ] for its [");
  const std::string_view index = rest.substr(1, close - 1);
  rest.remove_prefix(close + 1);
  return index;
}

}  // namespace

const RegisterInfo& register_called(std::string_view name) {
  for (const RegisterInfo& reg : registers)
    if (same(reg.name, name)) return reg;
  const std::string like = name.empty() ? "" : nearest(uppercase(name), names(registers));
  refuse("there is no register " + in_quotes(name) +
         (like.empty() ? "; `help registers` lists them" : "; did you mean " + like + "?"));
}

std::span<const RegisterInfo> register_map() { return registers; }

std::span<const FieldInfo> fields_of(const RegisterInfo& reg) {
  const auto owned = [&](const FieldInfo& field) { return field.owner == reg.name; };
  const auto* first = std::find_if(std::begin(fields), std::end(fields), owned);
  return {first, std::find_if_not(first, std::end(fields), owned)};
}

std::uint32_t entries_of(const RegisterInfo& reg, int ports) {
  const auto n = static_cast<std::uint32_t>(ports);
  if (is_pair(reg)) return n * n;
  if (is_mask(reg)) return (n + mask_bits - 1) / mask_bits;
  return reg.entries == window_ports ? n : reg.entries;
}

std::uint32_t address_of(const RegisterInfo& reg, std::uint32_t entry) { return reg.address + reg.stride * entry; }

std::string name_of(const RegisterInfo& reg, std::uint32_t entry) {
  const std::string name(reg.name);
  if (is_pair(reg))
    return name + "[" + std::to_string(entry / window_ports) + "][" + std::to_string(entry % window_ports) + "]";
  return reg.entries == 1 ? name : name + "[" + std::to_string(entry) + "]";
}

RegisterName parse_register_name(std::string_view text, int ports) {
  const std::string whole = in_quotes(text);
  const std::size_t end = std::min(text.find_first_of("[."), text.size());
  RegisterName result{&register_called(text.substr(0, end)), nullptr, {}};
  const RegisterInfo& reg = *result.reg;
  std::string_view rest = text.substr(end);
  std::vector<Range> ranges;
  const std::size_t indices = is_pair(reg) ? 2 : reg.entries > 1 ? 1 : 0;
  const std::uint32_t most = is_pair(reg) ? window_ports - 1 : reg.entries - 1;
  const std::uint32_t all = is_pair(reg) ? static_cast<std::uint32_t>(ports) : entries_of(reg, ports);
  while (!rest.empty() && rest.front() == '[') ranges.push_back(parse_range(take_index(rest, whole), all, most, whole));
  if (ranges.size() != indices)
    refuse("register " + std::string(reg.name) + " must have " +
           (indices == 0   ? "no index"
            : indices == 1 ? "one index, such as " + std::string(reg.name) + "[0]"
                           : "two, output and input, such as " + std::string(reg.name) + "[0][1]") +
           ", but is written " + whole);
  if (!rest.empty() && rest.front() != '.')
    refuse("register name " + whole + " must end with ], or with a dot and a field");
  if (!rest.empty()) result.field = &find_field(reg, rest.substr(1));
  const Range only{0, 0};
  const Range outer = indices == 2 ? ranges[0] : only, inner = indices == 2   ? ranges[1]
                                                               : indices == 1 ? ranges[0]
                                                                              : only;
  for (std::uint32_t row = outer.first; row <= outer.last; ++row)
    for (std::uint32_t entry = inner.first; entry <= inner.last; ++entry)
      result.entries.push_back(row * window_ports + entry);
  return result;
}

std::vector<std::string> names_beginning(std::string_view text) {
  std::vector<std::string> found;
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) {
    for (const RegisterInfo& reg : registers)
      if (begins(reg.name, text)) found.push_back(std::string(reg.name) + (reg.entries > 1 ? "[" : ""));
    return found;
  }
  const std::string_view owner = text.substr(0, std::min(text.find('['), dot));
  for (const FieldInfo& field : fields)
    if (same(field.owner, owner) && begins(field.name, text.substr(dot + 1)))
      found.push_back(std::string(text.substr(0, dot + 1)) + std::string(field.name));
  return found;
}

}  // namespace ocs::console
