// Virtual time: moves the network and the nodes forward together, never past what somebody could still do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "host/core/network.hpp"
#include "testbed/coordinator/conversation.hpp"
#include "testbed/coordinator/gate.hpp"
#include "testbed/coordinator/job.hpp"

namespace ocs {

/// Adds what each node says of its payload work: errors, chunks, buffers and memory.
void add_payload_results(JobResult& result, const std::vector<DoneFields>& of_nodes);

/// Conservative: time goes to t = min(all promises, network.next(), all stamps not yet acted on), and only when every
/// node has answered everything sent to it. At t first the receivers are told what the network delivers; then
/// everything stamped t is acted on in the order (phase, node, sequence); and so on until nothing new is stamped t.
/// When nothing more is stamped t, the gate is woken if it asked for that, and nodes die whose time it is.
/// Local transfers (worker and server on one node) take no time and no port: they are told in the same instant.
class Coordinator {
 public:
  static constexpr int max_rounds_at_one_time = 10000;

  Coordinator(const NodeJob& job, const GateRules& rules, std::vector<NodeDeath> deaths, std::vector<Node> nodes,
              std::chrono::milliseconds timeout, Transport& transport, Network& network, Progress* progress,
              std::function<void(const JobMoment&)> on_moment = {}, LoadKeeper* keeper = nullptr);

  /// Runs the job to its end. @throws Error (run): see run_job.
  JobResult run();

 private:
  void carry_out(const std::vector<Order>& orders);
  void carry_out_now(const std::vector<Order>& orders);
  bool changes_map(const std::vector<Order>& orders);
  void go_on_when_settled();
  void command(const Order& order, Node worker);
  void act(const Stamped& said);
  void act_on_map(const Stamped& said);
  void check_key(const TransferKey& key, Node from) const;
  void offer(const Offer& offer);
  void tell(Delivery delivery);
  bool wake();
  void die(Node node);
  Picos next_time();
  void move_to(Picos t);
  void guard_against_standstill(Picos before);
  void tell_history();
  std::vector<PastEvent> program(const std::vector<PastEvent>& decisions) const;
  void collect_payload_results();
  void show(const std::string& waiting_for) const;
  void note(JobMoment::What what, const TransferKey& key, bool early = false) const;
  Id coflow_of(const TransferKey& key) const;
  [[noreturn]] void deadlock() const;
  [[noreturn]] void words_are_missing(const MissingFields& missing) const;

  const NodeJob& job_;
  std::vector<Node> nodes_;
  Network& network_;
  Progress* progress_;
  std::function<void(const JobMoment&)> on_moment_;
  Conversation talk_;
  Gate gate_;
  bool by_layer_;                  ///< each transfer is a coflow of its own
  bool phases_;                    ///< all pushes, then all pulls: there is a PST
  std::vector<NodeDeath> deaths_;  ///< to come, the next one last
  std::set<Node> dead_;
  std::multimap<std::uint64_t, TransferKey> snapshots_;  ///< of pulls, by version of the model; if there is payload
  JobResult result_;
  Picos now_{0};
  int rounds_here_ = 0;
  std::uint32_t next_id_ = 1;
  LoadKeeper* keeper_;                  ///< where servers own keys; else nullptr
  std::optional<Evaluator> evaluator_;  ///< of real learning
  std::vector<Order> held_;             ///< of the next iteration, while keys migrate
  std::map<Id, Offer> open_;            ///< offered and not finally delivered
  std::vector<Delivery> deliveries_;    ///< not yet told
};

}  // namespace ocs
