// Nodes in threads of this process.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/runners/thread_runner.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <zmq.hpp>

#include "host/transport/zmq_group.hpp"
#include "host/transport/zmq_transport.hpp"
#include "testbed/coordinator/processes/machine_limits.hpp"
#include "testbed/nodes/process/node_host.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds at_once{0}, for_ever{-1};
constexpr std::size_t files_beside_sockets = 12, threads_beside_nodes = 3;  // of ZeroMQ

/// One node: what it does, and by which sender it speaks.
struct Member {
  std::unique_ptr<NodeLogic> logic;
  std::unique_ptr<PayloadPlane> plane;
  std::unique_ptr<NodeHost> host;
};

/// A node that has a thread.
struct Alone {
  std::unique_ptr<Transport> transport;
  Member member;
};

/// Nodes that one thread serves. All that has come is heard before any of them works, so that the coordinator never
/// waits for more than one slice of payload. The node that heard something last works first: its payload is still in
/// the cache.
class NodesOfThread {
 public:
  NodesOfThread(ZmqGroup& group, std::uint16_t first) : group_(group), first_(first) {}
  Member& add(Node node) { return members_[index(node)]; }

  void serve() noexcept {
    NodeHost::guarded(group_.sender(first_), [&] {
      for (auto end = NodeHost::End::none;; end = NodeHost::End::none) {
        if (auto message = group_.receive(busy_.empty() ? for_ever : at_once))
          end = hear(std::move(*message));
        else
          end = work();
        if (end == NodeHost::End::stopped && ++stopped_ < members_.size()) continue;
        if (end != NodeHost::End::none) return end;
      }
    });
    try {
      group_.flush();
    } catch (const Error&) {  // then the coordinator's watchdog says who owes a promise
    }
  }

 private:
  NodeHost::End hear(Message message) {
    NodeHost& host = *members_.at(message.header.to).host;
    const NodeHost::End end = host.hear(std::move(message)).end;
    std::erase(busy_, &host);
    if (host.busy() && end == NodeHost::End::none) busy_.push_back(&host);
    return end;
  }
  NodeHost::End work() {
    if (busy_.empty()) return NodeHost::End::none;
    NodeHost& host = *busy_.back();
    const NodeHost::End end = host.work().end;
    if (!host.busy()) busy_.pop_back();
    return end;
  }

  ZmqGroup& group_;
  std::uint16_t first_;
  std::map<std::uint16_t, Member> members_;
  std::vector<NodeHost*> busy_;  ///< the last one is the next to work
  std::size_t stopped_ = 0;
};

class ThreadRunner : public NodeRunner {
 public:
  ThreadRunner(const std::string& endpoint, const JobHooks& hooks)
      : context_(endpoint.starts_with("inproc:") ? 0 : 1), endpoint_(endpoint), hooks_(hooks) {}

  /// Ends all threads, wherever they are.
  ~ThreadRunner() override {
    context_.shutdown();
    for (std::thread& thread : threads_) thread.join();
  }
  ThreadRunner(const ThreadRunner&) = delete;
  ThreadRunner& operator=(const ThreadRunner&) = delete;

  Transport& begin(const NodeJob& job, const std::vector<Node>& nodes) override {
    if (coordinator_) throw Error(ErrorKind::internal, "a runner of threads was given a second job");
    const std::vector<std::vector<Node>> by_thread = nodes_by_thread(nodes);
    const std::string what =
        std::to_string(nodes.size()) + " nodes in " + std::to_string(by_thread.size()) + " threads";
    require_files(2 * (by_thread.size() + 1) + files_beside_sockets, what);
    require_threads(by_thread.size() + threads_beside_nodes, what);
    context_.set(zmq::ctxopt::max_sockets, static_cast<int>(2 * (by_thread.size() + 1)));
    for (const std::vector<Node>& group : by_thread)
      for (const Node node : group) endpoints_[index(node)] = endpoint_ + std::to_string(index(group.front()));
    endpoints_[coordinator_id] = endpoint_ + std::to_string(coordinator_id);
    coordinator_ = connect(coordinator_id);
    job_ = job;
    if (job.payload != PayloadMode::none) {
      pattern_.emplace(job.seed);
      pool_.emplace(static_cast<std::size_t>(job.chunk.n * job.word_bytes));
    }
    for (const std::vector<Node>& group : by_thread) is_hooked() ? add_alone(group.front()) : add_thread(group);
    for (const auto& serve : serves_) threads_.emplace_back(serve);
    return *coordinator_;
  }
  std::size_t buffers() const override { return pool_ ? pool_->most_in_use() : 0; }

