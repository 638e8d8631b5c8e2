// What a collective needs, and what it doesn't go with.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/collective.hpp"

#include <algorithm>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/experiment/node_rates.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/experiment/serverless.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr Condition conditions[] = {
    {"job.server_load", [](const Point& p) { return p.job.server_load == "placed"; }, "\"placed\""},
};

/// Whether a rank can pass words on while more of the same transfer arrive: only where all circuits of a leg begin at
/// once and have one rate, and no word is lost.
bool words_stream(const Point& point) {
  return !point.packets && point.fabric.planes == 1 && point.nodes.word_cycles.empty() &&
         point.nodes.rate_changes.empty() && point.fabric.outages.empty() && point.control.mode == "confirmed";
}

}  // namespace

std::vector<std::string> collective_names() {
  std::vector<std::string> names = {"none"};
  for (const CollectiveEntry& entry : algorithms_of(CollectiveKind::all_reduce)) names.emplace_back(entry.name);
  return names;
}

PointCollective collective_of(const Point& point) {
  PointCollective one;
  one.list = make_collective(CollectiveKind::all_reduce, point.job.collective, point.job.workers);
  one.words = to_words(point.job.workload->total, point.fabric.word.n).n;
  if (one.words < static_cast<std::int64_t>(one.list.blocks))
    throw Error(ErrorKind::input, "a model of " + std::to_string(one.words) + " words can't be cut into " +
                                      std::to_string(one.list.blocks) + " blocks; it must have a word for each");
  one.sizes = block_words(Words{one.words}, one.list.blocks);
  one.legs = legs_of(one.list, one.sizes, words_stream(point) ? 1 + 2 * point.fabric.fibre_cycles.n : no_streaming);
  return one;
}

void check_collective(const Point& point, const Origins& origins) {
  const std::string name = in_quotes(point.job.collective);
  check_serverless(point, origins, "job.collective", point.job.collective, conditions);
  check_deaths(point, origins);
  const std::string origin = origin_of(origins, {"job.collective", "job.workers", "job.workload"});
  PointCollective one;
  try {
    one = collective_of(point);
  } catch (const Error& error) {
    refuse(origin, "job.collective is " + name + ", but " + error.what());
  }
  Wide longest = 0;  // of an iteration, in cycles
  const std::int64_t slowest = slowest_word(point.nodes.word_cycles).n;
  for (const Leg& leg : one.legs) {
    std::int64_t most = 0;
    for (const LegTransfer& transfer : leg.transfers) most = std::max(most, transfer.words.n);
    if (most > (std::int64_t{1} << 32) - 1)
      refuse(origin, "job.collective is " + name + ", but a burst must have at most 2^32 - 1 words of " +
                         to_text(point.fabric.word.n, Dimension::size) + "; it would have " + std::to_string(most));
    longest += Wide{most} * slowest + point.fabric.tuning_cycles.n + point.fabric.locking_cycles.n + 2 +
               Wide{point.fabric.fibre_cycles.n + point.control.lead_cycles.n} * 2;
  }
  const Wide latency = Wide{point.nodes.control_latency.n} * static_cast<std::int64_t>(one.legs.size() + 1);
  const Wide compute = Wide{point.job.compute.n} + point.job.compute_fixed.n;
  const Wide planning = Wide{point.planning.fixed.n} * static_cast<std::int64_t>(one.legs.size());
  if ((longest * point.fabric.cycle.n + compute + latency + planning) * point.job.iterations +
          replayed_time(point.planning) >
      (Wide{1} << 62))
    refuse(origin_of(origins, {"job.iterations", "job.compute", "fabric.tuning", "fabric.rate", "job.workload"}),
           "job.iterations is " + std::to_string(point.job.iterations) +
               ", but must be so small that the run ends within 2^62 ps (53 days) of simulated time");
  check_serverless_payload(point, origins, "job.collective", point.job.collective, one.words);
}

}  // namespace ocs
