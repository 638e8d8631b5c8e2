// Reads suites: every key is known, every mistake has its line.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/suite.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <unordered_set>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/counted.hpp"
#include "host/toml/toml.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/regress/program_case.hpp"
#include "testbed/regress/suite_check.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

constexpr std::size_t max_suite_bytes = std::size_t{1} << 22;
constexpr std::int64_t most_seeds = 10'000'000, longest_timeout_ms = 7LL * 24 * 3600 * 1000;
constexpr std::array<std::string_view, 4> kind_names{"programs", "random_programs", "experiment", "command"};

/// The keys of a table of this kind.
std::vector<std::string_view> keys_of(CaseKind kind) {
  std::vector<std::string_view> keys{"name", "kind", "timeout", "retries", "memory", "rtl"};
  const auto add = [&](std::initializer_list<std::string_view> more) { keys.insert(keys.end(), more); };
  switch (kind) {
    case CaseKind::programs:
      add({"folder", "devices", "ports", "fifo_depth", "unwarped", "coverage"});
      break;
    case CaseKind::random:
      add({"devices", "ports", "seeds", "drawn", "steps", "fifo_depth", "unwarped", "coverage"});
      break;
    case CaseKind::experiment:
      add({"experiment", "set", "devices", "expect", "equal_hashes", "golden", "matrix"});
      break;
    case CaseKind::command:
      add({"command", "junit", "matrix"});
      break;
  }
  return keys;
}

class SuiteReader {
 public:
  explicit SuiteReader(const std::filesystem::path& file)
      : origin_(file.string()), base_(std::filesystem::absolute(file).lexically_normal().parent_path()) {}

  Suite suite(std::string_view text) {
    const toml::table root = parsed(text);
    for (const auto& [key, node] : root)
      known(key, node, {"name", "timeout", "retries", "coverage_exclusions", "case"});
    Suite out;
    out.name = root.contains("name") ? words(*root.get("name"), "name") : base_.filename().string();
    defaults_.timeout = std::chrono::minutes{10};
    common(root, defaults_);
    const toml::node* cases = root.get("case");
    if (cases == nullptr || !cases->is_array_of_tables()) refuse(origin_, "must have tables [[case]]");
    for (const toml::node& each : *cases->as_array()) {
      out.tables.push_back(table(*each.as_table()));
      const CaseTable& last = out.tables.back();
      for (std::size_t other = 0; other + 1 < out.tables.size(); ++other)
        if (out.tables[other].name == last.name)
          wrong(each, "name " + in_quotes(last.name) + " is given to two tables");
    }
    coverage(root, out);
    return out;
  }

 private:
  void coverage(const toml::table& root, Suite& out) const {
    const CaseTable* counting = counting_table(out);
    const toml::array& cases = *root.get("case")->as_array();
    for (std::size_t k = 0; k < out.tables.size(); ++k)
      if (out.tables[k].coverage && out.tables[k].rtl != counting->rtl)
        wrong(*cases.get(k), "coverage of other RTL than that of case " + in_quotes(counting->name) +
                                 " can't be merged with it; use two suites");
    const toml::node* node = root.get("coverage_exclusions");
    if (node == nullptr) return;
    if (counting == nullptr)
      wrong(*node, "coverage_exclusions leaves points out of the coverage, but no case has coverage = true");
    out.coverage_exclusions = base_ / words(*node, "coverage_exclusions");
  }

  toml::table parsed(std::string_view text) const {
    try {
      return parse_toml(text);
    } catch (const toml::parse_error& failure) {
      refuse(origin_ + ":" + std::to_string(failure.source().begin.line),
             "is not valid TOML: " + printable(std::string(failure.description())));
    }
  }

  [[noreturn]] void wrong(const toml::node& at, const std::string& sentence) const {
    refuse(origin_ + ":" + std::to_string(at.source().begin.line), sentence);
  }

