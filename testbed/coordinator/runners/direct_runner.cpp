// Queues in one thread.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/runners/direct_runner.hpp"

#include <array>
#include <bitset>
#include <deque>
#include <optional>
#include <utility>

#include "host/transport/fields.hpp"
#include "testbed/nodes/process/node_host.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

constexpr std::size_t coordinator_seat = max_ports;

std::size_t seat_of(std::uint16_t participant) {
  return participant == coordinator_id ? coordinator_seat : std::size_t{participant};
}

class DirectRunner : public NodeRunner {
 public:
  Transport& begin(const NodeJob& job, const std::vector<Node>& nodes) override {
    job_ = job;
    if (job.payload != PayloadMode::none) {
      pattern_.emplace(job.seed);
      pool_.emplace(static_cast<std::size_t>(job.chunk.n * job.word_bytes));
    }
    lines_[coordinator_seat] = std::make_unique<Line>(*this, coordinator_id);
    for (Node node : nodes) {
      Member& member = members_.emplace_back();
      number_of_[index(node)] = members_.size() - 1;
      member.line = (lines_.at(index(node)) = std::make_unique<Line>(*this, index(node))).get();
      member.logic = make_node(job_, node);
      if (pool_)
        member.plane = std::make_unique<PayloadPlane>(PayloadTools{job_, *pattern_, *pool_}, node, *member.line);
      member.host = std::make_unique<NodeHost>(*member.line, *member.logic, member.plane.get());
    }
    return *lines_[coordinator_seat];
  }
  std::size_t buffers() const override { return pool_ ? pool_->most_in_use() : 0; }

 private:
  /// One participant's end, and what waits there for it.
  struct Line final : Transport {
    Line(DirectRunner& all, std::uint16_t participant) : runner(all), self(participant) {}
    void send(Message message) override {
      const std::size_t to = seat_of(message.header.to);
      if (to >= runner.lines_.size() || !runner.lines_[to])
        throw Error(ErrorKind::internal, participant_name(message.header.to) + " takes no part in the job");
      message.header.from = self;
      message.header.sequence = ++sent[to];
      message.header.acknowledged = seen[to];
      message.header.payload_bytes = message.payload.size;
      runner.lines_[to]->queue.push_back(std::move(message));
      if (to != coordinator_seat) runner.waiting_.set(runner.number_of_[to]);
    }
    std::optional<Message> receive(std::chrono::milliseconds) override {
      if (self == coordinator_id && queue.empty()) runner.serve();
      if (queue.empty()) return std::nullopt;
      std::optional<Message> message = std::move(queue.front());
      queue.pop_front();
      seen[seat_of(message->header.from)] = message->header.sequence;
      return message;
    }
    DirectRunner& runner;
    std::uint16_t self;
    std::deque<Message> queue;
    std::array<std::uint64_t, max_ports + 1> sent{}, seen{};
  };
  struct Member {
    Line* line;
    std::unique_ptr<NodeLogic> logic;
    std::unique_ptr<PayloadPlane> plane;
    std::unique_ptr<NodeHost> host;
    bool over = false;
  };

  /// Lets every node do all that it can do, until the coordinator has something to hear or nobody can do more. Nodes get
  /// their turns in order; those without payload have something to do only if something waits for them.
  void serve() {
    for (bool any = true; any && lines_[coordinator_seat]->queue.empty();) {
      any = false;
      for (std::size_t number = next_of(0); number < members_.size(); number = next_of(number + 1))
        any = serve(members_[number], number) || any;
    }
  }
  std::size_t next_of(std::size_t number) const {
    if (pool_) return number;
    return number == 0 ? waiting_._Find_first() : waiting_._Find_next(number - 1);
  }
  /// @returns whether it did anything
  bool serve(Member& member, std::size_t number) {
    bool any = false;
    for (; !member.over && (!member.line->queue.empty() || member.host->busy()); any = true) {
      auto message = member.line->receive(std::chrono::milliseconds{0});
      const NodeHost::Outcome outcome = message ? member.host->hear(std::move(*message)) : member.host->work();
      member.over = outcome.end != NodeHost::End::none;
    }
    waiting_.reset(number);
    return any;
  }

  NodeJob job_;
  std::optional<Pattern> pattern_;
  std::optional<BufferPool> pool_;
  std::array<std::unique_ptr<Line>, max_ports + 1> lines_;  ///< the last one is the coordinator's
  std::vector<Member> members_;
  std::array<std::size_t, max_ports> number_of_{};  ///< of each node: its place among members
  std::bitset<max_ports> waiting_;                  ///< members for whom something waits
};

}  // namespace

std::unique_ptr<NodeRunner> make_direct_runner() { return std::make_unique<DirectRunner>(); }

}  // namespace ocs
