// Runs one job of peers that average their models with one another, over a network that decides what arrives when.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/core/network.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/node_runner.hpp"
#include "testbed/coordinator/runners/job_nodes.hpp"
#include "testbed/peers/peer_settings.hpp"
#include "testbed/selection/catalogue.hpp"

namespace ocs {

/// How receivers are chosen, and who waits for whom.
struct PeerRules {
  const SelectionEntry* selection = nullptr;
  PeerSettings settings{};            ///< layer: network: one transfer to all receivers; else one to each
  Picos set_up;                       ///< of a circuit, at most; selection counts it if the settings say so
  Picos cycle{1};                     ///< unit in which it counts
  std::vector<Cycles> word_cycles{};  ///< that a word takes from or to each node; empty: one
};

struct PeerSpec {
  std::vector<Node> peers;       ///< ascending, 1 to 256
  Bytes model;                   ///< of a peer, > 0
  std::int64_t word_bytes = 64;  ///< full and digest: a multiple of 4
  std::uint32_t rounds = 1;
  Picos duration = never<Picos>;    ///< no round begins at this time or later
  std::vector<NodeDeath> deaths{};  ///< the first of them ends the run, if it comes before the job's end
  std::function<Picos(std::size_t peer, std::uint32_t round)> compute;
  PayloadMode payload = PayloadMode::full;
  std::uint64_t seed = 1;
  PeerRules rules;
  Picos control_latency;
  std::uint32_t attempts = JobSpec{}.attempts;  ///< how many times a word may be sent; 1: what is lost ends the run
  std::chrono::milliseconds timeout{30000};
  std::string endpoint = JobSpec{}.endpoint;
  std::optional<LearningJob> learning{};  ///< models are real: payload full, the model that of the learning job in fp32
  MakePeerModel peer_model{};             ///< where nodes are threads, or in the coordinator's; none: the pattern
};

/// A plan of receivers.
struct PeerPlan {
  Picos at;
  std::uint32_t number = 0;
  Selection selection;
};

struct PeerHooks {
  std::function<void(const PeerPlan&)> plan;  ///< sees every plan
  /// Sees every mean: whose, of its own model of which round, and of which others.
  std::function<void(Node self, const AverageFields&, Picos at)> average;
  std::function<Transport&(Transport&)> coordinator;  ///< as JobHooks::coordinator
};

struct PeerResult {
  JobResult job;  ///< sync: updates = models of others that were averaged, dropped = aborted + unused; points of a
                  ///< curve: updates = means taken
  std::int64_t plans = 0;
  std::int64_t pairs = 0;    ///< models that were to be sent to somebody
  std::int64_t aborted = 0;  ///< of these: that weren't carried to the end
  std::int64_t unused = 0;   ///< came whole, but a newer one of the same peer came too
};

/// Blocks until the job is done and all payload is checked. Nodes are threads, or, without payload, called one by one.
/// @throws Error (input) if the spec contradicts itself; Error (run) as run_job()
PeerResult run_peers(const PeerSpec& spec, Network& network, Progress* progress = nullptr, const PeerHooks& hooks = {});
PeerResult run_peers(const PeerSpec& spec, Network& network, NodeRunner& runner, Progress* progress = nullptr,
                     const PeerHooks& hooks = {});

/// Makes a job for an engine that may have other jobs beside it, as job_on_nodes() does.
std::shared_ptr<RunningJob> peers_on_nodes(PeerSpec spec, NodePlaces places, const Engine& engine, JobActions& actions,
                                           PeerResult& result, const PeerHooks& hooks = {});

}  // namespace ocs
