// Looks for files, keys and programs before a night begins.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/suite_check.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

using std::filesystem::path;

constexpr std::size_t max_experiment_bytes = std::size_t{1} << 20;

/// The names in {NAME}. A shell's ${NAME} is no mark, nor are braces with anything else in them.
std::vector<std::string> marks_in(std::string_view text) {
  constexpr std::string_view in_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::vector<std::string> marks;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find_first_not_of(in_names, at + 1);
    const bool is_name = end != std::string_view::npos && text[end] == '}' && end > at + 1;
    if (is_name && (at == 0 || text[at - 1] != '$')) marks.emplace_back(text.substr(at + 1, end - at - 1));
  }
  return marks;
}

bool can_be_executed(const path& file) {
  std::error_code failed;
  return std::filesystem::is_regular_file(file, failed) && access(file.c_str(), X_OK) == 0;
}

/// As execvp() finds it from this folder.
bool is_program(const std::string& word, const path& folder) {
  if (word.find('/') != std::string::npos) return can_be_executed(folder / word);
  const char* search = std::getenv("PATH");
  if (search == nullptr) return true;  // the system's own folders are searched
  std::istringstream folders(search);
  for (std::string each; std::getline(folders, each, ':');)
    if (can_be_executed(folder / each / word)) return true;
  return false;
}

/// One table.
class TableCheck {
 public:
  TableCheck(const CaseTable& table, path folder, const std::string& origin)
      : table_(table), folder_(std::move(folder)), origin_(origin) {}

  void run() const {
    if (table_.kind == CaseKind::experiment) check_experiment();
    if (table_.kind != CaseKind::command) return;
    for (const std::string& word : table_.command) check_marks("command", word);
    check_marks("junit", table_.junit);
    check_program();
  }

 private:
  [[noreturn]] void wrong(const std::string& key, const std::string& sentence) const {
    const auto said = table_.said.find(key);
    refuse(said == table_.said.end() ? origin_ : origin_ + ":" + std::to_string(said->second.line), sentence);
  }

  void check_file(const std::string& key, const path& file) const {
    std::error_code failed;
    if (std::filesystem::is_regular_file(file, failed) && access(file.c_str(), R_OK) == 0) return;
    wrong(key, key + " is " + path_in_quotes(table_.said.at(key).text) + ", which is no file that can be read");
  }

  void check_experiment() const {
    check_file("experiment", table_.experiment);
    if (!table_.golden.empty()) check_file("golden", table_.golden);
    std::vector<std::string> keys;
    for (const Key& key : experiment_keys()) keys.emplace_back(key.name);
    try {
      const std::string text = read_text_file(table_.experiment, "experiment file", max_experiment_bytes);
      for (const Setting& setting : read_settings(text, table_.said.at("experiment").text))
        if (setting.key.find('#') == std::string::npos && !setting.items.empty())
          check_key(keys, setting.key, setting.origin + ": ");
    } catch (const Error& failure) {
      wrong("experiment", failure.what());
    }
    for (const std::string& text : table_.overrides) try {
        check_key(keys, read_override(text).key, "set is " + in_quotes(text) + ", but ");
      } catch (const Error& failure) {
        wrong("set", failure.what());
      }
    for (const auto& [key, values] : table_.matrix) try {
        check_key(keys, key, "matrix: ");
      } catch (const Error& failure) {
        wrong("matrix", failure.what());
      }
  }

  /// @param place what the sentence begins with.
  static void check_key(const std::vector<std::string>& keys, const std::string& key, const std::string& place) {
    if (std::ranges::find(keys, key) != keys.end()) return;
    const std::string near = nearest(key, keys);
    refuse(place + "unknown key " + in_quotes(key) +
           (near.empty() ? "; `lightloop list keys` lists the keys" : "; did you mean " + in_quotes(near) + "?"));
  }

  void check_marks(const std::string& key, const std::string& text) const {
    std::vector<std::string> known;
    known.reserve(table_.matrix.size() + 1);
    for (const auto& [name, values] : table_.matrix) known.push_back(name);
    known.emplace_back("out");
    for (const std::string& mark : marks_in(text)) {
      if (std::ranges::find(known, mark) != known.end()) continue;
      std::string list;
      for (const std::string& name : known) list.append(list.empty() ? "{" : ", {").append(name).append("}");
      wrong(key, key + " has the mark {" + printable(mark) + "}, which has no value; known: " + printable(list) +
                     ". Braces that are meant as they stand have a blank within");
    }
  }

  /// The command's first word with all values of its marks.
  std::set<std::string> programs() const {
    std::set<std::string> words{table_.command.front()};
    for (const auto& [name, values] : table_.matrix) {
      const std::string mark = "{" + name + "}";
      std::set<std::string> filled;
      for (const std::string& word : words) {
        const std::size_t at = word.find(mark);
        if (at == std::string::npos) filled.insert(word);
        for (const std::string& value : at == std::string::npos ? std::vector<std::string>() : values)
          filled.insert(std::string(word).replace(at, mark.size(), value));
      }
      words = std::move(filled);
    }
    return words;
  }

  void check_program() const {
    for (const std::string& word : programs())
      if (word.find("{out}") == std::string::npos && !is_program(word, folder_))
        wrong("command", "command begins with " + path_in_quotes(word) + ", which is no program that can be started" +
                             (word.find('/') == std::string::npos ? ": no folder of PATH has it" : ""));
  }

  const CaseTable& table_;
  path folder_;
  const std::string& origin_;
};

}  // namespace

std::string path_in_quotes(const path& file) { return "\"" + printable(file.string()) + "\""; }

void check_inputs(const Suite& suite, const std::string& origin) {
  for (const CaseTable& table : suite.tables) TableCheck(table, suite.file.parent_path(), origin).run();
  std::error_code failed;
  if (!suite.coverage_exclusions.empty() && !std::filesystem::is_regular_file(suite.coverage_exclusions, failed))
    refuse(origin, "coverage_exclusions is " + path_in_quotes(suite.coverage_exclusions) +
                       ", which is no file that can be read");
}

}  // namespace ocs::regress
