// The model of a switch does what was planned, to the cycle.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/paper.hpp"

#include <algorithm>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

bool has_phases(const Point& point) {
  return !point.packets && !point.arrivals() && !point.peers() && !point.collective() && point.fabric.planes == 1 &&
         !is_eager(point.job) && !by_keys(point.job);
}

bool planned_in_phases(const Point& point) {
  const bool planned = has_phases(point) && !point.fabric.programs_in_turn();
  return planned || (point.arrivals() && !point.whole_jobs) || point.packets;
}

Point on_paper(Point point, int iterations) {
  point.fabric.device = "model";
  point.fabric.words_cross = false;
  point.fabric.outages_cycles.clear();
  point.fabric.mirror_changes.clear();
  point.fabric.jitter_cycles = {};
  point.fabric.receivers.reset();
  point.fabric.neighbours = {};
  point.fabric.light.reset();
  point.nodes.transport = "inproc";
  point.nodes.listen.clear();
  point.nodes.keys.clear();
  point.nodes.expect = 0;
  const auto leave_out = [](JobSettings& job) {
    job.payload = "none";
    job.real_gradients = false;
    job.deaths.clear();
  };
  leave_out(point.job);
  for (ArrivingJob& one : point.jobs) leave_out(one.job);
  if (!point.arrivals()) {
    point.job.iterations = std::min(point.job.iterations, iterations);
    point.job.duration = {};
  }
  return point;
}

PaperRun run_on_paper(const Point& paper) {
  if (paper.packets)
    throw Error(ErrorKind::input, "network is \"packet\", but must be \"circuit\" for a plan: there are no circuits");
  PaperRun run;
  ExecutedChart chart(paper.policy + ", on paper", paper.fabric.cycle);
  RunOptions options;
  options.on_carried = [&](const Carried& carried) {
    run.reservations.push_back(carried);
    chart.on(carried);
  };
  if (paper.fabric.planes == 1) options.on_event = [&chart](const Event& event) { chart.on(event); };
  run.row = run_point(paper, options);
  if (paper.fabric.planes == 1) run.chart = std::move(chart).finish();
  return run;
}

}  // namespace ocs
