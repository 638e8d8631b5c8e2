// Peers over the network that the point asks for.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_peers.hpp"

#include <chrono>
#include <optional>

#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/keys/peer_keys.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/peers/peer_job.hpp"
#include "testbed/run/job_row.hpp"
#include "testbed/run/point_network.hpp"

namespace ocs {
PeerSpec peer_spec(const Point& point, Cycles set_up) {
  const FabricSettings& fabric = point.fabric;
  PeerSpec spec;
  for (int v = 0; v < point.job.workers; ++v) spec.peers.push_back(Node{static_cast<std::uint16_t>(v)});
  spec.model = point.job.workload->total;
  spec.word_bytes = fabric.word.n;
  constexpr std::uint32_t most_rounds = 1'000'000;
  const bool timed = point.job.duration.n > 0;
  spec.rounds = timed ? most_rounds : static_cast<std::uint32_t>(point.job.iterations);
  if (timed) spec.duration = point.job.duration;
  spec.deaths = point.job.deaths;
  spec.compute = [&](std::size_t w, std::uint32_t k) {
    return point.job.compute_model.time(w, k) + point.job.compute_fixed;
  };
  spec.payload = payload_mode(point.job.payload);
  spec.seed = point.seed;
  spec.rules = {.selection = &selection_of(point.job),
                .settings = point.job.peer_settings,
                .set_up = to_picos(set_up, fabric.cycle),
                .cycle = fabric.cycle,
                .word_cycles = point.nodes.word_cycles};
  if (point.job.real_gradients) spec.learning = point.job.learning;
  spec.control_latency = point.nodes.control_latency;
  if (!point.job.retransmit) spec.attempts = 1;
  spec.timeout = std::chrono::milliseconds(point.nodes.timeout.n / 1'000'000'000);
  return spec;
}

Row run_peer_point(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  Row row = requested_row(point);
  row.version = options.version;
  PointNetwork network(point, options, find(policies(), point.policy, "policy"),
                       {.online = selection_of(point.job).while_sending});
  std::optional<ProfiledTransport> profiled_transport;
  PeerHooks hooks;
  hooks.coordinator = [&](Transport& transport) -> Transport& {
    return before(profiled_transport, transport, options.profile);
  };
  NodeRunner* runner = options.runner ? options.runner(point, 0) : nullptr;
  PeerSpec spec = peer_spec(point, longest_set_up(point));
  spec.compute = network.shown(std::move(spec.compute));
  const PeerResult result = runner ? run_peers(spec, network.network(), *runner, options.progress, hooks)
                                   : run_peers(spec, network.network(), options.progress, hooks);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  add_job(row, result.job, point.job);
  network.add_to(row, result.job);
  return row;
}

}  // namespace ocs
