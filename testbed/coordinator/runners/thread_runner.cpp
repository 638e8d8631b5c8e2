// Nodes in threads of this process.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/runners/thread_runner.hpp"

#include <optional>
#include <thread>
#include <utility>
#include <zmq.hpp>

#include "host/transport/zmq_transport.hpp"
#include "testbed/coordinator/processes/machine_limits.hpp"
#include "testbed/nodes/process/node_host.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

constexpr std::size_t files_beside_sockets = 12, threads_beside_nodes = 3;  // of ZeroMQ

/// One node: its end of the transport, what it does, and the thread that does it.
struct Member {
  std::unique_ptr<Transport> transport;
  std::unique_ptr<NodeLogic> logic;
  std::unique_ptr<PayloadPlane> plane;
  std::unique_ptr<NodeHost> host;
  std::thread thread;
};

class ThreadRunner : public NodeRunner {
 public:
  ThreadRunner(const std::string& endpoint, const JobHooks& hooks)
      : context_(endpoint.starts_with("inproc:") ? 0 : 1), endpoint_(endpoint), hooks_(hooks) {}

  /// Ends all threads, wherever they are.
  ~ThreadRunner() override {
    context_.shutdown();
    for (Member& member : members_)
      if (member.thread.joinable()) member.thread.join();
  }
  ThreadRunner(const ThreadRunner&) = delete;
  ThreadRunner& operator=(const ThreadRunner&) = delete;

  Transport& begin(const NodeJob& job, const std::vector<Node>& nodes) override {
    if (coordinator_) throw Error(ErrorKind::internal, "a runner of threads was given a second job");
    const std::string what = std::to_string(nodes.size()) + " threads of nodes";
    require_files(2 * (nodes.size() + 1) + files_beside_sockets, what);
    require_threads(nodes.size() + threads_beside_nodes, what);
    context_.set(zmq::ctxopt::max_sockets, static_cast<int>(2 * (nodes.size() + 1)));
    coordinator_ = connect(coordinator_id);
    job_ = job;
    if (job.payload != PayloadMode::none) {
      pattern_.emplace(job.seed);
      pool_.emplace(static_cast<std::size_t>(job.chunk.n * job.word_bytes));
    }
    for (Node node : nodes) members_.push_back(make(job_, node));
    for (Member& member : members_) member.thread = std::thread([&host = *member.host] { host.run(); });
    return *coordinator_;
  }
  std::size_t buffers() const override { return pool_ ? pool_->most_in_use() : 0; }

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
      member.plane = std::make_unique<PayloadPlane>(
          PayloadTools{job, *pattern_, *pool_, hooks_.peer_model ? &hooks_.peer_model : nullptr}, node,
          *member.transport);
    member.host = std::make_unique<NodeHost>(*member.transport, *member.logic, member.plane.get());
    return member;
  }

  zmq::context_t context_;
  std::string endpoint_;
  const JobHooks& hooks_;
  NodeJob job_;
  std::optional<Pattern> pattern_;
  std::optional<BufferPool> pool_;
  std::unique_ptr<Transport> coordinator_;
  std::vector<Member> members_;
};

}  // namespace

std::unique_ptr<NodeRunner> make_thread_runner(const std::string& endpoint, const JobHooks& hooks) {
  return std::make_unique<ThreadRunner>(endpoint, hooks);
}

}  // namespace ocs
