// A point on paper: its circuits as the model of a switch carries them out, without payload, nodes elsewhere or faults.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/controller/plan_controller.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/gantt/chart.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

/// What happened on paper.
struct PaperRun {
  Row row;
  std::vector<Carried> reservations;  ///< by end; `planned.plane` is the plane of the switch
  GanttChart chart;                   ///< of one plane; empty with several
};

/// The same job on the model, in threads, without payload, learning, outages and deaths. Jobs over time keep their
/// iterations; a job by itself has `iterations`.
Point on_paper(Point point, int iterations);

/// Runs a point of on_paper(). @throws Error as run_point(); Error (input): a packet network has no circuits.
PaperRun run_on_paper(const Point& paper);

/// Whether plan_job() plans the point: pushes of all workers, then pulls, on one switch, to servers whose keys stay.
bool has_phases(const Point& point);
/// Whether plan_job() plans it, or says why it can't: it refuses packets and coflows that arrive over time. Mirrors that
/// are programmed in turn wait as no plan says, but as the model of a switch does.
bool planned_in_phases(const Point& point);

}  // namespace ocs
