// The second part of every message: one struct a kind, encoded little-endian in the order of its members.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "host/core/ids.hpp"
#include "host/transport/wire.hpp"

namespace ocs {

enum class TransferPhase : std::uint8_t {
  push,
  pull,
  migrate,  ///< of a key's value, from the server that owned it (in place of the worker) to the one that owns it now
};

/// One transfer of a job, the same name on both ends: a push goes from worker to server, a pull back.
struct TransferKey {
  std::uint32_t iteration = 0;
  TransferPhase phase = TransferPhase::push;
  Node worker{}, server{};
  std::uint32_t slice = 0;  ///< of what lies on the server, in the order of its memory
  friend auto operator<=>(const TransferKey&, const TransferKey&) = default;
  Node from() const { return phase == TransferPhase::pull ? server : worker; }
  Node to() const { return phase == TransferPhase::pull ? worker : server; }
};
/// "push of worker 4 to server 1, iteration 0"; of a slice behind the first one, ", slice 3" more
std::string describe(const TransferKey& key);

/// A transfer that is ready. Words that were lost are offered again, by themselves, in a further attempt.
struct Offer {
  TransferKey key;
  Words words;                  ///< of the whole transfer, > 0
  std::uint32_t attempt = 0;    ///< 0: all words; else: as its receiver has numbered what it misses
  std::vector<WordRun> runs{};  ///< which words; empty for attempt 0, else ascending, with gaps between them
  std::uint32_t sent = 0;       ///< how often these words have been sent before
  std::uint32_t map = 0;        ///< version of the map of keys that it goes by
  Words carried() const;        ///< how many words these are
};

// clang-format off
struct TickFields { static constexpr auto kind = MessageKind::tick; };
struct ComputeFields { static constexpr auto kind = MessageKind::compute; std::uint32_t iteration = 0; Picos length{}; std::uint8_t offer = 1; };  // offer 0: say `computed`, a step
struct ReleaseFields { static constexpr auto kind = MessageKind::release; std::uint32_t iteration = 0; std::vector<Node> workers; };
struct FinishFields { static constexpr auto kind = MessageKind::finish; };
struct StopFields { static constexpr auto kind = MessageKind::stop; };
struct AckFields { static constexpr auto kind = MessageKind::ack; };
struct OffersFields { static constexpr auto kind = MessageKind::offers; std::vector<Offer> list; };
struct PushedFields { static constexpr auto kind = MessageKind::pushed; TransferKey key; std::uint32_t map = 0; };
struct MapAckFields { static constexpr auto kind = MessageKind::map_ack; std::uint32_t version = 0; };
struct MigratedFields { static constexpr auto kind = MessageKind::migrated; TransferKey key; };
struct WrongOwnerFields { static constexpr auto kind = MessageKind::wrong_owner; TransferKey key; std::uint32_t version = 0; };  // of the server's map
struct ComputedFields { static constexpr auto kind = MessageKind::computed; std::uint32_t iteration = 0; };
struct PulledFields { static constexpr auto kind = MessageKind::pulled; std::uint32_t iteration = 0; };
// clang-format on

struct DeliveredFields {
  static constexpr auto kind = MessageKind::delivered;
  TransferKey key;
  Words words;                ///< of the whole transfer
  bool final = true;          ///< false: more of this attempt may come
  std::vector<WordRun> runs;  ///< each with count > 0, below `words`
  std::uint32_t attempt = 0;  ///< of the offer that these words are of
  std::uint32_t map = 0;      ///< of that offer
};

/// Which server owns which key (slice), from iteration `first` on. Who owned a key that it no longer owns sends its
/// value to who does.
struct MapFields {
  static constexpr auto kind = MessageKind::map;
  std::uint32_t version = 0, first = 0;
  std::vector<Node> owner;  ///< of each key
};

/// To whom a peer sends its model of a round.
struct ReceiversFields {
  static constexpr auto kind = MessageKind::receivers;
  std::uint32_t round = 0, plan = 0;  ///< plan: plans are numbered as they are made
  std::vector<Node> nodes;            ///< ascending; not the peer itself
};

/// A peer's model of a round.
struct PeerRound {
  Node node{};
  std::uint32_t round = 0;
  friend auto operator<=>(const PeerRound&, const PeerRound&) = default;
};

/// Ends a peer's round: its model becomes the mean of its own and of these, which it has whole.
struct AverageFields {
  static constexpr auto kind = MessageKind::average;
  std::uint32_t round = 0;
  std::uint8_t last = 0;          ///< 1: it has no further round; its model stays as it is, and `models` is empty
  std::vector<PeerRound> models;  ///< ascending, one a node, not the peer itself
  std::vector<PeerRound> unused;  ///< ascending: it has them whole as well, but newer ones of the same nodes too
};

struct AbortedFields {
  static constexpr auto kind = MessageKind::aborted;
  TransferKey key;
  Words sent;  ///< so many of its words had been sent
};

/// Blocks [first, first + blocks) of a rank's layout, in a step of a collective: what it sends to a peer, or what it
/// receives from it, to be added to its own blocks or to be taken in their place.
struct RankStep {
  /// `holds`, of the last leg alone, is what the rank must have in the end; it has no peer.
  enum class What : std::uint8_t { sends, adds, takes, holds } what = What::sends;
  std::uint32_t step = 0;
  Node peer{};
  std::uint32_t first = 0, blocks = 1;
  std::int64_t weight = 0;  ///< of each block that isn't sent: the sum of the weights of the ranks that are in it
  friend bool operator==(const RankStep&, const RankStep&) = default;
};

/// A leg of a collective, as one rank sees it: one transfer to each peer that it sends to, and one from each that it
/// receives from. A transfer carries its steps one behind the other, blocks ascending within a step.
struct StepsFields {
  static constexpr auto kind = MessageKind::steps;
  std::uint32_t iteration = 0, leg = 0;
  std::uint8_t last = 0;       ///< 1: of the iteration
  std::vector<RankStep> list;  ///< ascending by step; of one step, what is sent comes first
};

/// What a node sends to another, of a coflow.
struct CoflowSend {
  Node to{};
  Words words;  ///< > 0
  friend bool operator==(const CoflowSend&, const CoflowSend&) = default;
};

/// A coflow that is released, as one sender sees it. Its transfers are pushes of iteration `coflow`.
struct SendsFields {
  static constexpr auto kind = MessageKind::sends;
  std::uint32_t coflow = 0;
  std::vector<CoflowSend> list;  ///< ascending by receiver
};

/// From the receiver to the coordinator, and from there to the sender.
struct MissingFields {
  static constexpr auto kind = MessageKind::missing;
  TransferKey key;
  Words words;                ///< of the whole transfer
  std::vector<WordRun> runs;  ///< one or more, ascending, with gaps between them
  std::uint32_t attempt = 1;  ///< in which they are to be sent: 1, 2, ... for each transfer
  std::uint32_t sent = 1;     ///< how often they have been sent, and were lost
};

/// Of one push or one pull of a worker, at one server that keeps a model.
struct PastEvent {
  enum class What : std::uint8_t {
    applied,
    dropped,
    pulled,
    gave,     ///< a key's value to the server `worker`
    took,     ///< a key's value from the server `worker`
    scored,   ///< to a server: it sends a `snapshot` of number `iteration`; to a peer: when it has taken `weight` means
    merged,   ///< to a worker, and so the next two, in real learning: it goes on with what pull `iteration` brought
    stepped,  ///< it takes a step on `weight` samples
    sent,     ///< its push `iteration` is what it has learned since the last one
    left,  ///< to a server, and to the worker itself: it died when this many pushes were whole; what of later pushes,
           ///< or of its pulls that aren't named before, was on its way is never carried
  } what = What::applied;
  Node worker{}, server{};
  std::uint32_t iteration = 0;
  std::int32_t weight = 0;  ///< pulled, gave, took: sum of the weights of what had been applied (payload_math.hpp);
                            ///< applied in real learning: samples of the push
  std::uint32_t slice = 0;  ///< of a pull or a migration; what is applied or dropped is so in all slices; applied in
                            ///< real learning: pushes that the update is the mean of
};

/// To a server: its events, in the order in which its model went through them. To a worker: what its pulls got.
struct HistoryFields {
  static constexpr auto kind = MessageKind::history;
  std::vector<PastEvent> list;
};

/// Payload: words `part` of the server's layout, as they were.
struct SnapshotFields {
  static constexpr auto kind = MessageKind::snapshot;
  std::uint32_t number = 0;
  WordRun part;
};

struct WorkingFields {
  static constexpr auto kind = MessageKind::working;
  std::uint64_t chunks = 0;  ///< consumed so far
  std::string waits_for;     ///< "payload of node 3"; empty: for nothing
};

struct DoneFields {
  static constexpr auto kind = MessageKind::done;
  std::uint64_t crc_errors = 0;  ///< chunks
  std::uint64_t sum_errors = 0;  ///< elements
  std::uint64_t chunks = 0;      ///< consumed
  std::uint64_t buffers = 0;     ///< of payload memory, the most at one time; 0 from a thread
  std::uint64_t peak_rss = 0;    ///< bytes, of the node's process; 0 from a thread
};

struct FaultFields {
  static constexpr auto kind = MessageKind::fault;
  ErrorKind error = ErrorKind::run;
  std::string text;
};

/// Payload: words [first, first + count) of a transfer of `words`; their CRC-32C is in the header.
struct ChunkFields {
  static constexpr auto kind = MessageKind::chunk;
  TransferKey key;
  Words words;
  WordRun part;
  std::uint32_t attempt = 0;  ///< of the offer that it belongs to
};

struct CreditFields {
  static constexpr auto kind = MessageKind::credit;
  TransferPhase phase = TransferPhase::push;  ///< of the transfers that it is for
  std::uint32_t chunks = 0;                   ///< > 0
};

struct HelloFields {
  static constexpr auto kind = MessageKind::hello;
  std::string endpoint;   ///< where the node receives
  std::uint32_t pid = 0;  ///< of its process, on its host
};

struct BeginFields {
  static constexpr auto kind = MessageKind::begin;
  struct Member {
    Node node{};
    std::uint8_t shares = 0;  ///< 1: it was given the coordinator's shared memory
    std::string endpoint;
  };
  std::vector<Member> members;
  std::vector<std::byte> job;  ///< as the nodes encode it
};

// clang-format off
struct ReadyFields { static constexpr auto kind = MessageKind::ready; };
struct LeaveFields { static constexpr auto kind = MessageKind::leave; };
struct PingFields { static constexpr auto kind = MessageKind::ping; };
// clang-format on

/// The bytes of one of the structs above.
template <class F>
std::vector<std::byte> encode_fields(const F& fields);

/// The way back. @throws Malformed if the message's kind is another, bytes are missing or left over, or a value can't
/// be.
template <class F>
F decode_fields(const Message& message);

/// A message with its kind, receiver, time and fields set.
template <class F>
Message make_message(std::uint16_t to, Picos at, const F& fields) {
  Message message;
  message.header.kind = static_cast<std::uint16_t>(F::kind);
  message.header.to = to;
  message.header.at_ps = at.n;
  message.fields = encode_fields(fields);
  return message;
}

inline MessageKind kind_of(const Message& message) { return static_cast<MessageKind>(message.header.kind); }

}  // namespace ocs
