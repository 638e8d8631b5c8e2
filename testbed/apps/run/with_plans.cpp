// Gives each row of an experiment its plan.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "host/core/error.hpp"
#include "testbed/apps/run/run_experiment.hpp"
#include "testbed/plans/outside_scheduler.hpp"

namespace ocs {

Experiment with_plans(Experiment experiment, const std::string& file) {
  std::vector<OutsideScheduler> plans = load_plans(file);
  if (plans.size() != experiment.points.size())
    throw Error(ErrorKind::input, "\"" + file + "\" has " + std::to_string(plans.size()) + " plans, but must have " +
                                      std::to_string(experiment.points.size()) +
                                      ", one for each row of the experiment; --set chooses rows");
  for (std::size_t k = 0; k < plans.size(); ++k) {
    PlanningSettings& planning = experiment.points[k].planning;
    planning.outside = std::make_shared<const OutsideScheduler>(std::move(plans[k]));
    planning.scheduler = planning.outside->name;
  }
  for (Setting& setting : experiment.settings)  // what results keep of the experiment
    if (setting.key == "scheduler")
      for (Setting::Item& item : setting.items) item.value = "plan:" + std::filesystem::absolute(file).string();
  return experiment;
}

}  // namespace ocs
