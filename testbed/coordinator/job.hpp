// Runs one training job: nodes, ZeroMQ between them, a network that decides when and which words arrive.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/core/message.hpp"
#include "host/core/network.hpp"
#include "host/transport/fields.hpp"
#include "testbed/coordinator/gate/grant.hpp"
#include "testbed/coordinator/gate/sync_measures.hpp"
#include "testbed/coordinator/model/evaluator.hpp"
#include "testbed/coordinator/model/key_map_manager.hpp"
#include "testbed/coordinator/model/overlap.hpp"
#include "testbed/coordinator/model/slicing.hpp"
#include "testbed/coordinator/node_death.hpp"
#include "testbed/coordinator/node_runner.hpp"
#include "testbed/engine/node_exchange.hpp"
#include "testbed/engine/progress.hpp"
#include "testbed/nodes/learning/peer_model.hpp"
#include "testbed/nodes/node_job.hpp"
#include "testbed/sync/settings.hpp"

namespace ocs {

struct SyncEntry;

/// Every worker pushes to every server the shards placed there, one transfer, or one a slice, and pulls the mirror
/// image.
struct JobSpec {
  int ports = 16;  ///< of the network: nodes are 0..ports-1; node v has input v and output v
  std::vector<Node> workers;
  Placement placement;
  std::vector<Block> blocks;
  std::int64_t word_bytes = 64;  ///< full and digest: a multiple of 4 (payload is fp32)
  SliceRule slicing{};
  OverlapRule overlap{};
  /// Servers own keys: slices of the whole model, or its tensors. Schemes bsp and bsp_phase; servers on nodes of their
  /// own. Else: what was placed there.
  std::optional<LoadRule> load{};
  int iterations = 1;
  Picos compute;  ///< virtual time between two synchronisations, the same on every worker
  /// Instead, where set: of worker number w (by node) in its iteration, or local step, number k.
  std::function<Picos(std::size_t w, std::uint32_t k)> compute_of{};
  Picos compute_fixed{};  ///< of each iteration in addition, whatever the batch
  /// Gradients are real. Payload full, servers by placement, nobody dies; blocks are those of the model's tensors, in
  /// their order. Where sync_settings.batch is set, the batch is that.
  std::optional<LearningJob> learning{};
  PayloadMode payload = PayloadMode::full;
  std::uint64_t seed = 1;  ///< of the payload
  std::string sync = "bsp_phase";
  std::shared_ptr<const SyncEntry> own_sync{};  ///< of a function, called `sync`; none: of the catalogue
  SyncSettings sync_settings{};
  Picos duration = never<Picos>;  ///< who comes to the gate then, or waits there, has finished; never: by iterations
  std::vector<NodeDeath> deaths{};
  bool retransmit = true;       ///< what the network lost is sent again; false: it ends the job
  std::uint32_t attempts = 64;  ///< how often a word may be sent until the job fails, at least 2
  Picos control_latency;        ///< what a node says (offers, that they are in, what is missing) is heard so much later
  std::chrono::milliseconds timeout{30000};  ///< wall time without a promise that is owed; ends the run
  std::string endpoint = "inproc://node-";   ///< a participant's endpoint is this and its number
  Bytes chunk;  ///< payload crosses in chunks of at most this, up to 4 MiB; 0: 64 to 512 KiB, less for more pairs of
                ///< nodes
};

struct IterationResult {
  Picos sync_start;  ///< computing has ended, the pushes are offered
  Picos push_end;    ///< it is heard that the last push has arrived; the pulls are offered
  Picos sync_end;    ///< the last pull has arrived: PST = sync_end - sync_start
};

struct JobResult {
  std::vector<IterationResult> iterations;  ///< of a scheme whose workers all begin to compute at once; else empty
  SyncResult sync;
  std::int64_t crc_errors = 0;             ///< chunks whose CRC-32C is wrong
  std::int64_t sum_errors = 0;             ///< fp32 elements of a pull that aren't the sum of the pushes
  std::int64_t words_delivered = 0;        ///< over the network
  std::optional<LoadResult> load;          ///< if servers own keys
  std::optional<LearningResult> learning;  ///< if gradients are real
  std::int64_t retransmissions = 0;        ///< offers of words that were lost
  std::int64_t words_retransmitted = 0;    ///< in these; a word that is lost again counts again
  Bytes bytes_delivered;                   ///< over the network, without padding
  std::int64_t slices = 0;                 ///< of the model: transfers of a worker in one push
  Bytes bytes_local;                       ///< between worker and server of one node, without padding
  Picos end;                               ///< virtual time at which the job ended
  std::int64_t rounds = 0;                 ///< exchanges of the coordinator with its nodes
  std::int64_t messages = 0;               ///< control messages in both directions
  std::int64_t chunks = 0;                 ///< payload chunks consumed by their receivers
  std::int64_t payload_buffers = 0;  ///< of a chunk, in use at one time, the most; of node processes the sum of each
  Bytes peak_rss;                    ///< of this process, from run_job() on, plus each node process's own
};

/// How the job synchronises. @throws Error (input) for an unknown scheme.
const SyncEntry& scheme_of(const JobSpec& spec);

/// Ends the nodes' part of a job: waits until their payload is checked, stops them, and adds what they say of it
/// (errors, chunks, buffers and memory) and how much was exchanged with them.
void end_nodes(JobResult& result, NodeExchange& talk, Picos now);

/// Adds what a job of real learning came to, once all of its models are scored. @param samples of each worker
void add_learning(JobResult& result, const Evaluator& evaluator, std::vector<std::int64_t> samples);

/// Something that happens to a worker in virtual time.
struct JobMoment {
  enum class What : std::uint8_t {
    computes,   ///< key.worker begins to compute; it goes on until a push is offered, not early
    offered,    ///< a transfer, also one between worker and server of one node, and one of words sent again
    delivered,  ///< for the last time
    stalls,     ///< key.worker, which takes local steps, computes no more until it `computes`
  } what;
  Picos at;
  TransferKey key;     ///< computes: only iteration and worker have a meaning
  bool early = false;  ///< offered, and its worker goes on computing
};

/// What watches a job, and what tests put between its parts; empty functions change nothing. Participants are nodes, or
/// `coordinator_id`.
struct JobHooks {
  std::function<void(const JobMoment&)> moment;  ///< sees every moment, in the order of virtual time
  std::function<std::unique_ptr<Transport>(std::unique_ptr<Transport>, std::uint16_t participant)> transport;
  std::function<std::unique_ptr<NodeLogic>(std::unique_ptr<NodeLogic>, Node)> logic;
  MakePeerModel peer_model{};                         ///< of peers; none: the pattern
  std::function<Transport&(Transport&)> coordinator;  ///< what the coordinator uses instead of its end of the transport
  GrantWatch grant{};                                 ///< sees each grant of the gate
};

/// Blocks until the job is done, all payload checked and all threads joined. Nodes are in threads, or, without payload and
/// with nothing between the parts, called one by one in this thread.
/// @throws Error (input) if the spec contradicts itself; Error (run) if words are lost for good, nobody can go on, or a
/// node fails or owes its promise for longer than `timeout`.
JobResult run_job(const JobSpec& spec, Network& network, Progress* progress = nullptr, const JobHooks& hooks = {});

/// The same with nodes elsewhere; `spec.endpoint` has no meaning then, and of the hooks only `moment` and
/// `coordinator`.
JobResult run_job(const JobSpec& spec, Network& network, NodeRunner& runner, Progress* progress = nullptr,
                  const JobHooks& hooks = {});

}  // namespace ocs
