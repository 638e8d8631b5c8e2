// Cycles are exact; times are cycles of the device.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/firmware_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "testbed/results/text/human.hpp"

namespace ocs::characterize {
namespace {

std::string padded_left(const std::string& text, std::size_t width, bool left = false) {
  const std::string space(width > text.size() ? width - text.size() : 0, ' ');
  return left ? text + space : space + text;
}

constexpr double chart_width = 640, height = 360, left = 70, bottom = 50, chart_top = 30, right = 20;

using Points = std::vector<std::pair<int, std::int64_t>>;

/// Ports from left to right, cycles upwards.
std::string curve(const Points& points, int most_ports, std::int64_t most_cycles, const char* colour, const char* name,
                  double name_at) {
  std::string line, dots;
  for (const auto& [ports, cycles] : points) {
    const double x = left + (chart_width - left - right) * ports / most_ports;
    const double y = height - bottom -
                     (height - bottom - chart_top) * static_cast<double>(cycles) / static_cast<double>(most_cycles);
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%.1f,%.1f ", x, y);
    line += text.data();
    std::snprintf(text.data(), text.size(), "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x, y, colour);
    dots += text.data();
  }
  return std::string("<polyline fill=\"none\" stroke=\"") + colour + "\" stroke-width=\"2\" points=\"" + line +
         "\"/>\n" + dots + "<text x=\"" + std::to_string(static_cast<int>(left) + 20) + "\" y=\"" +
         std::to_string(static_cast<int>(name_at)) + "\" fill=\"" + colour + "\">" + name + "</text>\n";
}

}  // namespace

std::string firmware_text(std::span<const FirmwareLatency> latencies, Picos cycle, int ports) {
  std::size_t wide = 7;
  for (const FirmwareLatency& l : latencies) wide = std::max(wide, l.command.size());
  std::string text = "firmware of soc: " + std::to_string(ports) + " ports, cycle " + std::to_string(cycle.n) +
                     " ps; core cycles and time from the doorbell\n\n" + padded_left("command", wide, true) +
                     "     n   to commit               to answer\n";
  for (const FirmwareLatency& l : latencies) {
    text += padded_left(l.command, wide, true) + padded_left(std::to_string(l.count), 6);
    text += l.commit
                ? padded_left(std::to_string(l.commit->n), 12) + padded_left(human_time(to_picos(*l.commit, cycle)), 12)
                : padded_left("-", 12) + padded_left("-", 12);
    text += padded_left(std::to_string(l.answer.n), 12) + padded_left(human_time(to_picos(l.answer, cycle)), 12) + "\n";
  }
  return text;
}

std::string firmware_csv(std::span<const FirmwareLatency> latencies, Picos cycle) {
  std::string text = "command,count,commit_cycles,answer_cycles,commit_ps,answer_ps\n";
  for (const FirmwareLatency& l : latencies) {
    std::string name = l.command;
    std::replace(name.begin(), name.end(), ',', ';');
    text += name + "," + std::to_string(l.count) + "," + (l.commit ? std::to_string(l.commit->n) : "") + "," +
            std::to_string(l.answer.n) + "," + (l.commit ? std::to_string(to_picos(*l.commit, cycle).n) : "") + "," +
            std::to_string(to_picos(l.answer, cycle).n) + "\n";
  }
  return text;
}

std::string firmware_svg(std::span<const FirmwareLatency> latencies, Picos cycle) {
  Points maps, states;
  int most_ports = 1;
  std::int64_t most = 1;
  for (const FirmwareLatency& l : latencies) {
    if (l.command == "map" && l.commit) maps.emplace_back(l.count, l.commit->n);
    if (l.command == "state") states.emplace_back(l.count, l.answer.n);
    most_ports = std::max(most_ports, l.count);
  }
  for (const Points& points : {maps, states})
    for (const auto& [n, cycles] : points) most = std::max(most, cycles);
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"360\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"640\" height=\"360\" fill=\"white\"/>\n"
      "<path d=\"M70 30V310H620\" fill=\"none\" stroke=\"black\"/>\n"
      "<text x=\"345\" y=\"345\" text-anchor=\"middle\">outputs in the command</text>\n"
      "<text x=\"70\" y=\"20\">core cycles from the doorbell (a cycle is " +
      std::to_string(cycle.n) + " ps)</text>\n<text x=\"62\" y=\"38\" text-anchor=\"end\">" + std::to_string(most) +
      "</text>\n<text x=\"62\" y=\"314\" text-anchor=\"end\">0</text>\n<text x=\"620\" y=\"328\" text-anchor=\"end\">" +
      std::to_string(most_ports) + "</text>\n";
  svg += curve(maps, most_ports, most, "#1f77b4", "bulk map, to the commit", 60);
  svg += curve(states, most_ports, most, "#d62728", "state read, to the answer", 80);
  return svg + "</svg>\n";
}

}  // namespace ocs::characterize
