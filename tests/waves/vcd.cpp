// Word by word.
// SPDX-License-Identifier: Apache-2.0
#include "tests/waves/vcd.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

namespace ocs::test {
namespace {

/// $scope, $var, $upscope, up to $enddefinitions. @return full names by the short codes that values have.
std::map<std::string, std::vector<std::string>> read_names(std::ifstream& in) {
  std::map<std::string, std::vector<std::string>> names;
  std::vector<std::string> scopes;
  for (std::string word, kind, width, code, name; in >> word && word != "$enddefinitions";) {
    if (word == "$scope" && in >> kind >> name) scopes.push_back(name);
    if (word == "$upscope") scopes.pop_back();
    if (word != "$var") continue;
    in >> kind >> width >> code >> name;
    std::string full;
    for (const std::string& scope : scopes) full += scope + ".";
    names[code].push_back(full + name);
  }
  return names;
}

}  // namespace

const std::vector<Vcd::Change>& Vcd::ends_with(const std::string& end) const {
  static const std::vector<Change> nothing;
  const std::vector<Change>* found = &nothing;
  for (const auto& [name, changes] : signals) {
    if (!name.ends_with(end)) continue;
    EXPECT_EQ(found, &nothing) << "several signals end with " << end;
    found = &changes;
  }
  EXPECT_NE(found, &nothing) << "no signal ends with " << end;
  return *found;
}

Vcd read_vcd(const std::string& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  Vcd out;
  const auto names = read_names(in);
  std::optional<std::int64_t> now;
  for (std::string word, code; in >> word;) {
    if (word[0] == '#') {
      now = std::stoll(word.substr(1));
      if (out.signals.empty()) out.first = *now;
      out.last = *now;
    }
    if (word[0] == '#' || word[0] == '$') continue;
    std::string value = word.substr(0, 1);
    code = word.substr(1);
    if (word[0] == 'b') {
      value = word.substr(1);
      in >> code;
    }
    const auto known = names.find(code);
    if (known == names.end()) continue;
    for (const std::string& name : known->second) {
      std::vector<Vcd::Change>& changes = out.signals[name];
      if (changes.empty() || changes.back().value != value) changes.push_back({now.value_or(0), value});
    }
  }
  return out;
}

}  // namespace ocs::test
