// Figures for papers: the charts of a report, drawn by matplotlib.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ocs {

struct FigureRequest {
  std::string database;
  std::vector<std::int64_t> rows;  ///< those that are drawn; empty: all
  std::string folder;              ///< is made; files that are there are replaced
  std::string format;              ///< pdf, svg or png
};

struct Figures {
  std::vector<std::string> written;   ///< names of files
  std::vector<std::string> left_out;  ///< a sentence for each figure that isn't drawn
  std::vector<std::string> warnings;  ///< as of ReportPage
};

/// Executes python/lightloop/figures.py, which is a part of this program, by `python3`.
/// @throws Error (input): as report_page(); there is no python3 or no matplotlib, or the folder can't be written
Figures draw_figures(const FigureRequest& request);

}  // namespace ocs
