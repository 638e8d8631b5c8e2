// The payload side of a node: it moves and works on bytes beside virtual time, in slices of one chunk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>

#include "host/core/message.hpp"
#include "host/transport/carrier.hpp"
#include "testbed/nodes/payload/coflow_payload.hpp"
#include "testbed/nodes/payload/payload_roles.hpp"
#include "testbed/nodes/payload/peer_payload.hpp"
#include "testbed/nodes/payload/rank_payload.hpp"

namespace ocs {

/// Nothing that happens here has a time: promises never wait for it, and it never changes a result in time. The other
/// way round it would be felt: a coordinator that waits for its turn among busy payload threads, hundreds of times,
/// takes seconds on a loaded machine. So payload stays `lag` iterations behind virtual time, or starts with finish().
///
/// Where servers keep one model (ServerMemory::model) it always starts with finish(): what a pull brings depends on
/// when it began, and that is known to the coordinator alone, which says it then (learn).
///
/// So it is among peers: whose models go into which mean is said by orders (average), and what is aborted (drop) never
/// crosses at all.
///
/// So it is in a collective: when all legs are known, payload goes through them by their data dependencies alone. And
/// so it is with coflows, whose chunks wait for nothing but their credits.
///
/// Flow control: to each peer at most `window` chunks are on their way or held there, or three if it has three phases. A
/// pull's credit goes back when it has been checked, a push's when the sum is complete that it was added to: then all
/// workers are woken but once. A chunk of a push is sent when the same part of the previous iteration's pull has been
/// checked, and added while its server's memory has room (SumStore); a chunk of a pull is sent when all pushes of that
/// part have been added. So servers go through their memory chunk by chunk, not worker by worker: the sums stay in the
/// cache, and memory doesn't grow with the model.
///
/// Who sends more than it has credits for is refused: so no node holds more than `window` chunks a peer beyond its
/// sums, whatever the others do.
///
/// What was lost in virtual time, and in which further attempts it passed, is known before its payload is sent: `lag`
/// iterations later the transfer was whole. So the words of a chunk that are sent again follow it at once, on its
/// credit, and the receiver puts the chunk together before anything is done with it (Reassembly).
///
/// Nobody gets stuck: pushes, pulls and migrations to one peer have credits of their own (one each, if a node sends
/// several of them), a worker can always check what has passed, what has passed never waits for payload, and every other
/// wait is for a chunk that is earlier in (iteration, place). Transfers of one phase to one peer go in the order of
/// iterations and slices, whenever they are ready in virtual time. Where servers keep a model, a worker's third iteration
/// may come before another one's first, so pulls go in the order in which they began, which the history has: then every
/// wait is for a chunk that is earlier in virtual time.
class PayloadPlane {
 public:
  static constexpr std::uint32_t window = 2;
  static constexpr std::uint32_t lag = 4;

  PayloadPlane(PayloadTools tools, Node self, Sender& out);

  void begin(const Offer& offer);                  ///< this node has offered a transfer, or words of it again
  void ask(const MissingFields& missing);          ///< this node misses words
  void deliver(const DeliveredFields& delivered);  ///< words have passed to this node
  void receive(Message message);                   ///< a chunk or a credit
  void learn(const HistoryFields& history);        ///< before finish(): servers keep a model, peers or ranks learn
  void average(const AverageFields& order);        ///< of a peer: what its next mean is of
  void drop(const TransferKey& key);               ///< of a peer: that isn't carried any further
  void step(const StepsFields& leg);               ///< of a rank: a leg has begun
  void release(const SendsFields& coflow);         ///< of a node of coflows: one is released
  void finish();                                   ///< nothing more will begin: work on all there is
  bool work();                                     ///< one slice; false: nothing to do until a message comes
  void hand_on();                 ///< what was made goes out, if it is much; else when there is nothing to do
  bool idle() const;              ///< all that was begun is sent, all that was delivered is worked on
  std::string waits_for() const;  ///< "payload of node 3, room at node 0"; empty: for nothing
  const PayloadTotals& totals() const { return totals_; }

 private:
  struct Stream {
    TransferKey key;
    Words words, next;
    std::vector<Again> again{};
  };
  /// Transfers of one phase to one peer, by iteration and slice.
  struct Lane {
    Node peer;
    TransferPhase phase;
    std::deque<Stream> streams;
    std::uint32_t credits = 0;
  };
  using LaneKey = std::pair<Node, TransferPhase>;

  void order_pulls();
  void check_turn(LaneKey from, const ChunkFields& chunk);
  static std::uint32_t credits_of(std::size_t phases);
  Lane& lane(Node peer, TransferPhase phase);
  void open_lane(Node peer);
  WordRun part_of(const Stream& stream) const;
  bool is_silent(const TransferKey& key) const;
  void part_with(const PastEvent& left);
  bool may_send(const Lane& lane) const;
  bool consume(TransferPhase phase);
  bool consume_pushed();
  std::optional<WholeChunk> take_next(TransferPhase phase);
  bool send(TransferPhase phase);
  void give_credits();
  void empty_outbox();
  void flush();
  std::uint32_t allowance(LaneKey from) const;

  PayloadTools tools_;
  Node self_;
  Sender& out_;
  std::optional<WorkerPayload> worker_;
  std::optional<ServerPayload> server_;
  std::optional<PeerPayload> peer_;      ///< in place of these two
  std::optional<RankPayload> rank_;      ///< or this
  std::optional<CoflowPayload> coflow_;  ///< or this
  bool finishing_ = false;
  Carrier carrier_;
  Reassembly reassembly_;
  std::vector<Lane> lanes_;                ///< to every peer that this node ever sends to
  std::map<LaneKey, std::uint32_t> owed_;  ///< credits that go back with the next flush, by sender
  std::vector<Message> outbox_;            ///< chunks that go out with the next flush: fewer wake-ups
  std::array<Words, max_ports> pulled_{};  ///< words that this worker has checked, by server, over all iterations
  std::uint32_t may_push_ = 0;             ///< iterations below it
  std::uint32_t no_pulls_from_ = 0;        ///< iterations, of this server: 1 + the last one that it was asked for
  std::map<Node, std::int64_t> expected_;  ///< words delivered and not yet worked on, by sender; never 0
  /// Least iteration, slice and word to come, of a lane; of pulls of a model, whose slices come in any order, by slice.
  std::map<std::pair<LaneKey, std::uint32_t>, std::tuple<std::uint32_t, std::uint32_t, Words>> next_;
  std::map<LaneKey, std::uint32_t> held_;  ///< chunks here whose credit has not gone back, by sender
  PayloadTotals totals_;
};

}  // namespace ocs
