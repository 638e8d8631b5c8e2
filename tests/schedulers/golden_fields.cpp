// One check a kind of field.
// SPDX-License-Identifier: Apache-2.0
#include "tests/schedulers/golden_fields.hpp"

#include <algorithm>
#include <limits>

#include "host/core/error.hpp"

namespace ocs::golden {

using nlohmann::json;

Fields::Fields(const json& object, std::string path) : object_(object), path_(std::move(path)) {
  if (!object_.is_object()) throw Error(ErrorKind::input, path_ + ": an object is needed here");
}

void Fields::fail(std::string_view name, const std::string& what) const {
  throw Error(ErrorKind::input, path_ + ": field \"" + std::string(name) + "\" " + what);
}

const json& Fields::at(std::string_view name) const {
  const auto found = object_.find(std::string(name));
  if (found == object_.end()) fail(name, "is missing");
  return *found;
}

std::int64_t Fields::to_integer(const json& value, std::string_view name, std::int64_t low, std::int64_t high) const {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > most);
  if (!fits || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high)
    fail(name, "holds " + value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 40) +
                   "; an integer from " + std::to_string(low) + " to " + std::to_string(high) + " is needed");
  return value.get<std::int64_t>();
}

const json& Fields::to_array(const json& value, std::string_view name) const {
  if (!value.is_array()) fail(name, "must be an array");
  return value;
}

std::int64_t Fields::integer(std::string_view name, std::int64_t low, std::int64_t high) const {
  return to_integer(at(name), name, low, high);
}

std::string Fields::text(std::string_view name) const {
  const json& value = at(name);
  if (!value.is_string()) fail(name, "must be a string");
  return value.get<std::string>();
}

bool Fields::truth(std::string_view name) const {
  const json& value = at(name);
  if (!value.is_boolean()) fail(name, "must be true or false");
  return value.get<bool>();
}

Fields Fields::object(std::string_view name) const {
  if (!at(name).is_object()) fail(name, "must be an object");
  return {at(name), path_ + ": " + std::string(name)};
}

std::vector<std::int64_t> Fields::integers(std::string_view name, std::int64_t low, std::int64_t high) const {
  std::vector<std::int64_t> list;
  for (const json& value : to_array(at(name), name)) list.push_back(to_integer(value, name, low, high));
  return list;
}

std::vector<std::vector<std::int64_t>> Fields::lists(std::string_view name, std::int64_t low, std::int64_t high) const {
  std::vector<std::vector<std::int64_t>> all;
  for (const json& list : to_array(at(name), name)) {
    all.emplace_back();
    for (const json& value : to_array(list, name)) all.back().push_back(to_integer(value, name, low, high));
  }
  return all;
}

std::vector<std::vector<std::int64_t>> Fields::rows(std::string_view name, std::size_t width) const {
  std::vector<std::vector<std::int64_t>> list;
  for (const json& row : to_array(at(name), name)) {
    if (to_array(row, name).size() != width) fail(name, "must hold rows of " + std::to_string(width) + " integers");
    list.emplace_back();
    for (const json& value : row)
      list.back().push_back(to_integer(value, name, 0, std::numeric_limits<std::int64_t>::max()));
  }
  return list;
}

std::vector<std::string> Fields::texts(std::string_view name) const {
  std::vector<std::string> list;
  for (const json& value : to_array(at(name), name)) {
    if (!value.is_string()) fail(name, "must hold strings");
    list.push_back(value.get<std::string>());
  }
  return list;
}

std::vector<std::variant<std::string, std::vector<std::int64_t>>> Fields::texts_or_integers(std::string_view name,
                                                                                            std::int64_t low,
                                                                                            std::int64_t high) const {
  std::vector<std::variant<std::string, std::vector<std::int64_t>>> list;
  for (const json& value : to_array(at(name), name)) {
    if (value.is_string()) {
      list.emplace_back(value.get<std::string>());
      continue;
    }
    std::vector<std::int64_t> numbers;
    for (const json& number : to_array(value, name)) numbers.push_back(to_integer(number, name, low, high));
    list.emplace_back(std::move(numbers));
  }
  return list;
}

std::vector<std::vector<GoldenTransfer>> Fields::transfers(std::string_view name) const {
  constexpr std::int64_t high = 65535;
  std::vector<std::vector<GoldenTransfer>> steps;
  for (const json& step : to_array(at(name), name)) {
    steps.emplace_back();
    for (const json& one : to_array(step, name)) {
      if (to_array(one, name).size() != 4 || !one[3].is_string())
        fail(name, "must hold transfers of a sender, a receiver, blocks, and what is done with them");
      GoldenTransfer transfer{
          to_integer(one[0], name, 0, high), to_integer(one[1], name, 0, high), {}, one[3].get<std::string>()};
      for (const json& block : to_array(one[2], name)) transfer.blocks.push_back(to_integer(block, name, 0, high));
      steps.back().push_back(std::move(transfer));
    }
  }
  return steps;
}

std::vector<Fields> Fields::objects(std::string_view name) const {
  std::vector<Fields> list;
  for (const json& value : to_array(at(name), name))
    list.emplace_back(value, path_ + ": " + std::string(name) + " " + std::to_string(list.size()));
  return list;
}

void Fields::only(std::initializer_list<std::string_view> names) const {
  for (const auto& [name, value] : object_.items())
    if (std::find(names.begin(), names.end(), name) == names.end()) fail(name, "is unknown, so nothing would check it");
}

}  // namespace ocs::golden
