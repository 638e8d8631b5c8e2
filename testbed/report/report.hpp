// A database as one page: what was run, and charts of what came out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ocs {

/// A row that is looked at closely.
struct ReportDetail {
  std::string title;
  std::string svg;   ///< what its switch did; empty: nothing to draw
  std::string text;  ///< why it took so long
};

struct ReportPage {
  std::string html;
  std::vector<std::string> warnings;  ///< what of the database is not shown, a sentence each
};

/// One HTML file with everything in it. @param rows those that are shown; empty: all
/// @throws Error (input): no database of this schema, a row that isn't there, damage, or no row that didn't fail
ReportPage report_page(const std::string& database, const std::vector<std::int64_t>& rows,
                       const std::vector<ReportDetail>& details);

}  // namespace ocs