  void known(const toml::key& key, const toml::node& at, std::initializer_list<std::string_view> names) const {
    if (std::find(names.begin(), names.end(), key.str()) != names.end()) return;
    const std::vector<std::string> all(names.begin(), names.end());
    wrong(at, "unknown key " + in_quotes(key.str()) + "; known here: " + joined(all));
  }

  std::string words(const toml::node& node, const std::string& key) const {
    const auto* text = node.as_string();
    if (text == nullptr || text->get().empty()) wrong(node, key + " must be text");
    return text->get();
  }

  std::int64_t whole(const toml::node& node, const std::string& key, std::int64_t least, std::int64_t most) const {
    const auto* number = node.as_integer();
    if (number == nullptr || number->get() < least || number->get() > most)
      wrong(node, key + " must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return number->get();
  }

  bool truth(const toml::node& node, const std::string& key) const {
    const auto* value = node.as_boolean();
    if (value == nullptr) wrong(node, key + " must be true or false");
    return value->get();
  }

  std::int64_t quantity(const toml::node& node, const std::string& key, Dimension dimension) const {
    if (node.is_number())
      wrong(node,
            key + " must be text with a unit, such as " + (dimension == Dimension::time ? "\"120 s\"" : "\"4 GB\""));
    const std::string text = words(node, key);
    try {
      return parse_quantity(text, dimension);
    } catch (const Error& failure) {
      wrong(node, key + " is " + in_quotes(text) + ", but " + failure.what());
    }
  }

  /// One text, or a list of them.
  std::vector<std::string> texts(const toml::node& node, const std::string& key) const {
    if (node.is_string()) return {words(node, key)};
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) wrong(node, key + " must be text or a list of texts");
    std::vector<std::string> out;
    for (const toml::node& each : *list) out.push_back(words(each, key));
    return out;
  }

  void common(const toml::table& table, CaseTable& out) const {
    constexpr std::int64_t ps_in_ms = 1'000'000'000;
    if (const toml::node* node = table.get("timeout")) {
      const std::int64_t ms = quantity(*node, "timeout", Dimension::time) / ps_in_ms;
      if (ms < 1 || ms > longest_timeout_ms) wrong(*node, "timeout must be from 1 ms to 7 days");
      out.timeout = std::chrono::milliseconds{ms};
    }
    constexpr std::int64_t most_retries = 10;
    if (const toml::node* node = table.get("retries")) out.retries = whole(*node, "retries", 0, most_retries);
    if (const toml::node* node = table.get("memory")) out.memory_bytes = quantity(*node, "memory", Dimension::size);
  }

  CaseKind kind(const toml::table& table) const {
    const toml::node* node = table.get("kind");
    if (node == nullptr) wrong(table, "a case must have a kind: programs, random_programs, experiment, command");
    const std::string text = words(*node, "kind");
    const auto found = std::find(kind_names.begin(), kind_names.end(), text);
    if (found == kind_names.end())
      wrong(*node, "unknown kind " + in_quotes(text) + "; known: programs, random_programs, experiment, command");
    return static_cast<CaseKind>(found - kind_names.begin());
  }

  CaseTable table(const toml::table& from) const {
    CaseTable out = defaults_;
    out.kind = kind(from);
    const std::vector<std::string_view> names = keys_of(out.kind);
    for (const auto& [key, node] : from)
      if (std::find(names.begin(), names.end(), key.str()) == names.end())
        wrong(node, "unknown key " + in_quotes(key.str()) + " of kind " + std::string(name_of(out.kind)) +
                        "; known: " + joined(std::vector<std::string>(names.begin(), names.end())));
    for (const auto& [key, node] : from)
      out.said[std::string(key.str())] = {key.source().begin.line, node.value_or(std::string())};
    out.name = words(needed(from, "name"), "name");
    common(from, out);
    devices(from, out);
    switch (out.kind) {
      case CaseKind::programs:
        out.folder = base_ / words(needed(from, "folder"), "folder");
        if (const toml::node* node = from.get("ports")) ports(*node, out);
        if (const toml::node* node = from.get("fifo_depth")) out.fifo_depth = fifo_depth(*node);
        break;
      case CaseKind::random:
        random(from, out);
        break;
      case CaseKind::experiment:
        experiment(from, out);
        break;
      case CaseKind::command:
        out.command = texts(needed(from, "command"), "command");
        if (const toml::node* node = from.get("junit")) out.junit = words(*node, "junit");
        break;
    }
    if (const toml::node* node = from.get("unwarped")) out.unwarped = truth(*node, "unwarped");
    rtl_of(from, out);
    matrix(from, out);
    return out;
  }

