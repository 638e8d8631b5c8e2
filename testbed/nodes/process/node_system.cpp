// ZeroMQ on this machine, for a node process.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <zmq.hpp>

#include "host/core/wait_text.hpp"
#include "host/transport/connection_guard.hpp"
#include "host/transport/local_address.hpp"
#include "host/transport/zmq_transport.hpp"
#include "testbed/nodes/process/memory_use.hpp"
#include "testbed/nodes/process/node_platform.hpp"
#include "testbed/nodes/process/node_process.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds silence{1000};  // so long nothing is reported
constexpr std::chrono::milliseconds without_end{-1};
/// The coordinator's last message comes by another connection than the one whose end is noticed.
constexpr std::chrono::milliseconds last_message{1000};

/// A connection to the coordinator that carries nothing: a second after it is lost, the context is shut down.
class Lifeline {
 public:
  /// Returns when it is there. @throws Error (run) if it isn't in time; Error (input) if there can't be such an
  /// endpoint
  Lifeline(zmq::context_t& context, const ConnectionGuard& guard, const NodeProcessSettings& settings)
      : context_(context), socket_(context, zmq::socket_type::dealer), watch_(context, socket_) {
    socket_.set(zmq::sockopt::linger, 0);
    keep_alive(socket_);
    guard.guard_connecting(socket_);
    const std::string& endpoint = settings.connect;
    try {
      socket_.connect(endpoint);
    } catch (const zmq::error_t& error) {
      throw Error(ErrorKind::input, "the coordinator's endpoint is \"" + endpoint + "\", but must be " +
                                        endpoint_examples + " (" + error.what() + ")");
    }
    wait_for_coordinator(settings);
    thread_ = std::thread([this, endpoint] { hold(endpoint); });
  }
  ~Lifeline() { cut(); }
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

  /// Ends it. @returns why it had broken; empty: it had not
  std::string cut() {
    context_.shutdown();
    if (thread_.joinable()) thread_.join();
    return why_;
  }

 private:
  void wait_for_coordinator(const NodeProcessSettings& settings) {
    const std::string patience = wait_text(settings.timeout);
    if (made_within(std::min(settings.timeout, silence))) return;
    if (settings.timeout > silence) {
      if (settings.report)
        settings.report("no coordinator is at " + settings.connect + " yet; waits for it for " + patience);
      if (made_within(settings.timeout - silence)) return;
    }
    throw Error(ErrorKind::run, "no coordinator was at " + settings.connect + " for " + patience +
                                    (refused_ ? "; a program there refused this node: the coordinator needs the same "
                                                "key (--key and nodes.keys)"
                                              : ""));
  }

  bool made_within(std::chrono::milliseconds patience) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + patience;
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
      const auto change = watch_.next(std::max(left, std::chrono::milliseconds{0}));
      if (!change) return false;
      if (change->what == ConnectionWatch::Change::What::made) return true;
      refused_ = true;
    }
  }

  void hold(const std::string& endpoint) {
    try {
      for (;;)
        if (const auto change = watch_.next(without_end); change && change->what == ConnectionWatch::Change::What::lost)
          break;
      let_messages_in();
      why_ = "the coordinator at " + endpoint + " has gone";
      context_.shutdown();
    } catch (const zmq::error_t&) {  // the context was shut down by somebody else: no reason to
    }
  }

  /// Ends early, by an exception, when the context is shut down.
  void let_messages_in() {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + last_message;
    while (Clock::now() < deadline) watch_.next(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()));
  }

  zmq::context_t& context_;
  zmq::socket_t socket_;
  ConnectionWatch watch_;
  bool refused_ = false;  ///< a connection, before one was made
  std::string why_;       ///< read when the thread has ended
  std::thread thread_;
};

class NodeSystem final : public NodePlatform {
 public:
  NodeSystem(const NodeProcessSettings& settings, const NodeProcessHooks& hooks, EndpointOf endpoint_of) {
    const std::string own = own_endpoint(settings.connect, settings.id);
    if (settings.memory >= 0) memory_.emplace(settings.memory);
    guard_.emplace(context_, settings.key.empty() ? std::nullopt : std::optional(read_node_key(settings.key)),
                   settings.encrypt ? KeyUse::encrypt : KeyUse::prove);
    lifeline_.emplace(context_, *guard_, settings);
    auto zmq = std::make_unique<ZmqTransport>(
        context_, index(settings.id),
        [this, own, self = index(settings.id), others = std::move(endpoint_of)](std::uint16_t participant) {
          return participant == self && zmq_ == nullptr ? own : others(participant);  // later with its port
        },
        &*guard_);
    zmq_ = zmq.get();
    transport_ = hooks.transport ? hooks.transport(std::move(zmq)) : std::move(zmq);
  }
  ~NodeSystem() override {
    lifeline_->cut();  // the context waits for its sockets: they go before it
  }

  Transport& transport() override { return *transport_; }
  std::string endpoint() const override { return zmq_->endpoint(); }
  void set_job(std::uint32_t job) override { zmq_->set_job(job); }
  void admit_by(PeerProtocol::Admission admission) override { zmq_->admit_by(std::move(admission)); }
  std::string cut() override { return lifeline_->cut(); }
  std::uint32_t process_id() const override { return static_cast<std::uint32_t>(::getpid()); }
  SharedMemory* memory() override { return memory_ ? &*memory_ : nullptr; }
  void share(const std::bitset<max_ports>& with) override { zmq_->share(*memory_, with); }
  void reset_peak_rss() override { ocs::reset_peak_rss(); }
  Bytes peak_rss() const override { return ocs::peak_rss(); }

 private:
  zmq::context_t context_{1};
  std::optional<ConnectionGuard> guard_;
  std::optional<Lifeline> lifeline_;
  std::optional<SharedMemory> memory_;
  ZmqTransport* zmq_ = nullptr;
  std::unique_ptr<Transport> transport_;
};

}  // namespace

std::unique_ptr<NodePlatform> make_node_system(const NodeProcessSettings& settings, const NodeProcessHooks& hooks,
                                               NodePlatform::EndpointOf endpoint_of) {
  return std::make_unique<NodeSystem>(settings, hooks, std::move(endpoint_of));
}

}  // namespace ocs
