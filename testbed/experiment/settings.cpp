// Reads TOML and --set into keys and values with their places.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/settings.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "host/toml/toml.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

/// Says where a node stands.
class TomlPlaces {
 public:
  explicit TomlPlaces(std::string_view file, bool with_lines) : file_(file), with_lines_(with_lines) {}
  std::string of(const toml::source_region& region) const { return at(region.begin.line); }
  std::string at(toml::source_index line) const { return with_lines_ ? file_ + ":" + std::to_string(line) : file_; }

 private:
  std::string file_;
  bool with_lines_;
};

Scalar to_scalar(const toml::node& node, const std::string& key, const std::string& origin) {
  if (const auto* truth = node.as_boolean()) return truth->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  refuse(origin, key + " holds " + (node.is_array() || node.is_table() ? "a list or table within a list" : "a date") +
                     ", but must be text, a number, true or false, or a list of these");
}

/// "a = 1, b = 2" of a table [[job]]; keys of tables within it have dots.
void append_inline(std::string& text, const toml::table& table, const std::string& prefix, const TomlPlaces& origins) {
  for (const auto& [name, value] : table) {
    const std::string key = prefix + std::string(name.str()), place = origins.of(name.source());
    if (const toml::table* inner = value.as_table()) {
      append_inline(text, *inner, key + ".", origins);
      continue;
    }
    const Scalar scalar = to_scalar(value, in_quotes(key) + " of a [[job]]", place);
    const auto* words = std::get_if<std::string>(&scalar);
    const auto plain = [](const std::string& all) {
      return std::all_of(all.begin(), all.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    };
    if (words != nullptr && !plain(*words))
      refuse(place, in_quotes(key) + " of a [[job]] is " + in_quotes(*words) + ", but must be plain text");
    if (!plain(key)) refuse(place, in_quotes(key) + " of a [[job]] must be plain text");
    const bool dotted = key.find('.') != std::string::npos;
    text += (text.ends_with('{') ? " " : ", ") + (dotted ? '"' + key + '"' : key) + " = " +
            (words != nullptr ? '"' + *words + '"' : to_text(scalar));
  }
}

/// Tables [[job]] as one text: the same in TOML's inline form.
std::string inline_text(const toml::array& tables, const TomlPlaces& origins) {
  std::string text;
  for (const toml::node& node : tables) {
    text += text.empty() ? "[{" : ", {";
    append_inline(text, *node.as_table(), "", origins);
    text += " }";
  }
  return text + "]";
}

void collect(const toml::table& table, const std::string& prefix, const TomlPlaces& origins, std::vector<Setting>& out);

/// What chooses rows: zip as a setting "zip#1" for each of its lists, [[only]] and [[skip]] as the settings of their
/// tables behind "only#1." and so on. @return whether the key is one of these
bool collect_choice(const std::string& key, const toml::node& node, const TomlPlaces& origins,
                    std::vector<Setting>& out) {
  if (key != "zip" && key != "only" && key != "skip") return false;
  const toml::array* list = node.as_array();
  const bool zips = key == "zip";
  if (list == nullptr || list->empty() || !std::all_of(list->begin(), list->end(), [&](const toml::node& item) {
        return zips ? item.is_array() && item.as_array()->size() > 1 : item.is_table();
      }))
    refuse(origins.of(node.source()),
           zips ? "zip must be a list of lists of at least two keys, such as zip = [[\"job.workers\", \"job.servers\"]]"
                : key + " must be tables [[" + key + "]], each with values of keys, such as policy = \"hlf\"");
  std::size_t number = 0;
  for (const toml::node& item : *list) {
    const std::string name = key + "#" + std::to_string(++number), origin = origins.of(item.source());
    Setting group{.key = name, .items = {}, .list = true, .origin = origin};
    if (const toml::table* table = item.as_table(); table && !table->empty()) {
      collect(*table, name + ".", origins, out);
      continue;
    }
    if (const toml::array* keys = item.as_array())
      for (const toml::node& each : *keys) group.items.push_back({to_scalar(each, "zip", origin), origin});
    out.push_back(std::move(group));
  }
  return true;
}

void collect(const toml::table& table, const std::string& prefix, const TomlPlaces& origins,
             std::vector<Setting>& out) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const std::string origin = origins.of(name.source());
    if (const toml::table* inner = node.as_table()) {
      collect(*inner, key + ".", origins, out);
      if (inner->empty()) out.push_back({.key = key, .items = {}, .list = false, .origin = origin});
      continue;
    }
    if (collect_choice(key, node, origins, out)) continue;
    if (const toml::array* tables = node.as_array();
        (key == "job" || key == "jobs") && tables && tables->is_array_of_tables()) {
      if (std::any_of(out.begin(), out.end(), [](const Setting& each) { return each.key == "jobs"; }))
        refuse(origin, "there are tables [[job]] and [[jobs]], but all must have one of these names");
      const std::string text = inline_text(*tables, origins);
      out.push_back({.key = "jobs", .items = {{text, origin}}, .list = false, .origin = origin});
      continue;
    }
    Setting setting{.key = key, .items = {}, .list = node.is_array(), .origin = origin};
    if (const toml::array* list = node.as_array()) {
      if (list->empty()) refuse(origin, "the list is empty, but an axis must have at least one value");
      for (const toml::node& item : *list) {
        const std::string place = origins.of(item.source());
        setting.items.push_back({to_scalar(item, in_quotes(key), place), place});
      }
    } else {
      setting.items.push_back({to_scalar(node, in_quotes(key), origin), origin});
    }
    out.push_back(std::move(setting));
  }
}