  const toml::node& needed(const toml::table& table, const std::string& key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) wrong(table, "a case of this kind must have " + key);
    return *node;
  }

  void devices(const toml::table& from, CaseTable& out) const {
    const toml::node* node = from.get("devices");
    if (node == nullptr) {
      if (out.kind == CaseKind::programs || out.kind == CaseKind::random)
        wrong(from, "a case of this kind must have devices");
      return;
    }
    out.devices = texts(*node, "devices");
    for (const std::string& name : out.devices) {
      try {
        const DeviceEntry& entry = find(ocs::devices(), std::string_view(name).substr(0, name.find(':')), "device");
        if (out.kind != CaseKind::experiment && entry.traits.core == rtl::Core::soc)
          refuse("device " + in_quotes(name) + " has firmware on its registers, and takes no register programs");
      } catch (const Error& failure) {
        wrong(*node, failure.what());
      }
      if (std::count(out.devices.begin(), out.devices.end(), name) > 1)
        wrong(*node, "device " + in_quotes(name) + " is named twice");
    }
  }

  /// One number, or a list of them.
  void ports(const toml::node& node, CaseTable& out) const {
    constexpr int most_ports = 256;
    if (const toml::array* list = node.as_array()) {
      if (list->empty()) wrong(node, "ports must be a whole number from 2 to 256, or a list of them");
      for (const toml::node& each : *list) out.ports.push_back(static_cast<int>(whole(each, "ports", 2, most_ports)));
    } else {
      out.ports.push_back(static_cast<int>(whole(node, "ports", 2, most_ports)));
    }
  }

  int fifo_depth(const toml::node& node) const {
    constexpr int deepest = 4096;
    return static_cast<int>(whole(node, "fifo_depth", 2, deepest));
  }

  /// Whose RTL runs, and whether what it reaches is counted.
  void rtl_of(const toml::table& from, CaseTable& out) const {
    if (const toml::node* node = from.get("rtl")) {
      out.rtl = base_ / words(*node, "rtl");
      std::error_code failed;
      if (!std::filesystem::is_regular_file(out.rtl / "ocs.f", failed))
        wrong(*node,
              "rtl is " + in_quotes(out.rtl.string()) + ", which must be a folder like rtl/, but has no file ocs.f");
      if (!out.devices.empty() && std::ranges::none_of(out.devices, runs_rtl))
        wrong(*node, "rtl names the RTL that devices run, but no device of this case runs any");
    }
    const toml::node* node = from.get("coverage");
    out.coverage = node != nullptr && truth(*node, "coverage");
    if (out.coverage && std::ranges::none_of(out.devices, is_counted_device))
      wrong(
          *node,
          "coverage counts what devices \"verilated\" and \"verilated_counter\" reach of the RTL; no other device has "
          "counts, and this case names neither");
  }
  static bool runs_rtl(const std::string& device) { return device_traits(device).core.has_value(); }

  void random(const toml::table& from, CaseTable& out) const {
    constexpr int most_steps = 10'000, usual_depth = 64;
    if (out.devices.size() < 2) wrong(from, "random programs must have two devices or more, to be compared");
    ports(needed(from, "ports"), out);
    if (const toml::node* node = from.get("steps")) out.steps = static_cast<int>(whole(*node, "steps", 1, most_steps));
    const toml::node* depth = from.get("fifo_depth");
    out.fifo_depth = depth == nullptr ? usual_depth : fifo_depth(*depth);
    if (const toml::node* node = from.get("drawn"))
      out.seeds.drawn = static_cast<std::uint64_t>(whole(*node, "drawn", 0, most_seeds));
    if (const toml::node* node = from.get("seeds")) seeds(*node, out.seeds.fixed);
    if (out.seeds.fixed.empty() && out.seeds.drawn == 0) wrong(from, "random programs must have seeds or drawn");
  }

  /// [1, 7, 9], or "1..1000".
  void seeds(const toml::node& node, std::vector<std::uint64_t>& out) const {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& each : *list) out.push_back(static_cast<std::uint64_t>(whole(each, "seeds", 0, largest)));
      return;
    }
    const std::string text = words(node, "seeds");
    const std::size_t dots = text.find("..");
    const auto first = dots == std::string::npos ? std::nullopt : number(text.substr(0, dots));
    const auto last = dots == std::string::npos ? std::nullopt : number(text.substr(dots + 2));
    if (first && last && *first > *last)
      wrong(node,
            "seeds is " + in_quotes(text) + ", which goes down; a range is from the least one to the greatest one");
    if (!first || !last || *last - *first >= most_seeds)
      wrong(node, "seeds must be a list, or a range \"1..1000\" of at most 10000000 seeds");
    for (std::int64_t seed = *first; seed <= *last; ++seed) out.push_back(static_cast<std::uint64_t>(seed));
  }

  static std::optional<std::int64_t> number(const std::string& digits) {
    constexpr std::size_t longest = 18;
    if (digits.empty() || digits.size() > longest || digits.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    return std::stoll(digits);
  }

  void experiment(const toml::table& from, CaseTable& out) const {
    out.experiment = base_ / words(needed(from, "experiment"), "experiment");
    if (const toml::node* node = from.get("set")) out.overrides = texts(*node, "set");
    if (const toml::node* node = from.get("golden")) out.golden = base_ / words(*node, "golden");
    if (const toml::node* node = from.get("equal_hashes")) out.equal_hashes = truth(*node, "equal_hashes");
    if (out.equal_hashes && out.devices.size() < 2) wrong(from, "equal_hashes needs two devices or more");
    const toml::node* expect = from.get("expect");
    if (expect == nullptr) return;
    for (const std::string& text : texts(*expect, "expect")) try {
        out.expectations.push_back(parse_expectation(text));
      } catch (const Error& failure) {
        wrong(*expect, "expect is " + in_quotes(text) + ", but " + failure.what());
      }
  }

  void matrix(const toml::table& from, CaseTable& out) const {
    const toml::node* node = from.get("matrix");
    if (node == nullptr) return;
    const toml::table* axes = node->as_table();
    if (axes == nullptr) wrong(*node, "matrix must be a table of lists");
    std::size_t combinations = 1;
    constexpr std::size_t most = 100'000;
    for (const auto& [key, values] : *axes) {
      out.matrix.emplace_back(std::string(key.str()), texts(values, "matrix." + std::string(key.str())));
      const auto& all = out.matrix.back().second;
      for (const std::string& value : all)
        if (std::count(all.begin(), all.end(), value) > 1) wrong(values, "value " + in_quotes(value) + " stands twice");
      combinations *= all.size();
      if (combinations > most) wrong(values, "matrix has more than 100000 combinations");
    }
  }

  std::string origin_;
  std::filesystem::path base_;
  CaseTable defaults_{};
};

