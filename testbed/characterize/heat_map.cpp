// The picture: N x N cells, a scale, a histogram. Integers in, at most two decimals out.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>

#include "testbed/characterize/pair_medians.hpp"
#include "testbed/characterize/report.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs::characterize {
namespace {

constexpr int margin = 60, map_size = 640, gap = 40, scale_width = 18, histogram_height = 150, top = 70;
constexpr int width = margin + map_size + gap + scale_width + 110;
constexpr std::size_t tips_up_to = 64;  // larger maps say no number at each cell: the file would be ten times as large

/// Colours run from dark to bright and look alike to all eyes: five colours of matplotlib's viridis (CC0).
std::string colour(std::int64_t part, std::int64_t whole) {
  constexpr std::array<std::array<int, 3>, 5> stops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const bool large = whole >= 1'000'000;  // then a product would overflow
  const std::int64_t place = whole == 0 ? 0 : large ? part / (whole / 1000 + 1) * 4 : part * 4000 / whole;  // to 4000
  const auto k = static_cast<std::size_t>(std::min<std::int64_t>(place / 1000, 3));
  const std::int64_t into = place - static_cast<std::int64_t>(k) * 1000;
  std::array<char, 8> text{};
  std::array<unsigned, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<unsigned>(stops[k][c] + (stops[k + 1][c] - stops[k][c]) * into / 1000) & 0xff;
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
  return text.data();
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string rectangle(double x, double y, double w, double h, const std::string& fill, const std::string& tip = {}) {
  const std::string begin = "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(w) +
                            "\" height=\"" + number(h) + "\" fill=\"" + fill + "\"";
  return tip.empty() ? begin + "/>\n" : begin + "><title>" + tip + "</title></rect>\n";
}

std::string words(double x, double y, const std::string& text, const std::string& more = {}) {
  std::string safe;
  for (const char c : text) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c >= ' ' ? c : '?');
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\"" + more + ">" + safe + "</text>\n";
}

constexpr const char* to_the_right = " text-anchor=\"end\"";
constexpr const char* in_the_middle = " text-anchor=\"middle\"";

/// Cells in a row that look alike are one rectangle.
std::string cells(const std::vector<std::optional<Picos>>& medians, std::size_t n, Picos least, Picos most) {
  const double size = static_cast<double>(map_size) / static_cast<double>(n);
  const auto look = [&](std::size_t out, std::size_t in) {
    const auto& median = medians[in * n + out];
    return median ? colour((*median - least).n, (most - least).n) : std::string("#d62728");
  };
  std::string svg;
  for (std::size_t out = 0; out < n; ++out)
    for (std::size_t in = 0; in < n;) {
      const std::string fill = look(out, in);
      std::size_t end = in + 1;
      while (n > tips_up_to && end < n && look(out, end) == fill) ++end;
      std::string tip;
      if (n <= tips_up_to)
        tip = "output " + std::to_string(out) + " from input " + std::to_string(in) + ": " +
              (medians[in * n + out] ? human_time(*medians[in * n + out]) : "never up");
      // A little more than the cell, so that no light shows between two of them.
      const double reach = static_cast<double>(end - in) * size + (end < n ? 0.3 : 0.0);
      svg += rectangle(margin + static_cast<double>(in) * size, top + static_cast<double>(out) * size, reach,
                       size + (out + 1 < n ? 0.3 : 0.0), fill, tip);
      in = end;
    }
  return svg;
}

std::string axes(std::size_t n) {
  const double size = static_cast<double>(map_size) / static_cast<double>(n);
  const std::size_t step = n <= 16 ? 1 : n <= 32 ? 2 : n <= 64 ? 4 : n <= 128 ? 8 : 16;
  std::string svg;
  for (std::size_t k = 0; k < n; k += step) {
    const double middle = (static_cast<double>(k) + 0.5) * size;
    svg += words(margin + middle, top - 6, std::to_string(k), in_the_middle);
    svg += words(margin - 6, top + middle + 4, std::to_string(k), to_the_right);
  }
  svg += words(margin + map_size / 2.0, top - 24, "input", in_the_middle);
  const std::string turned =
      " text-anchor=\"middle\" transform=\"rotate(-90 16 " + std::to_string(top + map_size / 2) + ")\"";
  return svg + words(16, top + map_size / 2.0, "output", turned);
}

std::string scale(Picos least, Picos most) {
  const bool flat = least == most;
  const int steps = flat ? 1 : 64;
  const double x = margin + map_size + gap, step = static_cast<double>(map_size) / steps;
  std::string svg;
  for (int k = 0; k < steps; ++k)
    svg += rectangle(x, top + map_size - (k + 1) * step, scale_width, step + (k > 0 ? 0.3 : 0.0),
                     colour((most - least).n / steps * k, (most - least).n));
  svg += words(x + scale_width + 6, top + map_size, human_time(least));
  if (flat) return svg;
  svg += words(x + scale_width + 6, top + map_size / 2.0 + 4, human_time(Picos{least.n + (most - least).n / 2}));
  return svg + words(x + scale_width + 6, top + 10, human_time(most));
}

std::string bars_of_cells(const std::vector<Bin>& bins, double y) {
  std::size_t most = 1;
  for (const Bin& bin : bins) most = std::max(most, bin.count);
  const double step = static_cast<double>(map_size) / static_cast<double>(bins.size());
  std::string svg =
      words(margin, y - 8,
            "tuning + locking of all set-ups (highest bar: " + human_count(static_cast<std::int64_t>(most)) + ")");
  for (std::size_t k = 0; k < bins.size(); ++k) {
    const double height =
        static_cast<double>(histogram_height) * static_cast<double>(bins[k].count) / static_cast<double>(most);
    svg += rectangle(margin + static_cast<double>(k) * step, y + histogram_height - height, std::max(1.0, step - 2),
                     height, "#3b528b",
                     human_time(bins[k].from) + " to " + human_time(bins[k].to) + ": " +
                         human_count(static_cast<std::int64_t>(bins[k].count)));
  }
  svg += rectangle(margin, y + histogram_height, map_size, 1, "#333333");
  svg += words(margin, y + histogram_height + 16, human_time(bins.front().from));
  return svg + words(margin + map_size, y + histogram_height + 16, human_time(bins.back().to), to_the_right);
}

}  // namespace