std::string one_line(std::string_view description) {
  std::string text;
  for (const char c : description) text += c >= ' ' && c <= '~' ? c : ' ';
  return text.substr(0, 200);
}

/// The setting that `text` would be in a file, if it is exactly one.
std::optional<Setting> parse_one(const std::string& text, const std::string& origin) {
  try {
    const toml::table table = parse_toml(text);
    std::vector<Setting> found;
    collect(table, "", TomlPlaces(origin, false), found);
    if (found.size() == 1) return std::move(found.front());
  } catch (const toml::parse_error&) {
    // This is no value of TOML; the caller takes it as text.
  }
  return std::nullopt;
}

std::vector<Setting::Item> bare_items(const std::string& key, std::string_view text, const std::string& origin,
                                      bool& list) {
  list = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  if (!list) return {{std::string(text), origin}};
  std::vector<Setting::Item> items;
  for (const std::string_view item : comma_list(text.substr(1, text.size() - 2))) {
    const std::optional<Setting> value = parse_one(key + " = " + std::string(item), origin);
    items.push_back(value && !value->list ? value->items.front() : Setting::Item{std::string(item), origin});
  }
  return items;
}

bool is_key(std::string_view key) {
  const auto part_of_key = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), part_of_key);
}

}  // namespace

std::string to_text(const Scalar& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  std::ostringstream number;
  number << std::get<double>(value);
  return number.str();
}

std::string as_written(const Scalar& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : to_text(value);
}

std::vector<Setting> read_settings(std::string_view text, std::string_view origin) {
  const TomlPlaces origins(origin, true);
  std::vector<Setting> settings;
  try {
    collect(parse_toml(text), "", origins, settings);
  } catch (const toml::parse_error& failure) {
    refuse(origins.of(failure.source()), "this is not valid TOML: " + one_line(failure.description()));
  }
  if (settings.empty())
    refuse(origins.at(1),
           "the experiment file sets nothing, but must have at least one key, such as policy = \"sunflow\"");
  return settings;
}

Setting read_override(std::string_view argument) {
  const std::string origin = "--set " + one_line(argument.substr(0, 80));
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos || !is_key(argument.substr(0, equals)))
    refuse(origin, "must be key=value, such as fabric.ports=8");
  const std::string key(argument.substr(0, equals));
  const std::string value(argument.substr(equals + 1));
  if (std::optional<Setting> parsed = parse_one(key + " = " + value, origin); parsed && parsed->key == key)
    return std::move(*parsed);
  Setting setting{.key = key, .items = {}, .list = false, .origin = origin};
  setting.items = bare_items(key, value, origin, setting.list);
  return setting;
}

void apply_overrides(std::vector<Setting>& settings, std::span<const Setting> overrides) {
  for (const Setting& later : overrides) {
    const auto same =
        std::find_if(settings.begin(), settings.end(), [&](const Setting& each) { return each.key == later.key; });
    if (same != settings.end())
      *same = later;
    else
      settings.push_back(later);
  }
}

}  // namespace ocs