/// Whether a program of the file has a size of the table. One that can't be read stays: its case says why.
bool has_size_of(const CaseTable& table, const std::filesystem::path& file) {
  try {
    return !read_programs(file, table).empty();
  } catch (const Error&) {
    return true;
  }
}

void expand_programs(const CaseTable& table, const Case& one, std::vector<Case>& out) {
  std::error_code failed;
  std::vector<std::filesystem::path> files;
  for (auto at = std::filesystem::recursive_directory_iterator(table.folder, failed);
       !failed && at != std::filesystem::recursive_directory_iterator(); at.increment(failed))
    if (at->path().extension() == ".json") files.push_back(at->path());
  if (failed) refuse(table.folder.string(), "can't be read: " + failed.message());
  if (files.empty()) refuse(table.folder.string(), "holds no register program (*.json)");
  std::sort(files.begin(), files.end());
  if (!table.ports.empty()) std::erase_if(files, [&](const auto& file) { return !has_size_of(table, file); });
  if (files.empty()) refuse(table.folder.string(), "holds no register program for the sizes of the case");
  for (const auto& file : files)
    for (const std::string& device : table.devices) {
      Case each = one;
      each.program = file;
      each.device = device;
      each.name += " " + file.lexically_relative(table.folder).string() + " device=" + device;
      out.push_back(std::move(each));
    }
}

