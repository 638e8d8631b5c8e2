// Settings of server load.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/load_keys.hpp"

#include "host/core/error.hpp"
#include "testbed/experiment/keys/slice_keys.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/sync/catalogue.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {

void parse_hysteresis(std::string_view text, LoadSettings& settings) {
  const auto [num, den] = parse_fraction(text);
  if (num < den || num > std::uint64_t{1000} * den)
    throw Error(ErrorKind::input, "must be from 1 to 1000: old time over new time, above which keys move");
  settings.hysteresis_num = num;
  settings.hysteresis_den = den;
}

std::optional<Bytes> parse_budget(std::string_view text) {
  const Bytes budget = parse_slice(text);
  return budget.n == 0 ? std::nullopt : std::optional(budget);
}

std::string load_text(const JobSettings& job) {
  if (job.server_load != "adaptive") return {};
  const LoadSettings& load = job.load;
  return "hysteresis=" + std::to_string(load.hysteresis_num) + "/" + std::to_string(load.hysteresis_den) +
         " ema_shift=" + std::to_string(load.ema_shift) +
         " budget=" + (load.budget ? to_text(load.budget->n, Dimension::size) : "none");
}

void check_load(const Point& point, const Origins& origins) {
  const OutsideScheduler* outside = point.planning.outside.get();
  if (!by_keys(point.job) || outside == nullptr || !outside->plan || !outside->plan->order.empty()) return;
  throw Error(ErrorKind::input, origin_of(origins, {"scheduler", "job.server_load"}) + ": scheduler is " +
                                    in_quotes(point.planning.scheduler) +
                                    ", but must be a scheduler, a program, or a plan of such a job with "
                                    "job.server_load " +
                                    in_quotes(point.job.server_load) +
                                    ": a plan of pushes and pulls is for one placement");
}

}  // namespace ocs
