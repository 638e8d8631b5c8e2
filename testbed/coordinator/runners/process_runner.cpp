// Nodes in processes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/runners/process_runner.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "host/core/printable.hpp"
#include "host/core/wait_text.hpp"
#include "host/transport/fields.hpp"
#include "testbed/coordinator/runners/runner_platform.hpp"
#include "testbed/engine/stall.hpp"
#include "testbed/nodes/process/node_job_wire.hpp"

namespace ocs {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_checks{100}, to_leave{2000}, to_answer{500};
/// From a lost connection to the end of the process that it led to, which says more: on a busy machine.
constexpr std::chrono::milliseconds end_follows{2000};
constexpr int most_answers = 32;  // each takes a socket for a moment

std::string list_of(const std::vector<Node>& nodes) {
  std::string text = nodes.size() == 1 ? "node " : "nodes ";
  for (std::size_t i = 0; i < nodes.size(); ++i)
    text += (i == 0 ? "" : i + 1 == nodes.size() ? " and " : ", ") + std::to_string(index(nodes[i]));
  return text;
}

/// The coordinator's end of the transport is the runner itself: it sees what only concerns processes.
class ProcessRunner : public NodeRunner, private Transport {
 public:
  ProcessRunner(ProcessRunnerSettings settings, const MakeRunnerPlatform& make)
      : settings_(std::move(settings)),
        platform_(make(settings_, [this](std::uint16_t participant) { return seats_.at(Node{participant}).endpoint; })),
        transport_(platform_->transport()) {
    platform_->admit_by([this](const Message& first, bool taken) { return refusal_of(first, taken); });
  }