void expand_seeds(const CaseTable& table, const Case& one, std::vector<std::uint64_t> seeds, std::vector<Case>& out) {
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  for (const int ports : table.ports)
    for (const std::uint64_t seed : seeds) {
      Case each = one;
      each.ports = ports;
      each.seed = seed;
      each.name += " ports=" + std::to_string(ports) + " seed=" + std::to_string(seed);
      out.push_back(std::move(each));
    }
}

/// Each combination of the axes from `axis` on.
void expand_matrix(const CaseTable& table, std::size_t axis, const Case& one, std::vector<Case>& out) {
  if (axis == table.matrix.size()) {
    out.push_back(one);
    return;
  }
  const auto& [name, values] = table.matrix[axis];
  for (const std::string& value : values) {
    Case each = one;
    each.name.append(" ").append(name).append("=").append(value);
    each.matrix.emplace_back(name, value);
    expand_matrix(table, axis + 1, each, out);
  }
}

}  // namespace

std::string_view name_of(CaseKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

Suite parse_suite(std::string_view text, const std::filesystem::path& file) {
  Suite suite = SuiteReader(file).suite(text);
  suite.file = std::filesystem::absolute(file).lexically_normal();
  suite.text = text;
  return suite;
}

Suite read_suite(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) refuse("suite " + path_in_quotes(file) + " does not exist");
  Suite suite = parse_suite(read_text_file(file, "suite", max_suite_bytes), file);
  check_inputs(suite, file.string());
  return suite;
}

const CaseTable* counting_table(const Suite& suite) {
  const auto found = std::ranges::find_if(suite.tables, &CaseTable::coverage);
  return found == suite.tables.end() ? nullptr : &*found;
}

std::uint64_t drawn_seeds(const Suite& suite) {
  std::uint64_t count = 0;
  for (const CaseTable& table : suite.tables) count += table.seeds.drawn;
  return count;
}

std::vector<Case> expand(const Suite& suite, const std::vector<std::uint64_t>& drawn) {
  std::vector<Case> out;
  auto next_drawn = drawn.begin();
  for (std::size_t number = 0; number < suite.tables.size(); ++number) {
    const CaseTable& table = suite.tables[number];
    Case one;
    one.name = table.name;
    one.table = number;
    if (table.kind == CaseKind::programs) {
      expand_programs(table, one, out);
    } else if (table.kind == CaseKind::random) {
      std::vector<std::uint64_t> seeds = table.seeds.fixed;
      for (std::uint64_t k = 0; k < table.seeds.drawn; ++k) seeds.push_back(*next_drawn++);
      expand_seeds(table, one, std::move(seeds), out);
    } else {
      expand_matrix(table, 0, one, out);
    }
  }
  std::unordered_set<std::string_view> names;
  for (const Case& each : out)
    if (!names.insert(each.name).second) refuse(suite.file.string(), "two cases have the name " + in_quotes(each.name));
  return out;
}

}  // namespace ocs::regress