std::string to_svg(const Findings& findings, const Summary& summary) {
  const auto medians = pair_medians(findings, [](const CircuitSetUp& s) { return s.together(); });
  const bool map = std::any_of(findings.set_ups.begin(), findings.set_ups.end(),
                               [](const CircuitSetUp& s) { return s.in.has_value(); });
  std::optional<Picos> least, most;
  for (const auto& median : medians) {
    if (!median) continue;
    least = std::min(least.value_or(*median), *median);
    most = std::max(most.value_or(*median), *median);
  }
  const int below = map ? top + map_size + 60 : top + 20;
  const int height = below + (summary.bins.empty() ? 0 : histogram_height + 40);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) + "\" height=\"" +
                    std::to_string(height) + "\" viewBox=\"0 0 " + std::to_string(width) + " " +
                    std::to_string(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\" shape-rendering=\"crispEdges\">\n";
  svg += rectangle(0, 0, width, height, "#ffffff");
  svg +=
      words(margin, 24, findings.subject + ": " + (map ? "median set-up of each pair of ports" : "set-ups in the log"),
            " font-size=\"16\"");
  if (map)
    svg += cells(medians, static_cast<std::size_t>(findings.ports), least.value_or(Picos{}), most.value_or(Picos{})) +
           axes(static_cast<std::size_t>(findings.ports));
  if (map && least) svg += scale(*least, *most);
  if (map && summary.failed > 0) svg += words(margin, top + map_size + 20, "red: never up");
  if (!summary.bins.empty()) svg += bars_of_cells(summary.bins, below);
  return svg + "</svg>\n";
}

}  // namespace ocs::characterize
