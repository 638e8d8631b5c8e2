// What a night reached of the RTL, against the last one that counted, and by rule of the contract.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/regress/history.hpp"

namespace ocs::regress {

struct NightCoverage {
  rtl::CoverSummary summary;
  std::optional<std::int64_t> before;   ///< the night that it is compared with
  std::vector<rtl::CoverPoint> opened;  ///< reached then and not now
  std::vector<rtl::CoverPoint> closed;  ///< reached now and not then
};

/// @return nothing if no case of the night counted.
std::optional<NightCoverage> coverage_of(History& history, std::int64_t night,
                                         const std::vector<rtl::Exclusion>& exclusions);

/// For History::set_totals: percentages.
std::vector<Measure> totals_of(const NightCoverage& coverage);

/// "coverage: 98.1 % of 379 line points, ...".
std::string coverage_sentence(const NightCoverage& coverage);

/// A section of the night's page.
std::string coverage_section(const NightCoverage& coverage);

/// A rule of docs/switch-contract.md with cover points: tests/traceability writes the table.
struct RuleOfContract {
  std::string_view rule;    ///< "3.4"
  std::string_view begins;  ///< its first words
  std::string_view points;  ///< "core.see_range core.see_conflict"
};
std::span<const RuleOfContract> rules_of_contract();

/// "core.see_range" of the named point see_range in ocs_core_checks.sv.
std::string name_in_rules(const rtl::CoverPoint& point);

}  // namespace ocs::regress
