// Rectangles, an axis, a svg_legend.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>

#include "testbed/gantt/draw.hpp"

namespace ocs {
namespace {

constexpr int width = 1200, left = 70, right = 30, row_height = 24, bar_height = 18, head = 34, foot = 50, top = 44;
constexpr int ticks_at_most = 10, digit_width = 7;
constexpr std::array<const char*, gantt_kinds> fills = {"#d9d9d9", "#f2c14e", "#9b72cf", "#3f8f5f", "#d62828"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else
      result += c >= ' ' && c <= '~' ? c : '?';
  }
  return result;
}

template <class... Values>
std::string print(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string words(double x, double y, const char* more, const std::string& text) {
  return print("<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, more) + escaped(text) + "</text>\n";
}

class Drawing {
 public:
  Drawing(const GanttChart& chart, double y)
      : chart_(chart),
        begin_(chart.begin()),
        end_(std::max(chart.end(), begin_ + Cycles{1})),
        rows_(chart.rows()),
        y_(y) {}

  double height() const { return head + row_height * static_cast<double>(rows_.size()) + foot; }

  std::string text() const {
    std::string svg = words(left, y_ + 20, "font-weight=\"bold\"", chart_.title);
    svg += grid();
    for (std::size_t k = 0; k < rows_.size(); ++k)
      svg += words(left - 8, row(k) + 13, "text-anchor=\"end\"", "out " + std::to_string(rows_[k]));
    for (const GanttBar& bar : chart_.bars) svg += rectangle(bar);
    return svg;
  }

 private:
  double x(double cycle) const {
    return left +
           (cycle - static_cast<double>(begin_.n)) * (width - left - right) / static_cast<double>((end_ - begin_).n);
  }
  double x(Cycles at) const { return x(static_cast<double>(at.n)); }
  double row(std::size_t k) const { return y_ + head + row_height * static_cast<double>(k); }

  std::string grid() const {
    const Picos begin = to_picos(begin_, chart_.cycle), end = to_picos(end_, chart_.cycle);
    const AxisTicks ticks = axis_ticks(end - begin, ticks_at_most);
    const double bottom = row(rows_.size());
    std::string svg;
    for (Picos at{divide_up(begin.n, ticks.step.n) * ticks.step.n}; at <= end; at += ticks.step) {
      const double place = x(static_cast<double>(at.n) / static_cast<double>(chart_.cycle.n));
      svg += print("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#bbb\"/>\n", place, y_ + head - 4,
                   place, bottom + 4);
      svg += words(place, bottom + 18, "text-anchor=\"middle\"", ticks.text(at));
    }
    return svg + words((left + width - right) / 2.0, bottom + 36, "text-anchor=\"middle\"", "time, " + ticks.unit);
  }

  std::string rectangle(const GanttBar& bar) const {
    const auto k = static_cast<std::size_t>(std::lower_bound(rows_.begin(), rows_.end(), bar.out) - rows_.begin());
    const auto kind = static_cast<std::size_t>(bar.kind);
    const double from = x(bar.from), wide = std::max(x(bar.to) - from, bar.kind == GanttKind::lost ? 2.0 : 0.3);
    const bool carries = bar.kind == GanttKind::data || bar.kind == GanttKind::lost;
    std::string tip = (carries ? "input " + std::to_string(bar.in) + " to output " : "output ") +
                      std::to_string(bar.out) + ": " + std::string(gantt_names[kind]) + ", cycles " +
                      std::to_string(bar.from.n) + " to " + std::to_string(bar.to.n);
    std::string svg =
        print("<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"%s>", from, row(k), wide, bar_height,
              fills[kind], carries && wide > 3 ? " stroke=\"#fff\" stroke-width=\"0.5\"" : "") +
        "<title>" + tip + "</title></rect>\n";
    const std::string name = std::to_string(bar.in);
    if (bar.kind == GanttKind::data && wide > static_cast<double>(digit_width * name.size() + 4))
      svg += words(from + wide / 2, row(k) + 13, "text-anchor=\"middle\" fill=\"#fff\"", name);
    return svg;
  }

  const GanttChart& chart_;
  Cycles begin_, end_;
  std::vector<std::uint16_t> rows_;
  double y_;
};

std::string svg_legend() {
  constexpr std::array<const char*, gantt_kinds> meaning = {"waits for control, fibre or guard", "tuning: mirrors move",
                                                            "locking: receiver acquires", "data, with its input",
                                                            "lost words"};
  std::string svg;
  double at = left;
  for (const std::size_t kind : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4}, std::size_t{0}}) {
    svg += print("<rect x=\"%.1f\" y=\"14\" width=\"16\" height=\"14\" fill=\"%s\"/>\n", at, fills[kind]);
    svg += words(at + 22, 26, "", meaning[kind]);
    at += 215;
  }
  return svg;
}

}  // namespace

std::string gantt_svg(std::span<const GanttChart> charts) {
  double y = top;
  std::string body = svg_legend();
  for (const GanttChart& chart : charts) {
    const Drawing drawing(chart, y);
    body += drawing.text();
    y += drawing.height();
  }
  return print(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
             "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
             width, y, width, y) +
         body + "</svg>\n";
}

}  // namespace ocs
