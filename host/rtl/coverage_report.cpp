// What files of counts hold, merged, as a page of Markdown: the program of tools/coverage.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/error.hpp"
#include "host/rtl/coverage_counts.hpp"
#include "host/rtl/seal.hpp"

namespace ocs::rtl {
namespace {

/// Files that are judged together. Fewer toggles are wanted where no module's test reaches the upper bits of counters and
/// addresses, which the switch in stages has in several stages.
struct Group {
  std::string_view name;
  std::array<double, point_kinds> wanted_percent;
};
constexpr std::array groups{Group{"counter style, window", {98, 90, 100}}, Group{"fast core", {98, 70, 0}},
                            Group{"system on chip", {98, 55, 0}}, Group{"switch in stages", {98, 55, 0}}};
constexpr double most_excluded_percent = 2;

std::size_t group_of(const std::string& file) {
  if (file.starts_with("ocs_soc")) return 2;
  if (file.starts_with("ocs_skew")) return 3;
  return file.ends_with(".svh") || file.starts_with("ocs_fast") ? 1 : 0;
}

std::string number_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f %%", number);
  return text.data();
}

std::string kind_table(const CoverCounts& counts, const std::vector<Exclusion>& exclusions,
                       std::vector<std::string>& wrong) {
  std::string out = "| part | kind | points | excluded | reached | of the rest |\n|---|---|---|---|---|---|\n";
  std::array<CoverCounts, groups.size()> parts;
  for (const auto& [point, count] : counts) parts.at(group_of(point.file)).emplace(point, count);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const CoverSummary summary = summary_of(parts[g], exclusions);
    for (std::size_t k = 0; k < point_kinds; ++k) {
      const CoverTotals& totals = summary.totals.at(k);
      const double wanted = groups[g].wanted_percent.at(k);
      if (wanted == 0) continue;
      const std::string kind(name_of(static_cast<PointKind>(k))), what = std::string(groups[g].name) + ", " + kind;
      out += "| " + std::string(groups[g].name) + " | " + kind + " | " + std::to_string(totals.points) + " | " +
             std::to_string(totals.excluded) + " | " + std::to_string(totals.reached) + " | " +
             number_text(totals.percent()) + " |\n";
      if (totals.points == 0) wrong.push_back(what + ": no point was counted");
      if (totals.percent() < wanted)
        wrong.push_back(what + ": " + number_text(totals.percent()) + " reached, " + number_text(wanted) + " wanted");
      if (totals.percent_excluded() > most_excluded_percent)
        wrong.push_back(what + ": " + number_text(totals.percent_excluded()) + " excluded, " +
                        number_text(most_excluded_percent) + " allowed");
    }
  }
  return out;
}

std::string file_table(const CoverCounts& counts) {
  std::map<std::string, std::array<std::array<std::size_t, 2>, 2>> files;  // by kind: reached, all
  for (const auto& [point, count] : counts) {
    if (point.kind == PointKind::named) continue;
    auto& [reached, all] = files[point.file].at(static_cast<std::size_t>(point.kind));
    ++all;
    if (count != 0) ++reached;
  }
  std::string out = "| file | line points | toggles |\n|---|---|---|\n";
  for (const auto& [file, both] : files) {
    out += "| " + file;
    for (const auto& [reached, all] : both) out += " | " + std::to_string(reached) + " of " + std::to_string(all);
    out += " |\n";
  }
  return out;
}

std::string missing_list(const CoverCounts& counts) {
  std::string out, last;
  for (const auto& [point, count] : counts) {
    if (count != 0) continue;
    const std::string place = std::string(name_of(point.kind)) + ", " + point.file + ": ";
    out += place == last ? ", " : (last.empty() ? "- " : "\n- ") + place;
    out += point.name;
    last = place;
  }
  return last.empty() ? "" : out + "\n";
}

/// @return whether as much is reached as has to be.
bool report(const std::filesystem::path& folder, const std::filesystem::path& excluded,
            const std::filesystem::path& page) {
  CoverCounts counts;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".dat") add_counts(contents_of(entry.path()), entry.path().string(), counts);
  const std::vector<Exclusion> exclusions = parse_exclusions(contents_of(excluded), excluded.string());
  const CoverSummary summary = summary_of(counts, exclusions);
  std::vector<std::string> wrong = summary.wrong;
  const std::string first = "# What the tests reach of the RTL\n\n" + kind_table(counts, exclusions, wrong) + "\n" +
                            file_table(summary.counted) + "\n";
  std::ofstream out(page);
  out << first << "## Not reached\n\n" << missing_list(summary.counted) << "\n## Excluded\n\n";
  for (const Exclusion& each : exclusions) out << "- " << each.text() << ": " << each.reason << '\n';
  out.flush();
  if (!out) throw Error(ErrorKind::run, "\"" + page.string() + "\" can't be written");
  std::cout << first;
  for (const std::string& what : wrong) std::cout << "tools/coverage: " << what << '\n';
  return wrong.empty();
}

}  // namespace
}  // namespace ocs::rtl

int main(int count, char** words) {
  if (count != 4) {
    std::cerr << "usage: coverage_report FOLDER EXCLUSIONS PAGE\n";
    return 2;
  }
  try {
    return ocs::rtl::report(words[1], words[2], words[3]) ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const ocs::Error& failure) {
    std::cerr << "coverage_report: " << failure.what() << '\n';
    return failure.exit_code();
  }
}
