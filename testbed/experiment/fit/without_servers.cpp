// The refusals that collectives and peers share.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/fit/without_servers.hpp"

#include <algorithm>
#include <limits>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_payload = 1'000'000'000;  // bytes that all workers keep

constexpr Condition common[] = {
    {"job.slice", [](const Point& p) { return p.job.slicing.slice.n == 0; }, "\"none\""},
    {"job.fusion", [](const Point& p) { return p.job.slicing.fusion.n == 0; }, "\"none\""},
    {"job.overlap", [](const Point& p) { return !p.job.overlap.wait_free; }, "\"none\""},
    {"job.priorities", [](const Point& p) { return !p.job.overlap.by_layer; }, "\"none\""},
    {"scheduler",
     [](const Point& p) {
       return !p.planning.outside || !p.planning.outside->plan || !p.planning.outside->plan->order.empty();
     },
     "a scheduler, a program, or a plan of such a job"},
};

}  // namespace

void check_without_servers(const Point& point, const Origins& origins, const char* key, const std::string& value,
                           std::span<const Condition> own) {
  for (const std::span<const Condition> conditions : {own, std::span<const Condition>(common)})
    for (const Condition& condition : conditions)
      if (!condition.holds(point))
        throw Error(ErrorKind::input, origin_of(origins, {condition.key, key}) + ": " + condition.key + " must be " +
                                          condition.right + " with " + key + " " + in_quotes(value));
}

void check_payload_without_servers(const Point& point, const Origins& origins, const char* key,
                                   const std::string& value, std::int64_t kept) {
  const Wide bytes = Wide{kept} * point.fabric.word.n;
  if (point.job.payload != "full" || bytes <= most_payload) return;
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  throw Error(ErrorKind::input, origin_of(origins, {"job.payload", key, "job.workload"}) +
                                    ": job.payload is \"full\", but must be \"digest\" or \"none\" with " + key + " " +
                                    in_quotes(value) + " where all workers together keep more than " +
                                    to_text(most_payload, Dimension::size) + " of numbers; they would keep " +
                                    (bytes > most ? "more than " : "") +
                                    to_text(static_cast<std::int64_t>(std::min(bytes, most)), Dimension::size));
}

}  // namespace ocs