 private:
  /// What is put between a node and its transport or its logic may hold the node up: then each has a thread of its own.
  bool is_hooked() const { return hooks_.transport || hooks_.logic; }

  std::vector<std::vector<Node>> nodes_by_thread(const std::vector<Node>& nodes) const {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::vector<Node>> by_thread(is_hooked() ? nodes.size() : std::min(nodes.size(), cores));
    for (std::size_t n = 0; n < nodes.size(); ++n) by_thread[n % by_thread.size()].push_back(nodes[n]);
    return by_thread;
  }

  ZmqSockets::EndpointOf endpoints() const {
    return [this](std::uint16_t number) { return endpoints_.at(number); };
  }

  std::unique_ptr<Transport> connect(std::uint16_t participant) {
    std::unique_ptr<Transport> transport =
        std::make_unique<ZmqTransport>(context_, participant, endpoints(), nullptr,
                                       is_hooked() ? ZmqSockets::Sending::at_once : ZmqSockets::Sending::in_bundles);
    return hooks_.transport ? hooks_.transport(std::move(transport), participant) : std::move(transport);
  }

  void add_alone(Node node) {
    Alone& alone = alone_.emplace_back();
    alone.transport = connect(index(node));
    make(alone.member, node, *alone.transport);
    serves_.emplace_back([&alone] { alone.member.host->run(*alone.transport); });
  }

  void add_thread(const std::vector<Node>& nodes) {
    std::vector<std::uint16_t> numbers;
    numbers.reserve(nodes.size());
    for (const Node node : nodes) numbers.push_back(index(node));
    ZmqGroup& group = groups_.emplace_back(context_, numbers, endpoints());
    NodesOfThread& served = threads_of_nodes_.emplace_back(group, numbers.front());
    for (const Node node : nodes) make(served.add(node), node, group.sender(index(node)));
    serves_.emplace_back([&served] { served.serve(); });
  }

  void make(Member& member, Node node, Sender& out) {
    member.logic = make_node(job_, node);
    if (hooks_.logic) member.logic = hooks_.logic(std::move(member.logic), node);
    if (pool_)
      member.plane = std::make_unique<PayloadPlane>(
          PayloadTools{job_, *pattern_, *pool_, hooks_.peer_model ? &hooks_.peer_model : nullptr}, node, out);
    member.host = std::make_unique<NodeHost>(out, *member.logic, member.plane.get());
  }

  zmq::context_t context_;
  std::string endpoint_;
  const JobHooks& hooks_;
  NodeJob job_;
  std::optional<Pattern> pattern_;
  std::optional<BufferPool> pool_;
  std::map<std::uint16_t, std::string> endpoints_;  ///< of participants
  std::unique_ptr<Transport> coordinator_;
  std::deque<Alone> alone_;
  std::deque<ZmqGroup> groups_;
  std::deque<NodesOfThread> threads_of_nodes_;
  std::vector<std::function<void()>> serves_;  ///< what each thread does
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<NodeRunner> make_thread_runner(const std::string& endpoint, const JobHooks& hooks) {
  return std::make_unique<ThreadRunner>(endpoint, hooks);
}

}  // namespace ocs
