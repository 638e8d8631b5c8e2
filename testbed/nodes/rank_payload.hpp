// What a rank of a collective does with payload: it sends its blocks, and adds or takes those of others, step by step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "testbed/nodes/payload_roles.hpp"

namespace ocs {

/// A rank begins an iteration with the pattern times its weight in all blocks, so the sums of all ranks are the pattern
/// times weight_of_all, exactly; they are compared when the iteration's last leg is done.
/// full: every number is there. digest: of each block the weight, and of each chunk the CRC of the pattern times it.
///
/// Of a layout of B blocks, steps name block B + b for what is no block of the rank's own: words of somebody's block b
/// that it relays. It keeps them from the hop in which they come to the one in which they go on.
///
/// What is sent in a step is what was there before it: an operation on a block waits for those that it follows, word by
/// word. Nobody gets stuck by that: an operation waits for earlier steps, or for what its own rank sends of the same
/// words in the same step; and a step's transfers carry blocks in ascending order, so a chain of such waits goes to
/// ever lower words.
class RankPayload {
 public:
  RankPayload(PayloadTools tools, Node self);

  /// A leg has begun. @returns the transfers of this rank, each with its words
  std::vector<std::pair<TransferKey, Words>> begin(const StepsFields& leg);
  /// All legs are known.
  void start(PayloadTotals& totals) { open_iteration(totals); }

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
  bool idle() const { return legs_.empty() && operations_.empty(); }

 private:
  /// One block of one step.
  struct Operation {
    RankStep::What what;
    std::uint32_t block;  ///< of the layout
    bool relays;          ///< it is somebody else's
    std::int64_t weight;  ///< of what is carried: the sum of the weights of the ranks that are in it
    Words at;             ///< where it begins in its transfer
    Words done;
    std::vector<std::size_t> after;  ///< operations on the same block that it follows
  };
  using Operations = std::vector<Operation>;

  void open_iteration(PayloadTotals& totals);
  void add_leg(const StepsFields& leg);
  void add_operation(const TransferKey& key, const RankStep& step, std::uint32_t block);
  std::size_t place_of(const TransferKey& key, Words word) const;
  void done(Operation& operation, Words words, PayloadTotals& totals);
  void check_sums(PayloadTotals& totals) const;
  PatternSlice slice(const Operation& operation, WordRun part) const;
  std::span<float> numbers(const Operation& operation, WordRun part);
  std::uint32_t crc_of(const Operation& operation, WordRun part);
  std::size_t floats_in(Words words) const;
  const std::vector<Slice>& blocks() const { return tools_.job.servers.front().slices; }
  /// Words of a block as a step names it.
  Words words_of(std::uint32_t named) const { return blocks()[named % blocks().size()].words; }

  PayloadTools tools_;
  Node self_;
  bool full_;
  std::deque<StepsFields> legs_;  ///< of later iterations, and those that aren't opened yet
  std::uint32_t iteration_ = 0;
  Operations operations_;                                   ///< of the iteration under way
  std::map<TransferKey, std::vector<std::size_t>> places_;  ///< of each transfer: its operations
  std::vector<std::vector<std::size_t>>
      last_;                           ///< of each block that a step can name: who sent since the last receipt, and it
  std::size_t left_ = 0;               ///< operations
  std::vector<float> numbers_;         ///< full
  std::vector<float> relayed_;         ///< full: as numbers_, of others; empty if it never relays
  std::vector<std::int64_t> weights_;  ///< of each block, when all operations are done
  KnownCrcs crcs_;
};

}  // namespace ocs
