// Charts plane by plane.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/gantt/chart_watch.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

std::string plane_title(const std::string& title, std::size_t planes, std::size_t plane) {
  return planes == 1 ? title : title + ", plane " + std::to_string(plane);
}

/// Bursts with the ports that their events name, as if they had been executed for reservations.
std::vector<Carried> carried_of(const std::vector<Event>& log) {
  std::map<Id, Outputs> outputs;
  std::vector<Carried> list;
  for (const Event& event : log) {
    if (event.kind == EventKind::run) outputs[event.burst].set(event.port);
    if (event.kind != EventKind::burst_done) continue;
    const Words sent = event.words.count;
    Reservation planned{};
    planned.in = Input{event.port};
    planned.outs = outputs[event.burst];
    planned.word = Ticks{1};
    outputs.erase(event.burst);
    list.push_back({planned, event.burst, event.at - Cycles{sent.n}, event.at - Cycles{sent.n}, event.at, sent});
  }
  return list;
}

}  // namespace

std::vector<GanttChart> ChartWatch::finish(const std::string& title) const {
  std::vector<GanttChart> charts;
  for (std::size_t plane = 0; plane < shape_.planes; ++plane) {
    ExecutedChart chart(plane_title(title, shape_.planes, plane), shape_.cycle);
    for (const Event& event : events_[plane]) chart.on(event);
    for (const Carried& carried : carried_[plane]) chart.on(carried);
    charts.push_back(std::move(chart).finish());
  }
  return charts;
}

std::vector<GanttChart> charts_of_log(std::span<const Event> log, Picos cycle, const std::string& title) {
  std::map<std::size_t, std::vector<Event>> planes;
  for (const Event& event : log) planes[index(event.plane)].push_back(event);
  std::vector<GanttChart> charts;
  for (const auto& [plane, events] : planes) {
    ExecutedChart chart(plane_title(title, planes.size(), plane), cycle);
    for (const Event& event : events) chart.on(event);
    for (const Carried& carried : carried_of(events)) chart.on(carried);
    charts.push_back(std::move(chart).finish());
  }
  return charts;
}

void align(std::span<GanttChart> charts, std::optional<Picos> from, std::optional<Picos> to) {
  Picos first = never<Picos>, last{0};
  for (const GanttChart& chart : charts) {
    if (chart.bars.empty()) continue;
    first = std::min(first, to_picos(chart.begin(), chart.cycle));
    last = std::max(last, to_picos(chart.end(), chart.cycle));
  }
  if (from && *from >= last)
    throw Error(ErrorKind::input, "--from is " + human_time(*from) +
                                      ", but must be before the end of the last row, at " + human_time(last));
  if (from && to && *to <= *from)
    throw Error(ErrorKind::input,
                "--to is " + human_time(*to) + ", but must be after --from, which is " + human_time(*from));
  for (GanttChart& chart : charts) {
    const Cycles begin{from.value_or(std::min(first, last)).n / chart.cycle.n};
    const Cycles end{divide_up(to.value_or(last).n, chart.cycle.n)};
    chart.window = {begin, end};
    for (GanttBar& bar : chart.bars) {
      bar.from = std::max(bar.from, begin);
      bar.to = std::min(bar.to, end);
    }
    std::erase_if(chart.bars, [](const GanttBar& bar) { return bar.from >= bar.to; });
  }
}

}  // namespace ocs
