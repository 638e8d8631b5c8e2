// Files of traces by rank, and process groups.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "testbed/chakra/chakra_graph.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t max_trace_bytes = std::size_t{1} << 30, max_groups_bytes = std::size_t{1} << 24;
constexpr std::string_view rank_mark = "%d", groups_option = "?groups=";

[[noreturn]] void refuse_input(const std::string& sentence) { throw Error(ErrorKind::input, sentence); }

/// Ranks of the files that the pattern names, ascending.
std::set<int> ranks_there(const std::filesystem::path& pattern) {
  const std::string name = pattern.filename().string();
  const std::size_t mark = name.find(rank_mark);
  const std::string begin = name.substr(0, mark), end = name.substr(mark + rank_mark.size());
  std::set<int> ranks;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(pattern.parent_path(), failure)) {
    const std::string file = entry.path().filename().string();
    if (file.size() <= begin.size() + end.size() || !file.starts_with(begin) || !file.ends_with(end)) continue;
    const std::string number = file.substr(begin.size(), file.size() - begin.size() - end.size());
    int rank = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), rank);
    if (error == std::errc{} && stop == number.data() + number.size() && std::to_string(rank) == number)
      ranks.insert(rank);
  }
  return ranks;
}

std::string file_of_rank(const std::filesystem::path& pattern, int rank) {
  std::string name = pattern.string();
  return name.replace(name.rfind(rank_mark), rank_mark.size(), std::to_string(rank));
}

std::vector<std::uint16_t> group_of(const nlohmann::json& list, const std::string& place) {
  std::vector<std::uint16_t> ranks;
  std::set<std::int64_t> seen;
  if (!list.is_array() || list.size() < 2) refuse_input(place + " must be a list of two ranks or more");
  for (const nlohmann::json& one : list) {
    const std::int64_t rank = one.is_number_integer() ? one.get<std::int64_t>() : -1;
    if (rank < 0 || rank >= static_cast<std::int64_t>(max_ports) || !seen.insert(rank).second)
      refuse_input(place + " must list ranks from 0 to 255, each once");
    ranks.push_back(static_cast<std::uint16_t>(rank));
  }
  return ranks;
}

}  // namespace

ChakraGroups parse_chakra_groups(std::string_view text, std::string_view origin) {
  const nlohmann::json file = nlohmann::json::parse(text, nullptr, false);
  const std::string place = "file of process groups " + in_quotes(origin);
  if (!file.is_object()) refuse_input(place + " must be JSON such as {\"0\": [0, 1], \"1\": [2, 3]}");
  ChakraGroups groups;
  for (const auto& [name, list] : file.items())
    groups.emplace(name, group_of(list, place + ": group " + in_quotes(name)));
  return groups;
}

ChakraInput load_chakra(std::string_view pattern, const std::filesystem::path& base) {
  const std::size_t question = std::min(pattern.find('?'), pattern.size());
  const std::string_view option = pattern.substr(question);
  if (!option.empty() && !option.starts_with(groups_option))
    refuse_input("must have no option but ?groups=FILE, not " + in_quotes(option));
  const std::filesystem::path path = base / pattern.substr(0, question);
  if (path.filename().string().find(rank_mark) == std::string::npos)
    refuse_input("must have %d in the name of the file, in place of the rank");
  const std::filesystem::path whole = path.parent_path().empty() ? "." / path : path;
  const std::set<int> ranks = ranks_there(whole);
  if (ranks.size() < 2)
    refuse_input("must name the traces of two ranks or more; there are " + std::to_string(ranks.size()));
  if (*ranks.rbegin() >= static_cast<int>(max_ports))
    refuse_input("must have at most 256 ranks, but there is a trace of rank " + std::to_string(*ranks.rbegin()));
  ChakraInput input;
  for (int rank = 0; rank <= *ranks.rbegin(); ++rank) {
    const std::string file = file_of_rank(whole, rank);
    if (!ranks.contains(rank))
      refuse_input("lacks the trace of rank " + std::to_string(rank) + ": there is one of rank " +
                   std::to_string(*ranks.rbegin()) + ", but no file " + in_quotes(file));
    input.traces.push_back(parse_chakra_trace(read_text_file(file, "Chakra trace", max_trace_bytes), file));
  }
  if (option.empty()) return input;
  const std::string file = (base / option.substr(groups_option.size())).string();
  input.groups = parse_chakra_groups(read_text_file(file, "file of process groups", max_groups_bytes), file);
  return input;
}

}  // namespace ocs
