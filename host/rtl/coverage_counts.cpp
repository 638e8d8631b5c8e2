// Verilator's records are C '^Akey^Bvalue...' COUNT, one a line, with ^A and ^B for the bytes 1 and 2.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/coverage_counts.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"

namespace ocs::rtl {
namespace {

constexpr std::array<std::string_view, point_kinds> kind_names{"line", "toggle", "named"};
constexpr std::string_view head = "# SystemC::Coverage-3\n";

template <class Number>
std::optional<Number> number_in(std::string_view digits) {
  Number value = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return failed == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

/// The fields of a record that say which point it is.
struct Fields {
  std::string_view page, file, line, column, what;

  /// Takes "key^Bvalue". @return whether it has this form.
  bool take(std::string_view field) {
    const std::size_t between = field.find('\2');
    if (between == std::string_view::npos) return false;
    constexpr std::array<std::pair<std::string_view, std::string_view Fields::*>, 5> known{{{"page", &Fields::page},
                                                                                            {"f", &Fields::file},
                                                                                            {"l", &Fields::line},
                                                                                            {"n", &Fields::column},
                                                                                            {"o", &Fields::what}}};
    for (const auto& [key, member] : known)
      if (field.substr(0, between) == key) this->*member = field.substr(between + 1);
    return true;
  }
};

/// @return nothing if it isn't a list of "^Akey^Bvalue".
std::optional<Fields> fields_of(std::string_view body) {
  Fields fields;
  while (!body.empty()) {
    if (body.front() != '\1') return std::nullopt;
    const std::size_t next = std::min(body.find('\1', 1), body.size());
    if (!fields.take(body.substr(1, next - 1))) return std::nullopt;
    body.remove_prefix(next);
  }
  return fields;
}

/// Whether lines and toggles of this file count.
bool is_rtl(std::string_view file) {
  const std::string rooted = "/" + std::string(file);
  return rooted.find("/rtl/") != std::string::npos && rooted.find("/checks/") == std::string::npos &&
         rooted.find("/tests/") == std::string::npos;
}

bool readable(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

struct Record {
  std::optional<CoverPoint> point;  ///< none: not ours to count
  std::uint64_t count = 0;
};

/// @return nothing if the line is damaged.
std::optional<Record> record_in(std::string_view line) {
  constexpr std::string_view begin = "C '", between = "' ";
  const std::size_t end = line.rfind(between);
  if (!line.starts_with(begin) || end == std::string_view::npos || end < begin.size()) return std::nullopt;
  const auto count = number_in<std::uint64_t>(line.substr(end + between.size()));
  const auto fields = fields_of(line.substr(begin.size(), end - begin.size()));
  if (!count || !fields || !readable(fields->file) || !readable(fields->what)) return std::nullopt;
  Record record{std::nullopt, *count};
  const std::string_view type = fields->page.substr(0, fields->page.find('/'));
  std::string file(fields->file.substr(fields->file.rfind('/') + 1)), name(fields->what);
  if (type == "v_user") {
    record.point = CoverPoint{PointKind::named, std::move(file), std::move(name)};
  } else if (type == "v_toggle") {
    if (is_rtl(fields->file)) record.point = CoverPoint{PointKind::toggle, std::move(file), std::move(name)};
  } else if (type == "v_line" || type == "v_branch") {
    if (!number_in<std::uint32_t>(fields->line) || !number_in<std::uint32_t>(fields->column)) return std::nullopt;
    name = std::string(fields->line) + ":" + std::string(fields->column) + " " + name;
    if (is_rtl(fields->file)) record.point = CoverPoint{PointKind::line, std::move(file), std::move(name)};
  } else {
    return std::nullopt;
  }
  return record;
}

/// Sums do not wrap around.
std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return b > most - a ? most : a + b;
}

double share(std::size_t part, std::size_t whole) {
  constexpr double percent = 100;
  return whole == 0 ? percent : percent * static_cast<double>(part) / static_cast<double>(whole);
}

std::string path_of(const std::string& file, const std::filesystem::path& sources) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources, failed))
    if (entry.path().filename() == file) return std::filesystem::absolute(entry.path()).lexically_normal().string();
  return file;
}

/// Counts of the points of each line, in the order of their columns.
using LineCounts = std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>>;

std::string lcov_of_file(const std::string& path, LineCounts& lines) {
  std::string branches, text;
  std::size_t lines_hit = 0, branches_found = 0, branches_hit = 0;
  for (auto& [line, points] : lines) {
    std::ranges::stable_sort(points, {}, [](const auto& point) { return point.first; });
    std::uint64_t most = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::uint64_t count = points[k].second;
      most = std::max(most, count);
      if (points.size() == 1) continue;
      branches += "BRDA:" + std::to_string(line) + ",0," + std::to_string(k) + "," + std::to_string(count) + "\n";
      ++branches_found;
      if (count != 0) ++branches_hit;
    }
    text += "DA:" + std::to_string(line) + "," + std::to_string(most) + "\n";
    if (most != 0) ++lines_hit;
  }
  return "SF:" + path + "\n" + branches + "BRF:" + std::to_string(branches_found) +
         "\nBRH:" + std::to_string(branches_hit) + "\n" + text + "LF:" + std::to_string(lines.size()) +
         "\nLH:" + std::to_string(lines_hit) + "\nend_of_record\n";
}

}  // namespace

