// All that arrives over time, as one job of the engine: coflows of a trace, or jobs that synchronise again and again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "host/core/id_table.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/node_runner.hpp"
#include "testbed/engine/running_job.hpp"
#include "testbed/jobs/alone.hpp"

namespace ocs {

struct CoflowsSpec {
  std::span<const Work> works;              ///< by arrival
  Picos cycle;                              ///< of the network
  std::int64_t word_bytes = 64;             ///< of the network; with payload a multiple of 4
  PayloadMode payload = PayloadMode::none;  ///< of the works that have any
  std::uint64_t seed = 1;                   ///< of the payload
  bool nodes = false;                       ///< works without payload have nodes, too
  std::uint32_t attempts = 1;               ///< how often a word may be sent; 1: what is lost ends the run
  Picos control_latency{};                  ///< that a transfer is in is heard from its node so much later
  std::vector<NodeDeath> deaths{};          ///< a dead node that something goes to or comes from ends the run
  std::chrono::milliseconds timeout{30000};
  std::string endpoint = JobSpec{}.endpoint;
};

struct CoflowsResult {
  CarriedCoflows carried;
  JobResult job;  ///< what nodes say of the payload
};

/// Blocks until all works are over and all payload is checked. Nodes are the ports that works with payload use, or
/// that all use; without a runner they are threads, or where there is no payload at all called one by one.
/// @throws Error (run) for a word that does not arrive, or not once, and as Engine::run()
CoflowsResult run_coflows(const CoflowsSpec& spec, Network& network, NodeRunner* runner, Progress* progress);

/// Its coflows are numbered from 1 on as they become known, not as they are released: so ties between coflows go to who
/// was known first. Each transfer has its work for its owner.
class CoflowsJob final : public RunningJob {
 public:
  /// @param spec outlives the job, as does `result`. @param talk with the nodes; nullptr: there are none
  CoflowsJob(const CoflowsSpec& spec, JobActions& actions, CoflowsResult& result, NodeExchange* talk = nullptr);

  void begin() override;
  void on(Delivery delivery) override;
  void on(const Stamped& said) override;
  Picos next() const override;
  /// Once all is in that ends at an instant, what it sets off is released, in the order of the coflows.
  bool wake() override;
  bool is_over() const override { return over_ == spec_.works.size(); }
  void finish() override;
  NodeExchange* nodes() override { return talk_; }
  double fraction() const override;
  std::string waits_for() const override { return "the switch"; }
  std::string states() const override;

 private:
  struct Due {
    Id coflow;
    std::uint32_t work, round;
  };
  struct Open {
    CoflowTime time;
    std::size_t left = 0;  ///< transfers that are not known to be in
  };
  struct Part {
    Offer offer;
    Words missing;  ///< of what it carries
    std::uint32_t work;
    bool has_node;
  };
  void announce_transfers(Id coflow, const std::vector<CoflowPart>& parts);
  bool let_die();
  void check_alive(const TransferKey& key) const;
  void send(const Offer& offer, std::uint32_t work, bool has_node);
  void send_rest(const Part& part);
  void in(Id coflow);
  void begin_round(std::uint32_t work, std::uint32_t round, Cycles at);
  void release(Cycles at, const Due& due);

  const CoflowsSpec& spec_;
  JobActions& actions_;
  CoflowsResult& result_;
  NodeExchange* talk_;
  std::multimap<Cycles, Due> pending_;  ///< by release
  std::map<Id, Open> open_;             ///< coflows
  IdTable<Part> parts_;                 ///< transfers under way
  std::vector<Id> ended_;               ///< coflows, at the present instant
  std::vector<NodeDeath> deaths_;       ///< to come, the next one last
  std::map<Node, Picos> dead_;
  std::uint32_t last_coflow_ = 0;
  std::size_t over_ = 0;
};

}  // namespace ocs
