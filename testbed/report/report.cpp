// The page with its data, its charts, and the library that draws them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/report/report.hpp"

#include <string_view>

#include "testbed/report/page.hpp"
#include "testbed/report/report_data.hpp"

namespace ocs {
namespace {

/// Nothing in it can end the element of the page that it stands in.
std::string in_script(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

void put(std::string& page, std::string_view mark, std::string_view text) {
  if (const std::size_t at = page.find(mark); at != std::string::npos) page.replace(at, mark.size(), text);
}

}  // namespace

ReportPage report_page(const std::string& database, const std::vector<std::int64_t>& rows,
                       const std::vector<ReportDetail>& details) {
  ReportData data = report_data(database, rows);
  data.json["details"] = nlohmann::json::array();
  for (const ReportDetail& detail : details)
    data.json["details"].push_back({{"title", detail.title}, {"svg", detail.svg}, {"text", detail.text}});
  data.json["warnings"] = data.warnings;
  std::string html(report_template());
  put(html, "/*LIBRARY*/", chart_library());
  put(html, "/*CHARTS*/", report_script());
  put(html, "/*DATA*/null", in_script(data.json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  return {std::move(html), std::move(data.warnings)};
}

}  // namespace ocs
