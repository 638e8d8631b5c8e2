// A node as a process of its own.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/node_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <zmq.hpp>

#include "host/core/printable.hpp"
#include "host/core/wait_text.hpp"
#include "host/transport/connection_guard.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/local_address.hpp"
#include "host/transport/zmq_transport.hpp"
#include "testbed/nodes/memory_use.hpp"
#include "testbed/nodes/node_host.hpp"
#include "testbed/nodes/node_job_wire.hpp"
#include "testbed/nodes/roles.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds without_limit{-1}, silence{1000};  // silence: so long nothing is reported
/// The coordinator's last message comes by another connection than the one whose end is noticed.
constexpr std::chrono::milliseconds last_message{1000};

/// A connection to the coordinator that carries nothing: a second after it is lost, the context is shut down.
class Lifeline {
 public:
  /// Returns when it is there. @throws Error (run) if it isn't in time; Error (input) if there
  /// can't be such an endpoint
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
        if (const auto change = watch_.next(without_limit);
            change && change->what == ConnectionWatch::Change::What::lost)
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

class NodeProcess {
 public:
  NodeProcess(const NodeProcessSettings& settings, const NodeProcessHooks& hooks)
      : self_(settings.id), settings_(settings), hooks_(hooks), addresses_{{coordinator_id, settings.connect}} {
    addresses_[index(self_)] = own_endpoint(settings.connect, self_);
    if (settings.memory >= 0) memory_.emplace(settings.memory);
    guard_.emplace(context_, settings.key.empty() ? std::nullopt : std::optional(read_node_key(settings.key)),
                   settings.encrypt ? KeyUse::encrypt : KeyUse::prove);
    lifeline_.emplace(context_, *guard_, settings);
    auto zmq = std::make_unique<ZmqTransport>(
        context_, index(self_), [this](std::uint16_t p) { return address(p); }, &*guard_);
    zmq_ = zmq.get();
    zmq_->admit_by([this](const Message& first, bool taken) { return refusal_of(first, taken); });
    addresses_[index(self_)] = zmq_->endpoint();  // with its port
    transport_ = hooks.transport ? hooks.transport(std::move(zmq)) : std::move(zmq);
  }
  ~NodeProcess() {
    lifeline_->cut();  // the context waits for its sockets: they go before it
  }
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  void run() {
    try {
      transport_->send(make_message(coordinator_id, Picos{0},
                                    HelloFields{zmq_->endpoint(), static_cast<std::uint32_t>(::getpid())}));
      while (take_part()) {
      }
    } catch (const TransportClosed&) {
      throw Error(ErrorKind::run, lifeline_->cut());
    }
  }

 private:
  /// Members of the job are known from its `begin`; before it, only the coordinator speaks.
  std::string refusal_of(const Message& first, bool taken) const {
    const std::string who = participant_name(first.header.from);
    if (!addresses_.contains(first.header.from)) return who + " takes no part in the job";
    return taken ? who + " is connected already" : "";
  }

  const std::string& address(std::uint16_t participant) const {
    const auto found = addresses_.find(participant);
    if (found == addresses_.end())
      throw Error(ErrorKind::run, participant_name(participant) + " takes no part in the job");
    return found->second;
  }

  /// Waits for a job and does it. False: there is none.
  bool take_part() {
    for (;;) {
      const auto message = transport_->receive(heard_ ? without_limit : silence);
      if (!message) {
        if (!heard_ && settings_.report)
          settings_.report("connected to " + settings_.connect + ", which has not begun a job yet");
        heard_ = true;  // or reported: nothing more is
        continue;
      }
      heard_ = true;
      switch (kind_of(*message)) {
        case MessageKind::begin:
          begin(*message);
          return true;
        case MessageKind::leave:
          return false;
        case MessageKind::fault:
          throw Error(ErrorKind::run,
                      "the coordinator refused: " + printable(decode_fields<FaultFields>(*message).text));
        default:  // a last credit of the job before
          break;
      }
    }
  }

  void begin(const Message& message) {
    const auto fields = decode_fields<BeginFields>(message);
    std::bitset<max_ports> sharing;
    for (const auto& member : fields.members) {
      addresses_.try_emplace(index(member.node), member.endpoint);
      sharing[index(member.node)] = member.shares == 1;
    }
    const NodeJob job = decode_node_job(fields.job);
    zmq_->set_job(message.header.job);
    const bool shares = memory_ && sharing[index(self_)];
    if (shares) zmq_->share(*memory_, sharing);
    reset_peak_rss();
    carry_out(job, shares);
  }

  void carry_out(const NodeJob& job, bool shares) {
    std::unique_ptr<NodeLogic> logic = make_node(job, self_);
    if (hooks_.logic) logic = hooks_.logic(std::move(logic));
    const Pattern pattern(job.seed);
    const auto chunk_bytes = static_cast<std::size_t>(job.chunk.n * job.word_bytes);
    std::optional<BufferPool> pool;
    std::optional<PayloadPlane> plane;
    if (job.payload != PayloadMode::none) {
      shares ? pool.emplace(chunk_bytes, *memory_, self_) : pool.emplace(chunk_bytes);
      plane.emplace(PayloadTools{job, pattern, *pool}, self_, *transport_);
    }
    NodeHost host(*transport_, *logic, plane ? &*plane : nullptr, [&](DoneFields& done) {
      done.buffers = pool ? pool->most_in_use() : 0;
      done.peak_rss = static_cast<std::uint64_t>(peak_rss().n);
    });
    transport_->send(make_message(coordinator_id, Picos{0}, ReadyFields{}));
    const NodeHost::Outcome outcome = host.run();
    if (outcome.end == NodeHost::End::closed) throw TransportClosed();
    if (outcome.end == NodeHost::End::failed) {
      wait_for_the_end();
      throw Error(ErrorKind::run, outcome.fault);
    }
  }

  /// The coordinator has yet to hear of a fault: it ends the connection or says `leave` when it has.
  void wait_for_the_end() {
    try {
      for (;;)
        if (const auto message = transport_->receive(without_limit); message && kind_of(*message) == MessageKind::leave)
          return;
    } catch (const Error&) {  // nothing worse can happen than what has
    }
  }

  Node self_;
  const NodeProcessSettings& settings_;
  const NodeProcessHooks& hooks_;
  bool heard_ = false;  ///< a word of the coordinator
  std::map<std::uint16_t, std::string> addresses_;
  zmq::context_t context_{1};
  std::optional<ConnectionGuard> guard_;
  std::optional<Lifeline> lifeline_;
  std::optional<SharedMemory> memory_;
  ZmqTransport* zmq_ = nullptr;
  std::unique_ptr<Transport> transport_;
};

}  // namespace

void run_node_process(const NodeProcessSettings& settings, const NodeProcessHooks& hooks) {
  try {
    NodeProcess(settings, hooks).run();
  } catch (const Error& error) {
    throw Error(error.kind(), "node " + std::to_string(index(settings.id)) + ": " + error.what());
  }
}

}  // namespace ocs
