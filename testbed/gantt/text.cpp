// Columns and letters.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>

#include "host/core/wide.hpp"
#include "testbed/gantt/draw.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

constexpr int label = 8, least_width = 40, tick_columns = 14;
constexpr std::array<char, gantt_kinds> letters = {'.', '~', '-', '#', '!'};
constexpr std::array<const char*, gantt_kinds> colours = {"\x1b[90m", "\x1b[33m", "\x1b[35m", "\x1b[32m", "\x1b[1;31m"};
constexpr std::string_view plain = "\x1b[0m";

struct Cell {
  char letter = ' ';
  int kind = -1;
};

/// Columns of equal time.
class Columns {
 public:
  Columns(Cycles begin, Cycles end, int count) : begin_(begin), length_(end - begin), count_(count) {}
  /// The instant at which column `n` begins, rounded down.
  Cycles at(int n) const { return begin_ + Cycles{static_cast<std::int64_t>(Wide{length_.n} * n / count_)}; }
  int of(Cycles at) const {
    if (length_.n == 0) return 0;
    const auto n = static_cast<int>(Wide{(at - begin_).n} * count_ / length_.n);
    return std::clamp(n, 0, count_ - 1);
  }
  int count() const { return count_; }

 private:
  Cycles begin_, length_;
  int count_;
};

/// What fills most of each column; a later bar hides an earlier one.
std::vector<Cell> cells(const std::vector<GanttBar>& bars, const Columns& columns) {
  const auto count = static_cast<std::size_t>(columns.count());
  std::vector<std::array<std::int64_t, gantt_kinds>> filled(count);
  for (const GanttBar& bar : bars)
    for (int n = columns.of(bar.from); n < columns.count() && columns.at(n) < bar.to; ++n) {
      const std::int64_t shared = (std::min(bar.to, columns.at(n + 1)) - std::max(bar.from, columns.at(n))).n;
      auto& kinds = filled[static_cast<std::size_t>(n)];
      // Control lies below tuning and locking of the same stretch.
      if (bar.kind == GanttKind::tuning || bar.kind == GanttKind::locking)
        kinds[0] = std::max<std::int64_t>(0, kinds[0] - std::max<std::int64_t>(1, shared));
      kinds[static_cast<std::size_t>(bar.kind)] += std::max<std::int64_t>(1, shared);
    }
  std::vector<Cell> row(count);
  for (std::size_t n = 0; n < count; ++n) {
    const auto most = std::max_element(filled[n].begin(), filled[n].end());
    auto kind = static_cast<std::size_t>(most - filled[n].begin());
    if (filled[n].back() > 0) kind = filled[n].size() - 1;
    if (filled[n][kind] > 0) row[n] = {letters[kind], static_cast<int>(kind)};
  }
  return row;
}

/// Data that are shorter than a column show too, over everything but a loss.
void show_short_data(std::vector<Cell>& row, const std::vector<GanttBar>& bars, const Columns& columns) {
  constexpr int data = static_cast<int>(GanttKind::data);
  static_assert(data < static_cast<int>(GanttKind::lost));
  for (const GanttBar& bar : bars) {
    if (bar.kind != GanttKind::data) continue;
    const auto first = row.begin() + columns.of(bar.from), last = row.begin() + columns.of(bar.to - Cycles{1}) + 1;
    if (std::any_of(first, last, [](const Cell& cell) { return cell.kind >= data; })) continue;
    *first = {letters[data], data};
  }
}

/// The input, at the first columns of its data.
void name_inputs(std::vector<Cell>& row, const std::vector<GanttBar>& bars, const Columns& columns) {
  for (const GanttBar& bar : bars) {
    if (bar.kind != GanttKind::data) continue;
    const std::string name = std::to_string(bar.in);
    auto first = static_cast<std::size_t>(columns.of(bar.from));
    const auto last = static_cast<std::size_t>(columns.of(bar.to - Cycles{1}));
    while (first < last && row[first].letter != '#') ++first;
    if (first + name.size() > last) continue;
    if (std::any_of(row.begin() + static_cast<std::ptrdiff_t>(first),
                    row.begin() + static_cast<std::ptrdiff_t>(first + name.size() + 1),
                    [](const Cell& cell) { return cell.letter != '#'; }))
      continue;
    for (std::size_t k = 0; k < name.size(); ++k) row[first + k].letter = name[k];
  }
}

std::string line(const std::vector<Cell>& row, bool colour) {
  std::string text;
  int now = -1;
  for (const Cell& cell : row) {
    if (colour && cell.kind != now)
      text += cell.kind < 0 ? std::string(plain) : colours[static_cast<std::size_t>(cell.kind)];
    now = cell.kind;
    text += cell.letter;
  }
  if (colour && now >= 0) text += plain;
  if (!colour) text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string axis(const GanttChart& chart, const Columns& columns) {
  const Picos begin = to_picos(chart.begin(), chart.cycle), end = to_picos(chart.end(), chart.cycle);
  const AxisTicks ticks = axis_ticks(end - begin, std::max(1, columns.count() / tick_columns));
  std::string text;
  for (Picos at{divide_up(begin.n, ticks.step.n) * ticks.step.n}; at <= end; at += ticks.step) {
    const auto column = static_cast<std::size_t>(columns.of(Cycles{at.n / chart.cycle.n}));
    const std::string mark = "|" + ticks.text(at) + " " + ticks.unit;
    if (column < text.size() || column + mark.size() > static_cast<std::size_t>(columns.count())) continue;
    text.resize(column, ' ');
    text += mark;
  }
  return text;
}

std::string legend(bool colour) {
  std::string text = "  ";
  for (std::size_t kind = 1; kind < letters.size(); ++kind)
    text += (colour ? colours[kind] : "") + std::string(1, letters[kind]) + (colour ? std::string(plain) : "") + " " +
            std::string(gantt_names[kind]) + (kind == 3 ? ", after its input" : "") + "  ";
  return text + (colour ? colours[0] : "") + "." + (colour ? std::string(plain) : "") + " waits for control\n";
}

}  // namespace

std::string gantt_text(const GanttChart& chart, TextStyle style) {
  std::string text = chart.title + "\n";
  const Columns columns(chart.begin(), chart.end(), std::max(style.width, least_width) - label);
  for (const std::uint16_t out : chart.rows()) {
    std::vector<GanttBar> bars;
    std::copy_if(chart.bars.begin(), chart.bars.end(), std::back_inserter(bars),
                 [&](const GanttBar& bar) { return bar.out == out; });
    std::vector<Cell> row = cells(bars, columns);
    show_short_data(row, bars, columns);
    name_inputs(row, bars, columns);
    char name[16];
    std::snprintf(name, sizeof name, "out %3d ", out);
    text += name + line(row, style.colour) + "\n";
  }
  text += std::string(label, ' ') + axis(chart, columns) + "\n";
  return text + legend(style.colour);
}

}  // namespace ocs
