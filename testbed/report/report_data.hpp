// What a page needs of a database, as JSON: rows with the values of their axes, curves, failures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ocs {

struct ReportData {
  nlohmann::json json;
  std::vector<std::string> warnings;
};

/// Keys whose values differ among the rows are axes. @throws Error (input) as report_page()
ReportData report_data(const std::string& database, const std::vector<std::int64_t>& rows);

/// "10 ms" as 1e10 ps, "25 MB" as bytes, "100 Gbit/s", or a plain number; null: it is none of these.
nlohmann::json number_of(const nlohmann::json& value);

}  // namespace ocs