std::string_view name_of(PointKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

PointKind point_kind_named(std::string_view name) {
  const auto found = std::ranges::find(kind_names, name);
  if (found == kind_names.end()) refuse("\"" + printable(std::string(name)) + "\" is not a kind of cover point");
  return static_cast<PointKind>(found - kind_names.begin());
}

std::uint64_t add_counts(std::string_view text, const std::string& origin, CoverCounts& into) {
  if (!text.starts_with(head)) refuse(origin, "is not a file of counts: it must begin with # SystemC::Coverage-3");
  if (!text.ends_with('\n')) refuse(origin, "is a damaged file of counts: its last line has no end");
  CoverCounts read;
  std::uint64_t sum = 0;
  std::size_t number = 1;
  for (std::size_t at = head.size(); at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.starts_with('#')) continue;
    const std::optional<Record> record = record_in(line);
    if (!record) refuse(origin + ":" + std::to_string(number), "is damaged: it must be a count of coverage");
    sum = sum_of(sum, record->count);
    if (record->point) {
      std::uint64_t& count = read[*record->point];
      count = sum_of(count, record->count);
    }
  }
  add_counts(read, into);  // all of a file, or nothing
  return sum;
}

void add_counts(const CoverCounts& from, CoverCounts& into) {
  for (const auto& [point, count] : from) {
    std::uint64_t& sum = into[point];
    sum = sum_of(sum, count);
  }
}

bool Exclusion::holds(const CoverPoint& point) const {
  if (kind != point.kind || file != point.file) return false;
  std::string name = point.name, wanted;
  std::ranges::replace(name, ' ', '_');
  for (const char c : pattern)  // only * stands for something else than itself
    wanted += c == '[' ? "[[]" : c == '?' ? "[?]" : std::string(1, c);
  return fnmatch(wanted.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

std::string Exclusion::text() const { return std::string(name_of(kind)) + " " + file + " " + pattern; }

std::vector<Exclusion> parse_exclusions(std::string_view text, const std::string& origin) {
  std::vector<Exclusion> out;
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::size_t mark = line.find(" # ");
    std::istringstream words(line.substr(0, mark));
    const std::vector<std::string> parts{std::istream_iterator<std::string>(words), {}};
    const auto kind = parts.empty() ? kind_names.end() : std::ranges::find(kind_names, parts.front());
    const std::size_t reason = mark == std::string::npos ? mark : line.find_first_not_of(" \t\r", mark + 3);
    if (parts.size() != 3 || kind == kind_names.end() || reason == std::string::npos)
      refuse(origin + ":" + std::to_string(number),
             "must be \"KIND FILE NAME # reason\", with one of the kinds line, toggle, named");
    out.push_back({static_cast<PointKind>(kind - kind_names.begin()), parts[1], parts[2], line.substr(reason)});
  }
  return out;
}

double CoverTotals::percent() const { return share(reached, counted()); }

double CoverTotals::percent_excluded() const { return points == 0 ? 0 : share(excluded, points); }

CoverSummary summary_of(const CoverCounts& counts, const std::vector<Exclusion>& exclusions) {
  CoverSummary out;
  std::vector<bool> met(exclusions.size(), false);
  for (const auto& [point, count] : counts) {
    CoverTotals& totals = out.totals.at(static_cast<std::size_t>(point.kind));
    ++totals.points;
    bool excluded = false, by_name = true;
    for (std::size_t k = 0; k < exclusions.size(); ++k) {
      if (!exclusions[k].holds(point)) continue;
      met[k] = excluded = true;
      if (exclusions[k].pattern.find('*') != std::string::npos) by_name = false;
    }
    if (!excluded) {
      out.counted.emplace(point, count);
      if (count != 0) ++totals.reached;
      continue;
    }
    ++totals.excluded;
    if (count != 0 && by_name)
      out.wrong.push_back("excluded, but reached: " + std::string(name_of(point.kind)) + " " + point.file + " " +
                          point.name);
  }
  for (std::size_t k = 0; k < exclusions.size(); ++k)
    if (!met[k]) out.wrong.push_back("exclusion \"" + exclusions[k].text() + "\" meets no point");
  return out;
}

std::string lcov_text(const CoverCounts& counts, const std::filesystem::path& sources) {
  std::map<std::string, LineCounts> files;
  for (const auto& [point, count] : counts) {
    if (point.kind != PointKind::line) continue;
    const std::size_t colon = point.name.find(':'), blank = std::min(point.name.find(' '), point.name.size());
    if (colon >= blank) continue;
    const auto line = number_in<std::uint32_t>(std::string_view(point.name).substr(0, colon));
    const auto column = number_in<std::uint32_t>(std::string_view(point.name).substr(colon + 1, blank - colon - 1));
    if (line && column) files[point.file][*line].emplace_back(*column, count);
  }
  std::string text = "TN:\n";
  for (auto& [file, lines] : files) text += lcov_of_file(path_of(file, sources), lines);
  return text;
}

}  // namespace ocs::rtl
