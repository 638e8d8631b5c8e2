// A training job with parameter servers in virtual time: what is computed, pushed, granted and pulled when.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "host/core/id_table.hpp"
#include "testbed/coordinator/gate/gate.hpp"
#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/servers/under_way.hpp"
#include "testbed/engine/running_job.hpp"

namespace ocs {

/// Workers push to servers and pull from them when the gate of their scheme lets them.
/// Local transfers (worker and server on one node) take no time and no port: they are told in the same instant.
class ServerJob final : public RunningJob {
 public:
  /// @param result where the result is put in finish()
  ServerJob(const NodeJob& job, const GateRules& rules, std::vector<NodeDeath> deaths, NodeExchange& talk,
            JobActions& actions, std::function<void(const JobMoment&)> on_moment, KeyMapManager* key_map,
            JobResult& result);

  void begin() override;
  void on(Delivery delivery) override;
  void on(const Stamped& said) override;
  Picos next() const override;
  bool wake() override;
  bool is_over() const override;
  void finish() override;
  NodeExchange* nodes() override { return &talk_; }
  double fraction() const override;
  std::string waits_for() const override { return gate_.summary(); }
  std::string states() const override;

 private:
  void carry_out(const std::vector<Order>& orders);
  void carry_out_now(const std::vector<Order>& orders);
  bool waits_for_map(const std::vector<Order>& orders);
  bool begins_iteration(const std::vector<Order>& orders) const;
  void change_map_when_quiet();
  void go_on_when_settled();
  void go_on();
  void command(const Order& order, Node worker);
  void act_on_map(const Stamped& said);
  void check_key(const TransferKey& key, Node from) const;
  void offer(const Offer& offer);
  void keep_snapshot(const TransferKey& key, Picos began);
  void die(const NodeDeath& death);
  void tell_history();
  std::vector<PastEvent> program(const std::vector<PastEvent>& decisions) const;
  void collect_payload_results();
  void note(JobMoment::What what, const TransferKey& key, bool early = false) const;
  Id coflow_of(const TransferKey& key) const;

  const NodeJob& job_;
  NodeExchange& talk_;
  JobActions& actions_;
  std::function<void(const JobMoment&)> on_moment_;
  Gate gate_;
  bool by_layer_;                  ///< each transfer is a coflow of its own
  bool phases_;                    ///< all pushes, then all pulls: there is a PST
  bool whole_rounds_;              ///< there are iterations of all workers, between which nothing is under way
  std::vector<NodeDeath> deaths_;  ///< to come, the next one last
  std::set<Node> dead_;
  std::map<Node, std::uint32_t> pulled_;  ///< of each worker: it has all pulls of iterations below this
  /// Of pulls, by versions of the model and of the map; if there is payload.
  std::multimap<std::pair<std::uint64_t, std::size_t>, TransferKey> snapshots_;
  JobResult& result_;
  KeyMapManager* key_map_;              ///< where servers own keys; else nullptr
  std::function<PortUse(Node)> use_;    ///< for the key map
  std::optional<Evaluator> evaluator_;  ///< of real learning
  /// Of the map: nothing is to change; it is decided, and waits until nothing is under way; keys migrate.
  enum class Change { none, decided, migrating } change_ = Change::none;
  std::uint64_t asked_at_ = 0;  ///< updates of the model when the policy was asked last, without common iterations
  UnderWay under_way_;
  std::vector<Order> held_;  ///< while the map changes
  IdTable<Offer> open_;      ///< offered and not finally delivered
};

}  // namespace ocs
