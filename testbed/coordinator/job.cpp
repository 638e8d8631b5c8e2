// Runs one training job: makes the participants, gives each node a thread, and sees that all threads end.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/job.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <zmq.hpp>

#include "host/transport/zmq_transport.hpp"
#include "testbed/coordinator/coordinator.hpp"
#include "testbed/coordinator/node_job_of.hpp"
#include "testbed/coordinator/one_core.hpp"
#include "testbed/nodes/node_host.hpp"
#include "testbed/nodes/roles.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {
namespace {

std::vector<Node> nodes_of(const NodeJob& job) {
  std::vector<Node> nodes = job.workers;
  for (const Served& server : job.servers)
    if (job.worker_index(server.node) < 0) nodes.push_back(server.node);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// One node: its end of the transport, what it does, and the thread that does it.
struct Member {
  std::unique_ptr<Transport> transport;
  std::unique_ptr<NodeLogic> logic;
  std::unique_ptr<PayloadPlane> plane;
  std::unique_ptr<NodeHost> host;
  std::thread thread;
};

/// All participants of a job in one process.
class Crew {
 public:
  Crew(const JobSpec& spec, const NodeJob& job, const JobHooks& hooks)
      : context_(spec.endpoint.starts_with("inproc:") ? 0 : 1), endpoint_(spec.endpoint), hooks_(hooks) {
    const auto nodes = nodes_of(job);
    context_.set(zmq::ctxopt::max_sockets, static_cast<int>(2 * (nodes.size() + 1)));
    coordinator_ = connect(coordinator_id);
    if (job.payload != PayloadMode::none) {
      pattern_.emplace(job.seed);
      pool_.emplace(static_cast<std::size_t>(job.chunk.n * job.word_bytes));
    }
    for (Node node : nodes) members_.push_back(make(job, node));
  }

  /// Ends all threads, wherever they are.
  ~Crew() {
    context_.shutdown();
    for (Member& member : members_)
      if (member.thread.joinable()) member.thread.join();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  void start() {
    for (Member& member : members_) member.thread = std::thread([&host = *member.host] { host.run(); });
  }
  Transport& coordinator() { return *coordinator_; }

 private:
  std::unique_ptr<Transport> connect(std::uint16_t participant) {
    std::unique_ptr<Transport> transport = std::make_unique<ZmqTransport>(
        context_, participant, [this](std::uint16_t number) { return endpoint_ + std::to_string(number); });
    return hooks_.transport ? hooks_.transport(std::move(transport), participant) : std::move(transport);
  }

  Member make(const NodeJob& job, Node node) {
    Member member;
    member.transport = connect(index(node));
    member.logic = make_node(job, node);
    if (hooks_.logic) member.logic = hooks_.logic(std::move(member.logic), node);
    if (pool_)
      member.plane = std::make_unique<PayloadPlane>(PayloadTools{job, *pattern_, *pool_}, node, *member.transport);
    member.host = std::make_unique<NodeHost>(*member.transport, *member.logic, member.plane.get());
    return member;
  }

  zmq::context_t context_;
  std::string endpoint_;
  const JobHooks& hooks_;
  std::optional<Pattern> pattern_;
  std::optional<BufferPool> pool_;
  std::unique_ptr<Transport> coordinator_;
  std::vector<Member> members_;
};

}  // namespace

JobResult run_job(const JobSpec& spec, Network& network, Progress* progress, const JobHooks& hooks) {
  const NodeJob job = node_job_of(spec);
  const SyncEntry& sync = find(sync_schemes(), spec.sync, "synchronisation scheme");
  Crew crew(spec, job, hooks);
  std::optional<OneCore> one_core;  // without payload, no two threads have work at once
  if (job.payload == PayloadMode::none) one_core.emplace();
  crew.start();
  Coordinator coordinator(job, sync, nodes_of(job), spec.timeout, crew.coordinator(), network, progress, hooks.moment);
  return coordinator.run();
}

}  // namespace ocs