  ~ProcessRunner() override {
    if (in_job_) {  // it has failed: those who are left are ended, not asked to leave
      for (auto& [node, seat] : seats_) seat.process.reset();
      return;
    }
    try {
      for (auto& [node, seat] : seats_)
        if (seat.here) transport_.send(make_message(index(node), Picos{0}, LeaveFields{}));
      platform_->linger(to_leave);
    } catch (const Error&) {  // then the lost connection tells them
    }
    const auto deadline = transport_.now() + to_leave;
    for (auto& [node, seat] : seats_)
      if (seat.process)
        seat.process->wait(std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - transport_.now()),
                                    std::chrono::milliseconds{0}));
    for (auto& [node, seat] : seats_) seat.process.reset();  // before the sockets wait for what was sent to them
  }
  ProcessRunner(const ProcessRunner&) = delete;
  ProcessRunner& operator=(const ProcessRunner&) = delete;

  Transport& begin(const NodeJob& job, const std::vector<Node>& nodes) override {
    in_job_ = true;
    platform_->set_job(++job_);
    seat_all(nodes);
    await("come to " + platform_->endpoint(), nodes, [](const Seat& seat) { return seat.here; });
    BeginFields fields;
    for (Node node : nodes) {
      const Seat& seat = seats_.at(node);
      fields.members.push_back({node, platform_->shares_memory() && seat.process != nullptr, seat.endpoint});
    }
    fields.job = encode(job);
    for (Node node : nodes) {
      seats_.at(node).ready = false;
      send(make_message(index(node), Picos{0}, fields));
      seats_.at(node).sent_before = seats_.at(node).sent;
    }
    await("get ready for the job", nodes, [](const Seat& seat) { return seat.ready; });
    return *this;
  }
  std::size_t buffers() const override { return 0; }

 private:
  /// A node that is awaited or there.
  struct Seat {
    std::unique_ptr<NodeChild> process;  ///< of those that were started here
    std::string endpoint;
    bool here = false, ready = false;
    std::uint64_t sent = 0, sent_before = 0;  ///< messages, and those before the present job's first one
  };

  void seat_all(const std::vector<Node>& nodes) {
    const std::size_t from_here = nodes.size() - std::min(nodes.size(), static_cast<std::size_t>(settings_.expect));
    const auto fresh =
        static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(from_here),
                                               [&](Node node) { return !seats_.contains(node); }));
    platform_->require(nodes.size(), fresh);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto [found, made] = seats_.try_emplace(nodes[i]);
      if (i < from_here && made) found->second.process = platform_->start(nodes[i]);
      if (i >= from_here && found->second.process)
        throw Error(ErrorKind::run, "node " + std::to_string(index(nodes[i])) +
                                        " should come from elsewhere now, but was started here for an earlier row; "
                                        "with nodes.expect, all rows must have the same number of nodes");
    }
  }

  /// Waits until `done` holds for all nodes. @throws Error (run) that names those for which it doesn't in time
  template <class Done>
  void await(const std::string& what, const std::vector<Node>& nodes, Done done) {
    auto deadline = transport_.now() + settings_.timeout;
    for (auto turn = transport_.now();;) {
      std::vector<Node> missing;
      for (Node node : nodes)
        if (!done(seats_.at(node))) missing.push_back(node);
      if (missing.empty()) return;
      if (transport_.now() >= deadline)
        throw Error(ErrorKind::run, list_of(missing) + " didn't " + what + " within " + wait_text(settings_.timeout) +
                                        " (nodes.timeout)" +
                                        (platform_->dropped().empty() ? "" : "; dropped were " + platform_->dropped()));
      if (settings_.on_wait) settings_.on_wait(list_of(missing) + " to " + what);
      if (const auto message = receive(between_checks)) handle_message(*message);
      deadline += stalled(turn, transport_.now(), between_checks);
    }
  }

  void handle_message(const Message& message) {
    const std::uint16_t from = message.header.from;
    if (kind_of(message) == MessageKind::ready && seats_.contains(Node{from})) {
      seats_.at(Node{from}).ready = true;
      return;
    }
    throw Error(ErrorKind::run, participant_name(from) + " said \"" + std::string(name_of(kind_of(message))) +
                                    "\" before it was given a job");
  }

  void send(Message message) override {
    ++seats_.at(Node{message.header.to}).sent;
    if (kind_of(message) == MessageKind::stop) in_job_ = false;
    transport_.send(std::move(message));
  }

  std::chrono::steady_clock::time_point now() const override { return transport_.now(); }

  std::optional<Message> receive(std::chrono::milliseconds patience) override {
    auto message = transport_.receive(patience);
    if (message && kind_of(*message) == MessageKind::hello) {
      greet(*message);
      message.reset();
    }
    if (message) {  // who speaks of the job doesn't know of what was before it
      const auto seat = seats_.find(Node{message->header.from});
      const std::uint64_t before = seat == seats_.end() ? 0 : seat->second.sent_before;
      message->header.acknowledged -= std::min(message->header.acknowledged, before);
    }
    const bool fault = message && kind_of(*message) == MessageKind::fault;  // somebody's end may be the reason
    if (!message || fault || transport_.now() >= next_check_) check();
    if (fault)  // whatever a process says is wrong, its run has failed: no node chooses the exit code
      throw Error(ErrorKind::run, participant_name(message->header.from) +
                                      " failed: " + printable(decode_fields<FaultFields>(*message).text));
    return message;
  }

  /// Why the sender of a connection's first message isn't one of the nodes; empty: it is. Who asks to be one hears why
  /// it is not, so that it doesn't wait for ever.
  std::string refusal_of(const Message& first, bool taken) {
    if (kind_of(first) != MessageKind::hello)
      return participant_name(first.header.from) + " spoke before it said where it is";
    const auto hello = decode_fields<HelloFields>(first);
    std::string why = refusal_of(first.header.from, hello, taken);
    if (why.empty() || !hello.endpoint.starts_with(settings_.transport + "://") || answers_ == 0) return why;
    --answers_;
    try {
      platform_->send_once(hello.endpoint, make_message(first.header.from, Picos{0}, FaultFields{ErrorKind::run, why}),
                           to_answer);
    } catch (const Error&) {  // it can't be reached: its own matter
    }
    return why;
  }

  std::string refusal_of(std::uint16_t from, const HelloFields& hello, bool taken) const {
    const std::string who = participant_name(from) + " (" + printable(hello.endpoint) + ")";
    const auto found = seats_.find(Node{from});
    if (found == seats_.end()) return who + " came, but isn't one of the nodes";
    if (taken) return who + " came, but there is a node " + std::to_string(from) + " already";
    const auto& process = found->second.process;
    if (process && hello.pid != process->id())
      return who + " came from elsewhere, but is one of those that are started here";
    if (!hello.endpoint.starts_with(settings_.transport + "://"))
      return who + " can't be reached over " + settings_.transport;
    return "";
  }

  void greet(const Message& message) {
    const std::uint16_t from = message.header.from;
    Seat& seat = seats_.at(Node{from});
    if (seat.here) throw Error(ErrorKind::run, participant_name(from) + " came a second time");
    seat.endpoint = decode_fields<HelloFields>(message).endpoint;
    seat.here = true;
  }

  /// Is everybody still there?
  void check() {
    next_check_ = transport_.now() + between_checks;
    for (const auto& [node, seat] : seats_) check_process(node, seat);
    while (const auto endpoint = platform_->lost())
      for (const auto& [node, seat] : seats_) {
        if (seat.endpoint != *endpoint) continue;
        if (seat.process) seat.process->wait(end_follows);
        check_process(node, seat);
        throw Error(ErrorKind::run, "node " + std::to_string(index(node)) + " (" + seat.endpoint +
                                        ") has gone: its connection was lost");
      }
  }

  static void check_process(Node node, const Seat& seat) {
    if (const auto end = seat.process ? seat.process->ended() : std::nullopt)
      throw Error(ErrorKind::run, "the process of node " + std::to_string(index(node)) + " " + *end);
  }

  ProcessRunnerSettings settings_;
  std::map<Node, Seat> seats_;
  std::unique_ptr<RunnerPlatform> platform_;
  Transport& transport_;
  Clock::time_point next_check_{};
  std::uint32_t job_ = 0;
  int answers_ = most_answers;  ///< that strangers may still get
  bool in_job_ = false;
};

}  // namespace

std::unique_ptr<NodeRunner> make_process_runner(ProcessRunnerSettings settings, const MakeRunnerPlatform& platform) {
  return std::make_unique<ProcessRunner>(std::move(settings), platform);
}

}  // namespace ocs
