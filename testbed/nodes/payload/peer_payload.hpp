// What a peer does with payload: trains, hands out copies of its models, averages what came whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "testbed/nodes/learning/peer_model.hpp"
#include "testbed/nodes/payload/payload_roles.hpp"

namespace ocs {

/// Goes through the rounds as the coordinator's orders say: step, average, step, ... The model of a round is kept, in
/// chunks that all its receivers share, until it has been sent to all of them. Sums are taken in ascending order of the
/// nodes, the peer's own model among them, whatever came first: the same bits in every run.
class PeerPayload {
 public:
  PeerPayload(PayloadTools tools, Node self);

  void begin(const Offer& offer) { ++to_send_[offer.key.iteration]; }
  void average(const AverageFields& order, PayloadTotals& totals);
  /// Real learning: which of its models are to be scored. Before start().
  void score(const std::vector<PastEvent>& history);
  /// It isn't sent any more. Before start().
  void drop(const TransferKey& key) { sent(key); }
  /// All offers are known: trains for the first round.
  void start(PayloadTotals& totals);

  /// True when the model of that round is there.
  bool ready(const TransferKey& key) const { return models_.contains(key.iteration); }
  void make(const Outgoing& push, std::vector<Message>& append) const;
  /// All of a model has been sent to one receiver.
  void sent(const TransferKey& key);
  void take(WholeChunk push, PayloadTotals& totals);
  /// Who may send one more chunk, for each that has been used, or thrown away.
  std::vector<Node> take_credits() { return std::exchange(credits_, {}); }
  /// Real learning: what the coordinator is to score.
  std::vector<Message> take_snapshots() { return std::exchange(snapshots_, {}); }
  bool idle() const { return orders_.empty() && waiting_.empty(); }

 private:
  struct Chunk {
    Payload payload;  ///< none in digest
    std::uint32_t crc32c = 0;
  };
  using Place = std::tuple<std::size_t, Node, std::uint32_t>;  ///< chunk; of whom, of which round

  void step();
  void say_model();
  void add(std::size_t chunk, PayloadTotals& totals);
  void open_average();
  void go_on(PayloadTotals& totals);
  WordRun part_of(std::size_t chunk) const;
  std::span<float> floats(std::vector<float>& of, std::size_t chunk) const;
  std::uint32_t crc_of(const PeerRound& model, std::size_t chunk) const;

  PayloadTools tools_;
  Node self_;
  bool full_, started_ = false;
  std::unique_ptr<PeerModel> peer_;
  Words words_;
  std::size_t chunks_;
  std::uint32_t round_ = 0;
  std::vector<float> model_, sum_;                      ///< full
  std::deque<AverageFields> orders_;                    ///< the first one is under way
  std::vector<std::size_t> next_;                       ///< of each chunk: whose turn it is to be added
  std::vector<PeerRound> members_;                      ///< of the average under way, ascending
  std::size_t complete_ = 0;                            ///< chunks of it
  std::map<std::uint32_t, std::vector<Chunk>> models_;  ///< of rounds, as sent
  std::map<std::uint32_t, std::size_t> to_send_;        ///< how often yet
  std::map<Place, WholeChunk> waiting_;
  std::set<PeerRound> unused_;
  std::vector<Node> credits_;
  std::multimap<std::uint32_t, std::uint32_t> scored_;  ///< from means taken to number of the snapshot
  std::vector<Message> snapshots_;
};

}  // namespace ocs
