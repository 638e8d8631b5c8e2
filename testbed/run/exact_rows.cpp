// Plans jobs with servers, and runs the others on paper.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/exact_rows.hpp"

#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/run/paper.hpp"
#include "testbed/run/run.hpp"

namespace ocs {
namespace {

void plan_with_servers(const Point& point, bool plans) {
  PreparedJob prepared = prepare(point);
  Point plane = point;  // none of several planes has more to carry
  plane.fabric.planes = 1;
  plane.fabric.program_cycles = {};  // it makes no plan larger
  if (plans) plan_job(plane, std::move(prepared));
}

void check_row(const Point& point) {
  const Policy& policy = find(policies(), point.policy, "policy");
  const bool plans = !point.packets && scheduler_traits(scheduler_name(point, policy)).small_only;
  if (point.arrivals() || point.sets_maps()) return;
  if (point.peers() || point.collective()) {
    // Each iteration of a collective is planned alike; rounds of peers depend on those before.
    if (plans) run_point(on_paper(point, point.collective() ? 1 : point.job.iterations), {});
  } else if (plans || placer_of(point).traits.small_only) {
    plan_with_servers(point, plans);
  }
}

}  // namespace

void check_exact(const Experiment& experiment) {
  for (std::size_t row = 0; row < experiment.points.size(); ++row) {
    const Point& point = experiment.points[row];
    try {
      check_row(point);
    } catch (const Error& failure) {
      if (failure.kind() != ErrorKind::input) throw;
      throw Error(failure.kind(), "row " + std::to_string(row + 1) + " (" + point.policy + "): " + failure.what());
    }
  }
}

}  // namespace ocs
