// Bars from plans, and from events.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/gantt/chart.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace ocs {
namespace {

void add(std::vector<GanttBar>& bars, const GanttBar& bar) {
  if (bar.from < bar.to) bars.push_back(bar);
}

void add_reservation(GanttChart& chart, const Reservation& r, const ControlTimes& times, int ports) {
  for_each_output(r.outs, [&](std::uint16_t out) {
    const Outputs alone = Outputs{}.set(out);
    const Cycles start{r.start.n}, up{r.up.n}, end{r.end.n};
    const auto bar = [&](GanttKind kind, Cycles from, Cycles to) {
      add(chart.bars, {.out = out, .in = index(r.in), .kind = kind, .from = std::max(from, start), .to = to});
    };
    if (start < up) {
      const Cycles lit = up - (times.mode == ControlMode::timetable ? times.guard : times.fibre.of(index(r.in)));
      const Cycles lock = times.output_locking.empty() ? times.locking : times.output_locking[out];
      const Cycles dark = lit - times.light(r.in, alone, ports);
      bar(GanttKind::control, start, up);
      bar(GanttKind::tuning, dark, lit - lock);
      bar(GanttKind::locking, lit - lock, lit);
    }
    bar(GanttKind::data, up, end);
  });
}

}  // namespace

Cycles GanttChart::begin() const {
  if (window) return window->first;
  Cycles first = bars.empty() ? Cycles{0} : never<Cycles>;
  for (const GanttBar& bar : bars) first = std::min(first, bar.from);
  return first;
}

Cycles GanttChart::end() const {
  if (window) return window->second;
  Cycles last{0};
  for (const GanttBar& bar : bars) last = std::max(last, bar.to);
  return last;
}

std::vector<std::uint16_t> GanttChart::rows() const {
  std::set<std::uint16_t> outputs;
  for (const GanttBar& bar : bars) outputs.insert(bar.out);
  return {outputs.begin(), outputs.end()};
}

void add_plan(GanttChart& chart, const Plan& plan, const ControlTimes& times, int ports) {
  for (const Reservation& r : plan.list) add_reservation(chart, r, times, ports);
}

void ExecutedChart::on(const Event& event) {
  if (event.kind == EventKind::run) {
    runs_[event.burst].push_back({event.port, event.words, event.at});
    return;
  }
  const bool dark = event.kind == EventKind::tuning || event.kind == EventKind::locking;
  const bool lit = event.kind == EventKind::up || event.kind == EventKind::idle || event.kind == EventKind::held ||
                   event.kind == EventKind::failed;
  if (!dark && !lit) return;
  if (const auto before = dark_.find(event.port); before != dark_.end()) {
    add(chart_.bars,
        {.out = event.port, .in = 0, .kind = before->second.kind, .from = before->second.from, .to = event.at});
    dark_.erase(before);
  }
  if (dark) dark_[event.port] = {event.kind == EventKind::tuning ? GanttKind::tuning : GanttKind::locking, event.at};
}

void ExecutedChart::on(const Carried& carried) {
  const std::int64_t word = carried.planned.word.n;
  std::vector<SentRun> runs = std::move(runs_[carried.burst]);
  runs_.erase(carried.burst);
  std::stable_sort(runs.begin(), runs.end(),
                   [](const SentRun& a, const SentRun& b) { return a.words.first < b.words.first; });
  for_each_output(carried.planned.outs, [&](std::uint16_t out) {
    const auto bar = [&](GanttKind kind, Cycles from, Cycles to) {
      add(words_, {.out = out, .in = index(carried.planned.in), .kind = kind, .from = from, .to = to});
    };
    const auto lost = [&](Words from, Words to) {
      bar(GanttKind::lost, carried.up + Cycles{from.n * word}, carried.up + Cycles{to.n * word});
    };
    Words reached;
    for (const SentRun& run : runs) {
      if (run.out != out) continue;
      lost(reached, run.words.first);
      bar(GanttKind::data, run.end - Cycles{run.words.count.n * word}, run.end);
      reached = run.words.first + run.words.count;
    }
    lost(reached, carried.sent);
  });
}

GanttChart ExecutedChart::finish() && {
  for (const GanttBar& bar : words_) chart_.bars.push_back(bar);
  return std::move(chart_);
}

}  // namespace ocs
