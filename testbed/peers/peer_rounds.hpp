// Virtual time among peers: plans of receivers, transfers, means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/transport/run_set.hpp"
#include "testbed/coordinator/gate/sync_measures.hpp"
#include "testbed/coordinator/model/evaluator.hpp"
#include "testbed/engine/running_job.hpp"
#include "testbed/peers/pair_history.hpp"
#include "testbed/peers/peer_job.hpp"

namespace ocs {

/// In rounds that all have together: all compute, receivers are chosen once the last one
/// has, the round ends when all is in, everybody averages and computes again. Where each goes on by itself: receivers
/// are chosen whenever one has computed, what falls out of the plan is aborted; who has sent all that is left of its
/// plan has ended its round, waits until it is at most `ahead` rounds ahead of the slowest, averages with the newest
/// model that it has of each, and computes again.
class PeerRounds final : public RunningJob {
 public:
  /// @param result where the result is put in finish()
  PeerRounds(const PeerSpec& spec, const NodeJob& job, NodeExchange& talk, JobActions& actions, const PeerHooks& hooks,
             PeerResult& result);

  void begin() override;
  void on(Delivery delivery) override;
  void on(const Stamped& said) override;
  Picos next() const override { return first_death_ ? first_death_->at : never<Picos>; }
  bool wake() override;
  bool is_over() const override;
  void finish() override;
  NodeExchange* nodes() override { return &talk_; }
  double fraction() const override;
  std::string waits_for() const override { return "the switch"; }
  std::string states() const override;

 private:
  struct Peer {
    enum class State : std::uint8_t { computing, ready, sending, waiting, finished } state = State::computing;
    std::uint32_t round = 0;                      ///< that it is in; when it has finished, how many it had
    Picos until;                                  ///< computing: it ends then
    Picos asked;                                  ///< waiting: since then
    Outputs wanted;                               ///< sending: who is still to get its model, by number
    Outputs served;                               ///< to whom its model has come
    std::int32_t priority = 0;                    ///< of its transfers
    std::size_t left = 0;                         ///< sending: models that aren't known to be in
    std::map<std::size_t, std::uint32_t> newest;  ///< whole here: of whom, of which round
    std::vector<PeerRound> unused;                ///< the others that are
  };
  /// One transfer of the network: words of a model, to several at once.
  struct ModelTransfer {
    std::size_t sender = 0;
    std::uint32_t round = 0;
    std::vector<WordRun> words{};  ///< ascending, with gaps between them; one behind the other they are the transfer
    std::uint32_t lost = 0;        ///< how many times some of them were lost
    std::vector<std::size_t> to{};
    std::map<std::size_t, RunSet> came{};  ///< of the model, to each
    std::size_t open = 0;                  ///< receivers that the network has not reported the last of
    bool cut = false;
  };

  /// How far all were when somebody had taken a mean.
  struct Means {
    Picos at;
    std::uint64_t all = 0;                ///< taken so far
    std::vector<std::uint32_t> replicas;  ///< by each whose model is scored
  };

  void compute(std::size_t i);
  void computed(std::size_t i);
  void choose_for_all();
  void choose_for(std::size_t i);
  SelectionProblem problem() const;
  Selection ask(const SelectionProblem& problem);
  void hurry(const Selection& selection);
  void send_to(std::size_t i, const Outputs& receivers, std::uint32_t plan);
  Words left_of(std::size_t i, std::size_t j);
  Ticks slack_of(std::size_t i) const;
  Ticks ticks(std::size_t i, Words words) const;
  void abort(const PeerPair& pair);
  void offered(std::size_t i, const OffersFields& offers);
  void offer(ModelTransfer sent, Picos ready);
  void offer_lost(ModelTransfer rest);
  void complete(std::size_t i, std::uint32_t round, std::size_t j);
  void end_of(std::map<Id, ModelTransfer>::iterator sent);
  void pushed(const TransferKey& key);
  void one_less(std::size_t i);
  void release_who_may();
  std::uint32_t slowest() const;
  void average(std::size_t i, bool last);
  void note_means();
  void tell_scores();
  std::size_t number_of(Node node) const;
  void collect_payload_results();

  const PeerSpec& spec_;
  const NodeJob& job_;
  JobActions& actions_;
  const PeerHooks& hooks_;
  Words words_;  ///< of a model
  std::unique_ptr<ReceiverSelection> policy_;
  NodeExchange& talk_;
  PairHistory history_;
  SyncMeasures measures_;
  std::vector<Peer> peers_;
  std::map<Id, ModelTransfer> model_transfers_;
  PeerResult& result_;
  std::optional<Evaluator> evaluator_;
  std::vector<Means> means_;  ///< where an evaluation is due, and the last ones
  std::uint32_t plans_ = 0;
  std::optional<NodeDeath> first_death_;
};

}  // namespace ocs
