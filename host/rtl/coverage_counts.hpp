// What a switch with coverage has reached: points of the RTL, read from Verilator's files, added up and summarised.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ocs::rtl {

enum class PointKind : std::uint8_t {
  line,    ///< a branch, or a block without branches
  toggle,  ///< one bit of a signal
  named,   ///< a `cover` of rtl/checks
};
constexpr std::size_t point_kinds = 3;
std::string_view name_of(PointKind kind);
/// @throws Error (input) for any other text.
PointKind point_kind_named(std::string_view name);

/// The same point in every instance and every size of the switch.
struct CoverPoint {
  PointKind kind = PointKind::line;
  std::string file;  ///< without its folder: "ocs_core.sv"
  std::string name;  ///< "98:20 if" (line, column, branch), "time_q[3]" or "see_held"
  auto operator<=>(const CoverPoint&) const = default;
};

/// How often each point was reached; 0 for those that exist and were not.
using CoverCounts = std::map<CoverPoint, std::uint64_t>;

/// Adds the counts of a file that Verilator wrote. Not counted are lines and toggles of the checks, of tests and of files
/// outside of rtl/. @param origin begins sentences. @return sum over all records. @throws Error (input): it is damaged.
std::uint64_t add_counts(std::string_view text, const std::string& origin, CoverCounts& into);

void add_counts(const CoverCounts& from, CoverCounts& into);

/// A line `KIND FILE NAME # reason`: points that need not be reached. NAME may hold *; blanks in it are written _.
struct Exclusion {
  PointKind kind = PointKind::line;
  std::string file, pattern, reason;

  bool holds(const CoverPoint& point) const;
  std::string text() const;  ///< "line ocs_core.sv 98:20_if"
};

/// @throws Error (input) that names the line.
std::vector<Exclusion> parse_exclusions(std::string_view text, const std::string& origin);

struct CoverTotals {
  std::size_t points = 0, excluded = 0;
  std::size_t reached = 0;  ///< of those that are not excluded
  std::size_t counted() const { return points - excluded; }
  double percent() const;  ///< of those that are not excluded; 100 if there is none
  double percent_excluded() const;
};

struct CoverSummary {
  CoverCounts counted;                          ///< without what is excluded
  std::array<CoverTotals, point_kinds> totals;  ///< by kind
  std::vector<std::string> wrong;               ///< exclusions that meet no point, or one that was reached
  const CoverTotals& of(PointKind kind) const { return totals.at(static_cast<std::size_t>(kind)); }
};
CoverSummary summary_of(const CoverCounts& counts, const std::vector<Exclusion>& exclusions);

/// Line points in LCOV's format: DA for each line with a point, with the largest count of its points; BRDA for each
/// branch of a line with several. @param sources where the files are; a file that isn't there has no folder.
std::string lcov_text(const CoverCounts& counts, const std::filesystem::path& sources);

}  // namespace ocs::rtl
