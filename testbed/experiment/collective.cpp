// What a collective needs, and what it doesn't go with.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/collective.hpp"

#include <functional>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t most_payload = 1'000'000'000;  // bytes, of all workers

[[noreturn]] void refuse(const std::string& origin, const std::string& sentence) {
  throw Error(ErrorKind::input, origin + ": " + sentence);
}

struct Condition {
  const char* key;
  std::function<bool(const Point&)> holds;
  const char* right;
};

const std::vector<Condition>& conditions() {
  static const std::vector<Condition> all = {
      {"control.mode", [](const Point& p) { return p.control.mode == "confirmed"; }, "\"confirmed\""},
      {"fabric.planes", [](const Point& p) { return p.fabric.planes == 1; }, "1"},
      {"fabric.outages", [](const Point& p) { return p.fabric.outages.empty(); }, "\"\""},
      {"nodes.rates", [](const Point& p) { return p.nodes.word_cycles.empty(); }, "\"equal\""},
      {"nodes.rate_trace", [](const Point& p) { return p.nodes.rate_trace.empty(); }, "\"\""},
      {"job.server_load", [](const Point& p) { return p.job.server_load == "placed"; }, "\"placed\""},
      {"nodes.deaths", [](const Point& p) { return p.job.deaths.empty(); }, "\"\""},
      {"nodes.transport", [](const Point& p) { return p.nodes.transport == "inproc"; }, "\"inproc\""},
      {"job.duration", [](const Point& p) { return p.job.duration.n == 0; }, "\"0 s\""},
      {"job.slice", [](const Point& p) { return p.job.slicing.slice.n == 0; }, "\"none\""},
      {"job.fusion", [](const Point& p) { return p.job.slicing.fusion.n == 0; }, "\"none\""},
      {"job.overlap", [](const Point& p) { return !p.job.overlap.wait_free; }, "\"none\""},
      {"job.priorities", [](const Point& p) { return !p.job.overlap.by_layer; }, "\"none\""},
      {"charge_planning", [](const Point& p) { return p.planning.charge == PlanningSettings::Charge::none; },
       "\"none\""},
      {"scheduler", [](const Point& p) { return p.planning.outside == nullptr; }, "one of lightloop's"},
  };
  return all;
}

}  // namespace

std::vector<std::string> collective_names() {
  std::vector<std::string> names = {"none"};
  for (const CollectiveEntry& entry : collectives()) names.emplace_back(entry.name);
  return names;
}

PointCollective collective_of(const Point& point) {
  PointCollective one;
  one.list = make_collective(point.job.collective, point.job.workers);
  one.words = to_words(point.job.workload->total, point.fabric.word.n).n;
  one.sizes = block_words(Words{one.words}, one.list.blocks);
  one.legs = legs_of(one.list, one.sizes, 1 + 2 * point.fabric.fibre_cycles.n);
  return one;
}

void check_collective(const Point& point, const Origins& origins) {
  const std::string name = in_quotes(point.job.collective);
  for (const Condition& condition : conditions())
    if (!condition.holds(point))
      refuse(origin_of(origins, {condition.key, "job.collective"}),
             std::string(condition.key) + " must be " + condition.right + " with job.collective " + name);
  const std::string origin = origin_of(origins, {"job.collective", "job.workers", "job.workload"});
  PointCollective one;
  try {
    one = collective_of(point);
  } catch (const Error& error) {
    refuse(origin, "job.collective is " + name + ", but " + error.what());
  }
  Wide longest = 0;  // of an iteration, in cycles
  for (const Leg& leg : one.legs) {
    std::int64_t most = 0;
    for (const LegTransfer& transfer : leg.transfers) most = std::max(most, transfer.words.n);
    if (most > (std::int64_t{1} << 32) - 1)
      refuse(origin, "job.collective is " + name + ", but a burst must have at most 2^32 - 1 words of " +
                         to_text(point.fabric.word.n, Dimension::size) + "; it would have " + std::to_string(most));
    longest += Wide{most} + point.fabric.tuning_cycles.n + point.fabric.locking_cycles.n + 2 +
               Wide{point.fabric.fibre_cycles.n + point.control.lead_cycles.n} * 2;
  }
  const Wide latency = Wide{point.nodes.control_latency.n} * static_cast<std::int64_t>(one.legs.size() + 1);
  if ((longest * point.fabric.cycle.n + point.job.compute.n + latency) * point.job.iterations > (Wide{1} << 62))
    refuse(origin_of(origins, {"job.iterations", "job.compute", "fabric.tuning", "fabric.rate", "job.workload"}),
           "job.iterations is " + std::to_string(point.job.iterations) +
               ", but must be so small that the run ends within 2^62 ps (53 days) of simulated time");
  const Wide payload = Wide{one.words} * point.fabric.word.n * point.job.workers;
  if (point.job.payload == "full" && payload > most_payload)
    refuse(origin_of(origins, {"job.payload", "job.collective", "job.workload"}),
           "job.payload is \"full\", but must be \"digest\" or \"none\" with job.collective " + name +
               " where the models of all workers have more than " + to_text(most_payload, Dimension::size));
}

}  // namespace ocs
