// A job of peers with a crew of nodes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/peers/peer_job.hpp"

#include <algorithm>
#include <optional>

#include "testbed/coordinator/direct_crew.hpp"
#include "testbed/coordinator/node_job_of.hpp"
#include "testbed/coordinator/one_core.hpp"
#include "testbed/coordinator/thread_crew.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/nodes/memory_use.hpp"
#include "testbed/peers/peer_rounds.hpp"

namespace ocs {
namespace {

void require(bool right, const std::string& sentence) {
  if (!right) throw Error(ErrorKind::input, sentence);
}

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

}  // namespace

PeerResult run_peers(const PeerSpec& spec, Network& network, Crew& crew, Progress* progress, const PeerHooks& hooks) {
  const NodeJob job = node_job(spec);
  reset_peak_rss();
  Transport& end = crew.begin(job, job.workers);
  Transport& transport = hooks.coordinator ? hooks.coordinator(end) : end;
  PeerResult result;
  Engine engine(network, progress);
  NodeExchange talk(transport, job.workers, spec.timeout, [&](const std::string& who) { engine.show(who); });
  engine.add(Picos{0}, [&](JobActions& actions) {
    return std::make_unique<PeerRounds>(spec, job, talk, actions, hooks, result);
  });
  engine.run();
  result.job.payload_buffers += static_cast<std::int64_t>(crew.buffers());
  result.job.peak_rss += peak_rss();
  return result;
}

PeerResult run_peers(const PeerSpec& spec, Network& network, Progress* progress, const PeerHooks& hooks) {
  JobHooks nodes;
  nodes.peer_model = spec.peer_model;
  if (spec.payload == PayloadMode::none && spec.endpoint == JobSpec{}.endpoint)
    return run_peers(spec, network, *make_direct_crew(), progress, hooks);
  std::optional<OneCore> one_core;
  if (spec.payload == PayloadMode::none) one_core.emplace();
  return run_peers(spec, network, *make_thread_crew(spec.endpoint, nodes), progress, hooks);
}

}  // namespace ocs
