// Peers over circuits.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_peers.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "testbed/engine/profiled.hpp"
#include "testbed/experiment/peer_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/peers/peer_job.hpp"
#include "testbed/run/circuits.hpp"
#include "testbed/run/job_row.hpp"

namespace ocs {
namespace {

PeerSpec peer_spec(const Point& point, Cycles set_up) {
  const FabricSettings& fabric = point.fabric;
  PeerSpec spec;
  for (int v = 0; v < point.job.workers; ++v) spec.peers.push_back(Node{static_cast<std::uint16_t>(v)});
  spec.model = point.job.workload->total;
  spec.word_bytes = fabric.word.n;
  spec.rounds = static_cast<std::uint32_t>(point.job.iterations);
  spec.compute = [&](std::size_t w, std::uint32_t k) {
    return point.job.compute_model.time(w, k) + point.job.compute_fixed;
  };
  spec.payload = payload_mode(point.job.payload);
  spec.seed = point.seed;
  spec.rules = {.selection = &find(receiver_selections(), point.job.peers, "selection"),
                .settings = point.job.peer_settings,
                .set_up = to_picos(set_up, fabric.cycle),
                .cycle = fabric.cycle,
                .word_cycles = point.nodes.word_cycles};
  if (point.job.real_gradients) spec.learning = point.job.learning;
  spec.control_latency = point.nodes.control_latency;
  spec.timeout = std::chrono::milliseconds(point.nodes.timeout.n / 1'000'000'000);
  return spec;
}

}  // namespace

Row run_peer_point(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const auto scheduler = make_scheduler(point, find(policies(), point.policy, "policy"), options.pause);
  Row row = asked_row(point);
  row.version = options.version;
  Profile* const profile = options.profile;
  Fabric fabric(fabric_spec(point), fabric_hooks(options));
  std::optional<ProfiledScheduler> profiled_scheduler;
  const ChargedScheduler charged(before(profiled_scheduler, std::as_const(*scheduler), profile), point);
  Circuits circuits(point, options, fabric, charged,
                    {.online = find(receiver_selections(), point.job.peers, "selection").while_sending});
  std::optional<ProfiledNetwork> profiled_network;
  Network& network = before(profiled_network, circuits.network(), profile);
  std::optional<ProfiledTransport> profiled_transport;
  PeerHooks hooks;
  hooks.coordinator = [&](Transport& transport) -> Transport& {
    return before(profiled_transport, transport, profile);
  };
  Crew* crew = options.crew ? options.crew(point) : nullptr;
  const PeerSpec spec = peer_spec(point, control_times(point).set_up());
  const PeerResult result = crew ? run_peers(spec, network, *crew, options.progress, hooks)
                                 : run_peers(spec, network, options.progress, hooks);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  add_job(row, result.job, point.job);
  fabric.add_to(row);
  add_charges(row, charged.charged());
  row.words_misrouted = row.words_passed - result.job.words_delivered;
  return row;
}

}  // namespace ocs
