// A job for each plane, on one engine: all begin an iteration together, and who is done early waits for the others.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_copies.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/collectives/collective_job.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/nodes/process/memory_use.hpp"
#include "testbed/run/collective_plans.hpp"
#include "testbed/run/run_collective.hpp"

namespace ocs {
namespace {

/// What each iteration takes, as planned.
std::vector<std::int64_t> planned_cycles(const CollectiveSpec& spec) {
  std::vector<std::int64_t> cycles;
  std::size_t at = 0;
  for (std::uint32_t k = 0; k < spec.iterations; ++k) {
    cycles.push_back(spec.maps.plans[at].cycles);
    at = spec.maps.plans[at].next;
  }
  return cycles;
}

/// A copy that is planned to end an iteration early waits as long as the slowest one takes.
void end_together(std::vector<CollectiveSpec>& specs) {
  std::vector<std::vector<std::int64_t>> cycles;
  cycles.reserve(specs.size());
  for (const CollectiveSpec& spec : specs) cycles.push_back(planned_cycles(spec));
  for (CollectiveSpec& spec : specs) spec.tails.clear();
  for (std::size_t k = 0; k < cycles.front().size(); ++k) {
    std::int64_t most = 0;
    for (const auto& one : cycles) most = std::max(most, one[k]);
    for (std::size_t copy = 0; copy < specs.size(); ++copy)
      specs[copy].tails.push_back(specs[copy].cycle * (most - cycles[copy][k]));
  }
}

/// Of the planes that have a share.
std::vector<CollectiveSpec> specs_of(const Point& point, PointNetwork& network) {
  std::vector<CollectiveSpec> specs;
  for (int plane = 0; plane < point.fabric.planes; ++plane) {
    CollectiveSpec spec = copy_spec(point, static_cast<std::uint32_t>(plane));
    if (spec.legs.empty()) continue;
    if (specs.empty()) spec.compute = network.shown(std::move(spec.compute));
    spec.maps = {.plans = copy_plans(point, spec, static_cast<std::uint32_t>(plane)), .preset = point.job.preset};
    network.maps()->are_set_by(spec.maps);
    specs.push_back(std::move(spec));
  }
  end_together(specs);
  return specs;
}

void add_up(JobResult& sum, const JobResult& one) {
  sum.crc_errors += one.crc_errors;
  sum.sum_errors += one.sum_errors;
  sum.words_delivered += one.words_delivered;
  sum.bytes_delivered += one.bytes_delivered;
  sum.slices = std::max(sum.slices, one.slices);
  sum.rounds += one.rounds;
  sum.messages += one.messages;
  sum.chunks += one.chunks;
  sum.payload_buffers += one.payload_buffers;
  sum.peak_rss += one.peak_rss;
}

/// Copies begin and end each iteration at the same instants.
CollectiveResult together(const std::deque<CollectiveResult>& results) {
  CollectiveResult all = results.front();
  for (std::size_t copy = 1; copy < results.size(); ++copy) {
    if (results[copy].begins != all.begins || results[copy].ends != all.ends)
      throw Error(ErrorKind::internal, "copy " + std::to_string(copy) + " of a collective isn't in step with copy 0");
    add_up(all.job, results[copy].job);
  }
  all.job.peak_rss += peak_rss();
  return all;
}

}  // namespace

Row run_copies(const Point& point, const RunOptions& options) {
  return run_on_network(point, options, [&](PointNetwork& network) {
    reset_peak_rss();
    std::deque<CollectiveResult> results;
    Engine engine(network.network(), options.progress);
    for (CollectiveSpec& spec : specs_of(point, network)) {
      const std::size_t copy = results.size();
      results.emplace_back();
      engine.add({}, [&, copy, spec = std::move(spec)](JobActions& actions) {
        NodePlaces places;
        if (options.runner) places.runner = options.runner(point, copy);
        return collective_on_nodes(spec, std::move(places), engine, actions, results[copy]);
      });
    }
    engine.run();
    return together(results);
  });
}

}  // namespace ocs
