// A node as a process of its own.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/process/node_process.hpp"

#include <map>
#include <optional>
#include <utility>

#include "host/core/printable.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/zmq_transport.hpp"
#include "testbed/nodes/process/node_host.hpp"
#include "testbed/nodes/process/node_job_wire.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds without_limit{-1}, until_reported{1000};

class NodeProcess {
 public:
  NodeProcess(const NodeProcessSettings& settings, const NodeProcessHooks& hooks, const MakeNodePlatform& make)
      : self_(settings.id),
        settings_(settings),
        hooks_(hooks),
        addresses_{{coordinator_id, settings.connect}},
        platform_(make(settings, hooks, [this](std::uint16_t participant) { return address(participant); })),
        transport_(platform_->transport()) {
    platform_->admit_by([this](const Message& first, bool taken) { return refusal_of(first, taken); });
    addresses_[index(self_)] = platform_->endpoint();  // with its port
  }

  void run() {
    try {
      transport_.send(
          make_message(coordinator_id, Picos{0}, HelloFields{platform_->endpoint(), platform_->process_id()}));
      while (take_part()) {
      }
    } catch (const TransportClosed&) {
      throw Error(ErrorKind::run, platform_->cut());
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
      const auto message = transport_.receive(heard_ ? without_limit : until_reported);
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
    platform_->set_job(message.header.job);
    const bool shares = platform_->memory() != nullptr && sharing[index(self_)];
    if (shares) platform_->share(sharing);
    platform_->reset_peak_rss();
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
      shares ? pool.emplace(chunk_bytes, *platform_->memory(), self_) : pool.emplace(chunk_bytes);
      plane.emplace(PayloadTools{job, pattern, *pool}, self_, transport_);
    }
    NodeHost host(transport_, *logic, plane ? &*plane : nullptr, [&](DoneFields& done) {
      done.buffers = pool ? pool->most_in_use() : 0;
      done.peak_rss = static_cast<std::uint64_t>(platform_->peak_rss().n);
    });
    transport_.send(make_message(coordinator_id, Picos{0}, ReadyFields{}));
    const NodeHost::Outcome outcome = host.run(transport_);
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
        if (const auto message = transport_.receive(without_limit); message && kind_of(*message) == MessageKind::leave)
          return;
    } catch (const Error&) {  // nothing worse can happen than what has
    }
  }

  Node self_;
  const NodeProcessSettings& settings_;
  const NodeProcessHooks& hooks_;
  bool heard_ = false;  ///< a word of the coordinator
  std::map<std::uint16_t, std::string> addresses_;
  std::unique_ptr<NodePlatform> platform_;
  Transport& transport_;
};

}  // namespace

void run_node_process(const NodeProcessSettings& settings, const NodeProcessHooks& hooks,
                      const MakeNodePlatform& platform) {
  try {
    NodeProcess(settings, hooks, platform).run();
  } catch (const Error& error) {
    throw Error(error.kind(), "node " + std::to_string(index(settings.id)) + ": " + error.what());
  }
}

}  // namespace ocs
