// A job of peers with a runner of nodes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/peers/peer_job.hpp"

#include <algorithm>
#include <optional>

#include "host/core/require.hpp"
#include "testbed/coordinator/node_job_of.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/nodes/process/memory_use.hpp"
#include "testbed/peers/peer_rounds.hpp"

namespace ocs {
namespace {

/// A peer's layout is the model, parameter by parameter.
void learn(const PeerSpec& spec, NodeJob& job) {
  constexpr std::int64_t parameter = sizeof(float), most_parameters = std::int64_t{1} << 26;
  require(spec.payload == PayloadMode::full, "the peers' models are real; payload should be full");
  require(spec.model.n % parameter == 0 && spec.model.n / parameter <= most_parameters,
          "a peer's model has " + std::to_string(spec.model.n) +
              " bytes; it is real, so they should be a multiple of 4, and at most 2^28");
  for (Served& peer : job.servers) peer.pieces = {{0, 0, static_cast<std::uint32_t>(spec.model.n / parameter)}};
  job.learning = spec.learning;
}

NodeJob node_job(const PeerSpec& spec) {
  const std::size_t n = spec.peers.size();
  require(n >= 1 && n <= max_ports, "a job of peers has " + std::to_string(n) + "; it should have 1 to 256");
  for (std::size_t i = 0; i < n; ++i)
    require(index(spec.peers[i]) < max_ports && (i == 0 || spec.peers[i - 1] < spec.peers[i]),
            "peers must be nodes 0 to 255, ascending");
  require(spec.model.n > 0, "a peer's model has " + std::to_string(spec.model.n) + " bytes; it should have 1 or more");
  require(spec.payload == PayloadMode::none || spec.word_bytes % 4 == 0,
          "a word has " + std::to_string(spec.word_bytes) +
              " bytes; payload is fp32, so it should be a multiple of 4 (or payload \"none\")");
  require(spec.rounds >= 1 && spec.rounds <= 1'000'000,
          "the job has " + std::to_string(spec.rounds) + " rounds; it should have 1 to 1000000");
  require(spec.rules.selection != nullptr && spec.compute, "a job of peers needs a selection and times of computing");
  require(spec.rules.settings.eta_den > 0, "eta's denominator must be above 0");
  NodeJob job;
  job.workers = spec.peers;
  const Words words = to_words(spec.model, spec.word_bytes);
  for (const Node peer : spec.peers) job.servers.push_back({peer, words, spec.model, {{Words{0}, words, spec.model}}});
  job.memory = ServerMemory::peers;
  job.word_bytes = spec.word_bytes;
  job.iterations = spec.rounds;
  job.control_latency = spec.control_latency;
  job.payload = spec.payload;
  job.seed = spec.seed;
  job.chunk = Words{std::max<std::int64_t>(1, chunk_bytes(n * n) / spec.word_bytes)};
  if (spec.learning) learn(spec, job);
  return job;
}

/// All that a job needs, as long as it runs.
class PeersOnNodes {
 public:
  PeersOnNodes(PeerSpec given, NodePlaces places, const PeerHooks& hooks, const Engine& engine, JobActions& actions,
               PeerResult& result)
      : spec_(std::move(given)), hooks_(hooks), job_(node_job(spec_)), result_(result) {
    places.hooks.peer_model = spec_.peer_model;
    places.hooks.coordinator = hooks_.coordinator;
    nodes_.emplace(job_, job_.workers, std::move(places), spec_.timeout, engine);
    running_.emplace(spec_, job_, nodes_->talk(), actions, hooks_, result_);
  }
  ~PeersOnNodes() { result_.job.payload_buffers += nodes_->buffers(); }
  PeersOnNodes(const PeersOnNodes&) = delete;
  PeersOnNodes& operator=(const PeersOnNodes&) = delete;

  RunningJob* running() { return &*running_; }

 private:
  PeerSpec spec_;
  PeerHooks hooks_;
  NodeJob job_;
  PeerResult& result_;
  std::optional<JobNodes> nodes_;
  std::optional<PeerRounds> running_;
};

PeerResult run(const PeerSpec& spec, Network& network, NodePlaces places, Progress* progress, const PeerHooks& hooks) {
  reset_peak_rss();
  PeerResult result;
  Engine engine(network, progress);
  engine.add(
      {}, [&](JobActions& actions) { return peers_on_nodes(spec, std::move(places), engine, actions, result, hooks); });
  engine.run();
  result.job.peak_rss += peak_rss();
  return result;
}

}  // namespace

std::shared_ptr<RunningJob> peers_on_nodes(PeerSpec spec, NodePlaces places, const Engine& engine, JobActions& actions,
                                           PeerResult& result, const PeerHooks& hooks) {
  const auto held = std::make_shared<PeersOnNodes>(std::move(spec), std::move(places), hooks, engine, actions, result);
  return {held, held->running()};
}

PeerResult run_peers(const PeerSpec& spec, Network& network, NodeRunner& runner, Progress* progress,
                     const PeerHooks& hooks) {
  return run(spec, network, {.runner = &runner}, progress, hooks);
}

PeerResult run_peers(const PeerSpec& spec, Network& network, Progress* progress, const PeerHooks& hooks) {
  return run(spec, network, {.endpoint = spec.endpoint}, progress, hooks);
}

}  // namespace ocs
