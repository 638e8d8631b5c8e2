// Runs a collective among nodes, over a network that decides what arrives when.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/core/network.hpp"
#include "testbed/collectives/hops.hpp"
#include "testbed/collectives/phases.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/node_runner.hpp"
#include "testbed/coordinator/runners/job_nodes.hpp"

namespace ocs {

/// A policy's plans: hop by hop, with the maps that are set.
struct CollectiveMaps {
  struct Iteration {
    std::vector<Hop> hops;
    std::size_t next;         ///< the plan of the iteration after it, which finds the maps that this one leaves
    std::int64_t cycles = 0;  ///< that it takes, computing before its first leg and after its last one left out
  };
  std::vector<Iteration> plans{};  ///< the first one finds a dark switch; empty: the network sets up circuits itself
  bool preset = true;              ///< maps are set before the computing of their leg, else after it
  std::function<void(const PlaneMap&)> set{};                  ///< of the network of the run, as MapNetwork::set()
  std::function<void(const std::vector<PlanePart>&)> split{};  ///< which planes carry what is offered from now on
};

struct CollectiveSpec {
  Collective list;           ///< checked; rank w is node w
  std::vector<Words> sizes;  ///< of its blocks
  std::vector<Leg> legs;
  std::vector<std::vector<Leg>> later{};  ///< of iterations 1, 2, ..., where they differ; empty: all have `legs`
  /// With payload, of phases: the lists of `legs`, then of each of `later`; empty: `list` is the only one.
  std::vector<std::vector<PhaseList>> phases{};
  std::int64_t word_bytes = 64;  ///< full and digest: a multiple of 4
  std::uint32_t iterations = 1;
  Picos duration = never<Picos>;    ///< no iteration begins at this time or later
  std::vector<NodeDeath> deaths{};  ///< the first of them ends the run, if it comes before the job's end
  std::function<Picos(std::size_t rank, std::uint32_t iteration)> compute;
  PayloadMode payload = PayloadMode::full;
  std::uint64_t seed = 1;
  std::uint32_t attempts = 1;  ///< how often a word may be sent; 1: what is lost ends the job
  Picos control_latency;       ///< that a rank has computed, or has a leg, is heard so much later
  std::chrono::milliseconds timeout{30000};
  std::string endpoint = JobSpec{}.endpoint;
  Picos cycle{};                       ///< of the gaps of legs
  std::vector<Picos> tails{Picos{0}};  ///< computing after the last leg of iterations 0, 1, ...; then the last of these
  /// Gradients are real: payload full, the list an all_reduce that adds_alike(). The words of all blocks are those of
  /// `gradient`, in fp32.
  std::optional<LearningJob> learning{};
  Bytes gradient{};  ///< with `learning`: of a rank, without padding
  /// Sees the computing before a leg or after the last, of which nodes know nothing.
  std::function<void(std::uint32_t iteration, Picos from, Picos to)> between{};
  CollectiveMaps maps{};  ///< without plans: the network sets up circuits as transfers ask for them
};

struct CollectiveResult {
  JobResult job;
  std::vector<Picos> begins;  ///< of each iteration: all have computed, and that is heard
  std::vector<Picos> ends;    ///< every rank has the sums
};

/// Where a policy sets the maps, ranks relay what has no circuit: a hop is asked for when every rank has the one
/// before. A leg begins when every rank has the one before, the first one when every rank
/// has computed; ranks compute again when all have the sums. Blocks until the job is done and all payload is checked.
/// Nodes are threads, or, without payload, called one by one.
/// @throws Error (input) if the spec contradicts itself; Error (run) when a rank dies, for a word that doesn't arrive,
/// or not once, and as run_job()
CollectiveResult run_collective_job(const CollectiveSpec& spec, Network& network, Progress* progress = nullptr);
CollectiveResult run_collective_job(const CollectiveSpec& spec, Network& network, NodeRunner& runner,
                                    Progress* progress = nullptr);

/// For an engine that may have other jobs beside it; as job_on_nodes().
std::shared_ptr<RunningJob> collective_on_nodes(CollectiveSpec spec, NodePlaces places, const Engine& engine,
                                                JobActions& actions, CollectiveResult& result);

}  // namespace ocs
