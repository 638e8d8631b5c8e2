// Nodes without any transport: their queues are in this thread, and they are called when the coordinator waits for
// them. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "host/transport/fields.hpp"
#include "testbed/coordinator/crew.hpp"
#include "testbed/nodes/node_host.hpp"
#include "testbed/nodes/roles.hpp"

namespace ocs {

/// For one job. The same node code as everywhere else; what it costs here is what remains without transports.
class DirectCrew : public Crew {
 public:
  Transport& begin(const NodeJob& job, const std::vector<Node>& nodes) override {
    job_ = job;
    if (job.payload != PayloadMode::none) {
      pattern_.emplace(job.seed);
      pool_.emplace(static_cast<std::size_t>(job.chunk.n * job.word_bytes));
    }
    lines_[coordinator_id] = std::make_unique<Line>(*this, coordinator_id);
    for (Node node : nodes) {
      Line& line = *(lines_[index(node)] = std::make_unique<Line>(*this, index(node)));
      Member& member = members_.emplace_back();
      member.logic = make_node(job_, node);
      if (pool_) member.plane = std::make_unique<PayloadPlane>(PayloadTools{job_, *pattern_, *pool_}, node, line);
      member.host = std::make_unique<NodeHost>(line, *member.logic, member.plane.get());
    }
    return *lines_[coordinator_id];
  }
  std::size_t buffers() const override { return pool_ ? pool_->most_in_use() : 0; }

 private:
  struct Line : Transport {
    Line(DirectCrew& all, std::uint16_t participant) : crew(all), self(participant) {}
    void send(Message message) override {
      message.header.from = self;
      message.header.sequence = ++sent[message.header.to];
      message.header.acknowledged = seen[message.header.to];
      crew.lines_.at(message.header.to)->queue.push_back(std::move(message));
    }
    std::optional<Message> receive(std::chrono::milliseconds) override {
      while (self == coordinator_id && queue.empty() && crew.turn()) {
      }
      if (queue.empty()) return std::nullopt;
      Message message = std::move(queue.front());
      queue.pop_front();
      seen[message.header.from] = message.header.sequence;
      return message;
    }
    DirectCrew& crew;
    std::uint16_t self;
    std::deque<Message> queue;
    std::map<std::uint16_t, std::uint64_t> sent, seen;
  };
  struct Member {
    std::unique_ptr<NodeLogic> logic;
    std::unique_ptr<PayloadPlane> plane;
    std::unique_ptr<NodeHost> host;
  };

  /// Lets every node do all that it can do now. False: nobody could do anything.
  bool turn() {
    bool any = false;
    for (auto member = members_.begin(); member != members_.end(); ++member) {
      Line& line = *std::next(lines_.begin(), member - members_.begin())->second;
      while (!line.queue.empty() || member->host->busy()) {
        member->host->step(std::chrono::milliseconds{0});
        any = true;
      }
    }
    return any;
  }

  NodeJob job_;
  std::optional<Pattern> pattern_;
  std::optional<BufferPool> pool_;
  std::map<std::uint16_t, std::unique_ptr<Line>> lines_;  ///< ascending like the members; the coordinator is the last
  std::vector<Member> members_;
};

}  // namespace ocs
