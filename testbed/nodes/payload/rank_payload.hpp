// What a rank of a collective does with payload: it sends its blocks, and adds or takes those of others, step by step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "testbed/nodes/learning/learning_rank.hpp"
#include "testbed/nodes/payload/payload_roles.hpp"

namespace ocs {

/// A rank begins an iteration with the pattern times its weight in all blocks. When the iteration's last leg is done,
/// blocks have to be the pattern times the weight that a `holds` step names: of a sum, that of all ranks that are in it,
/// exactly.
/// full: every number is there. digest: of each block the weight, and of each chunk the CRC of the pattern times it.
///
/// Of a layout of B blocks, steps name block B + b for what is no block of the rank's own: words of somebody's block b
/// that it relays.
///
/// Numbers are kept where something is added to them, or where what was received is sent on, from the first operation on
/// the block to the last. What a rank only sends is made chunk by chunk, and what it only receives is compared as it
/// comes: an all_to_all keeps nothing.
///
/// In real learning a rank begins an iteration with a gradient in all blocks, which lie one behind the other in memory
/// of their own, and ends it with the sum of all ranks' gradients, which its model is changed by before the next one.
/// Sums are taken in the order of the steps, one addition a number: the same bits in every run. That they are of the
/// right ranks is a matter of the weights, which the steps say.
///
/// What is sent in a step is what was there before it: an operation on a block waits for those that it follows, word by
/// word. Nobody gets stuck by that: an operation waits for earlier steps, or for what its own rank sends of the same
/// words in the same step; and where blocks are sent and received in one step, a step's transfers carry them in
/// ascending order, so a chain of such waits goes to ever lower words.
class RankPayload {
 public:
  RankPayload(PayloadTools tools, Node self);

  /// Real learning: which of its models are to be scored. Before start().
  void score(const std::vector<PastEvent>& history);
  /// A leg has begun. @returns the transfers of this rank, each with its words
  std::vector<std::pair<TransferKey, Words>> begin(const StepsFields& leg);
  /// All legs are known.
  void start(PayloadTotals& totals);

  /// The next chunk of a transfer of this rank, from word `next` on: it lies in one block of one step.
  WordRun part(const TransferKey& key, Words next) const;
  /// True when what the chunk carries is as it has to be.
  bool ready(const TransferKey& key, WordRun part) const;
  /// The chunk that has a word of a transfer of the present iteration.
  WordRun chunk_of(const TransferKey& key, Words word) const;
  void make(const Outgoing& chunk, std::vector<Message>& append, PayloadTotals& totals);
  /// True when this chunk can be added, or taken, now.
  bool takes(const Arrival& arrival) const { return ready(arrival.key, arrival.chunk); }
  void take(const WholeChunk& chunk, PayloadTotals& totals);
  /// Real learning: what the coordinator is to score.
  std::vector<Message> take_snapshots() { return std::exchange(snapshots_, {}); }
  bool idle() const { return legs_.empty() && operations_.empty() && snapshots_.empty(); }

 private:
  /// A block that a step names.
  struct Block {
    std::uint32_t number;                  ///< in the layout
    bool relayed;                          ///< somebody else's
    std::int64_t weight;                   ///< after all its operations
    std::optional<std::int64_t> wanted{};  ///< in the end
    std::vector<std::size_t> last{};       ///< operations: the last receipt, if there was any, and who sent since
    std::size_t left = 0;                  ///< operations
    bool is_own = false;                   ///< it begins as the rank's own numbers
    bool received = false, kept = false;
    std::unique_ptr<float[]> numbers{};  ///< while it is kept, unless they lie in gradient_
  };
  /// One block of one step.
  struct Operation {
    RankStep::What what;
    Block* block;
    std::int64_t weight;  ///< of what is carried: the sum of the weights of the ranks that are in it
    Words at;             ///< where it begins in its transfer
    Words done;
    std::vector<std::size_t> after;  ///< operations on the same block that it follows
  };
  using Operations = std::vector<Operation>;

  void open_iteration(PayloadTotals& totals);
  void end_iteration();
  void say_model();
  void add_leg(const StepsFields& leg);
  void add_operation(const TransferKey& key, const RankStep& step, std::uint32_t named);
  Block& block_of(std::uint32_t named);
  std::size_t place_of(const TransferKey& key, Words word) const;
  void done(Operation& operation, Words words, PayloadTotals& totals);
  void check_weights(PayloadTotals& totals) const;
  void check_numbers(const Block& block, PayloadTotals& totals) const;
  PatternSlice slice(const Operation& operation, WordRun part) const;
  std::span<float> numbers(const Operation& operation, WordRun part);
  std::uint32_t crc_of(const Operation& operation, WordRun part);
  std::size_t floats_in(Words words) const;
  const Slice& slice_of(const Block& block) const { return tools_.job.servers.front().slices[block.number]; }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(tools_.job.servers.front().slices.size()); }
  /// Words of a block as a step names it.
  Words words_of(std::uint32_t named) const { return tools_.job.servers.front().slices[named % blocks()].words; }
  Words end_of(const Operation& operation) const { return operation.at + slice_of(*operation.block).words; }

  PayloadTools tools_;
  Node self_;
  bool full_;
  std::int64_t own_weight_;
  std::deque<StepsFields> legs_;  ///< of later iterations, and those that aren't opened yet
  std::uint32_t iteration_ = 0;
  Operations operations_;                                   ///< of the iteration under way
  std::map<TransferKey, std::vector<std::size_t>> places_;  ///< of each transfer: its operations
  std::map<std::uint32_t, Block> blocks_;                   ///< as steps name them
  std::size_t left_ = 0;                                    ///< operations
  KnownCrcs crcs_;
  std::optional<LearningRank> learning_;
  std::vector<float> gradient_;                         ///< real learning: this rank's at first, then sums; all blocks
  std::uint32_t summed_ = 0;                            ///< iterations that the model has learned from
  std::multimap<std::uint32_t, std::uint32_t> scored_;  ///< from iterations summed to number of the snapshot
  std::vector<Message> snapshots_;
};

}  // namespace ocs
