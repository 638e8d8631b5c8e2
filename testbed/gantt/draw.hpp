// Charts as text for a terminal, and as SVG.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "testbed/gantt/chart.hpp"

namespace ocs {

struct TextStyle {
  int width = 80;       ///< columns of a line, at least 40
  bool colour = false;  ///< by ANSI escape sequences
};

/// A line each output, a letter each kind; the input stands at the beginning of its data where there is room. In a
/// column stands what fills most of it, but losses and data that are shorter than a column always show.
std::string gantt_text(const GanttChart& chart, TextStyle style);

/// One picture of all charts, one below the other, each with its own axis.
std::string gantt_svg(std::span<const GanttChart> charts);

/// What each kind is called in legends, by its number.
inline constexpr std::string_view gantt_names[gantt_kinds] = {"control", "tuning", "locking", "data", "lost"};

/// Where an axis has its ticks: multiples of 1, 2 or 5 times a power of ten ps, at most `most` steps, from 0 on.
struct AxisTicks {
  Picos step;
  std::string unit;                  ///< "us"
  std::int64_t unit_ps;              ///< of one
  std::string text(Picos at) const;  ///< "2.5"
};
AxisTicks axis_ticks(Picos length, int most);

}  // namespace ocs
