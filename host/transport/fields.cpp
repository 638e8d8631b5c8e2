// The layouts of the message fields, each described once for both directions, and the checks of what was read.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/fields.hpp"

#include <algorithm>

#include "host/transport/bytes.hpp"

namespace ocs {
namespace {

[[noreturn]] void refuse(MessageKind kind, const std::string& field, std::int64_t value, const std::string& right) {
  throw Malformed(std::string(name_of(kind)) + " fields: " + field + " is " + std::to_string(value) +
                  "; it should be " + right);
}

void check_node(MessageKind kind, Node node) {
  if (index(node) >= max_ports) refuse(kind, "node", index(node), "0 to 255");
}

void check_phase(MessageKind kind, TransferPhase phase) {
  if (phase > TransferPhase::migrate) refuse(kind, "phase", index(phase), "0 (push), 1 (pull) or 2 (migrate)");
}

void check_key(MessageKind kind, const TransferKey& key) {
  check_phase(kind, key.phase);
  check_node(kind, key.worker);
  check_node(kind, key.server);
}

constexpr std::size_t max_endpoint = 255;
void check_endpoint(MessageKind kind, const std::string& endpoint) {
  if (endpoint.empty() || endpoint.size() > max_endpoint)
    refuse(kind, "length of an endpoint", static_cast<std::int64_t>(endpoint.size()), "1 to 255");
  for (const char c : endpoint)
    if (c <= ' ' || c > '~') refuse(kind, "character of an endpoint", c, "printable");
}

void check_words(MessageKind kind, Words words) {
  if (words.n <= 0) refuse(kind, "words", words.n, "1 or more");
}

void check_run(MessageKind kind, const WordRun& run, Words words) {
  if (run.first.n < 0 || run.first >= words)
    refuse(kind, "first word of a run", run.first.n, "0 to " + std::to_string(words.n - 1));
  if (run.count.n <= 0 || run.count > words - run.first)
    refuse(kind, "length of a run", run.count.n, "1 to " + std::to_string(words.n - run.first.n));
}

/// Words are sent again in a later attempt each time.
void check_sent(MessageKind kind, std::uint32_t attempt, std::uint32_t sent) {
  const std::uint32_t least = attempt == 0 ? 0 : 1;
  if (sent < least || sent > attempt)
    refuse(kind, "times that words have been sent", sent, std::to_string(least) + " to " + std::to_string(attempt));
}

/// What is sent again.
void check_runs(MessageKind kind, const std::vector<WordRun>& runs, Words words) {
  Words end;
  for (const WordRun& run : runs) {
    check_run(kind, run, words);
    if (&run != &runs.front() && run.first <= end)
      refuse(kind, "first word of a run", run.first.n,
             "above " + std::to_string(end.n) + ", the end of the one before");
    end = run.first + run.count;
  }
}

}  // namespace

Words Offer::carried() const {
  if (attempt == 0) return words;
  Words sum;
  for (const WordRun& run : runs) sum += run.count;
  return sum;
}

// ---- layouts; found by the archives through the namespace -----------------------------------------------------------

template <class A, class T>
requires std::same_as<std::remove_const_t<T>, TransferKey>
void visit(A& a, T& k) { a(k.iteration, k.phase, k.worker, k.server, k.slice); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, WordRun>
void visit(A& a, T& r) { a(r.first, r.count); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, Offer>
void visit(A& a, T& o) { a(o.key, o.words, o.attempt, o.runs, o.sent, o.map); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, PeerRound>
void visit(A& a, T& r) { a(r.node, r.round); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, PastEvent>
void visit(A& a, T& e) { a(e.what, e.worker, e.server, e.iteration, e.weight, e.slice); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, RankStep>
void visit(A& a, T& s) { a(s.what, s.step, s.peer, s.first, s.blocks, s.weight); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, CoflowSend>
void visit(A& a, T& s) { a(s.to, s.words); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, BeginFields::Member>
void visit(A& a, T& m) { a(m.node, m.shares, m.endpoint); }

namespace {

template <class A, class T>
void layout(A& a, T& f) {
  using F = std::remove_const_t<T>;
  if constexpr (std::is_same_v<F, ComputeFields>) a(f.iteration, f.length, f.offer);
  if constexpr (std::is_same_v<F, ComputedFields> || std::is_same_v<F, PulledFields>) a(f.iteration);
  if constexpr (std::is_same_v<F, ReleaseFields>) a(f.iteration, f.workers);
  if constexpr (std::is_same_v<F, OffersFields>) a(f.list);
  if constexpr (std::is_same_v<F, PushedFields>) a(f.key, f.map);
  if constexpr (std::is_same_v<F, MapFields>) a(f.version, f.first, f.owner);
  if constexpr (std::is_same_v<F, MapAckFields>) a(f.version);
  if constexpr (std::is_same_v<F, MigratedFields>) a(f.key);
  if constexpr (std::is_same_v<F, WrongOwnerFields>) a(f.key, f.version);
  if constexpr (std::is_same_v<F, MissingFields>) a(f.key, f.words, f.runs, f.attempt, f.sent);
  if constexpr (std::is_same_v<F, HistoryFields>) a(f.list);
  if constexpr (std::is_same_v<F, SnapshotFields>) a(f.number, f.part);
  if constexpr (std::is_same_v<F, WorkingFields>) a(f.chunks, f.waits_for);
  if constexpr (std::is_same_v<F, CreditFields>) a(f.phase, f.chunks);
  if constexpr (std::is_same_v<F, DoneFields>) a(f.crc_errors, f.sum_errors, f.chunks, f.buffers, f.peak_rss);
  if constexpr (std::is_same_v<F, ChunkFields>) a(f.key, f.words, f.part, f.attempt);
  if constexpr (std::is_same_v<F, HelloFields>) a(f.endpoint, f.pid);
  if constexpr (std::is_same_v<F, BeginFields>) a(f.members, f.job);
  if constexpr (std::is_same_v<F, ReceiversFields>) a(f.round, f.plan, f.nodes);
  if constexpr (std::is_same_v<F, AverageFields>) a(f.round, f.last, f.models, f.unused);
  if constexpr (std::is_same_v<F, AbortedFields>) a(f.key, f.sent);
  if constexpr (std::is_same_v<F, StepsFields>) a(f.iteration, f.leg, f.last, f.list);
  if constexpr (std::is_same_v<F, SendsFields>) a(f.coflow, f.list);
}

void layout(ByteAppender& a, const DeliveredFields& f) {
  a(f.key, f.words, std::uint8_t{f.final}, f.runs, f.attempt, f.map);
}
void layout(ByteReader& a, DeliveredFields& f) {
  std::uint8_t final = 0;
  a(f.key, f.words, final, f.runs, f.attempt, f.map);
  if (final > 1) refuse(DeliveredFields::kind, "final", final, "0 or 1");
  f.final = final == 1;
}

void layout(ByteAppender& a, const FaultFields& f) { a(static_cast<std::uint8_t>(f.error), f.text); }
void layout(ByteReader& a, FaultFields& f) {
  std::uint8_t error = 0;
  a(error, f.text);
  if (error > static_cast<std::uint8_t>(ErrorKind::internal)) refuse(FaultFields::kind, "error kind", error, "0 to 2");
  f.error = static_cast<ErrorKind>(error);
}

template <class F>
void check_field(const F&) {}
void check_field(const ComputeFields& f) {
  if (f.length.n < 0) refuse(f.kind, "time in ps", f.length.n, "0 or more");
  if (f.offer > 1) refuse(f.kind, "offer", f.offer, "0 or 1");
}
void check_field(const ReleaseFields& f) {
  for (Node node : f.workers) check_node(f.kind, node);
}
void check_field(const OffersFields& f) {
  for (const Offer& offer : f.list) {
    check_key(f.kind, offer.key), check_words(f.kind, offer.words), check_runs(f.kind, offer.runs, offer.words);
    if (offer.runs.empty() != (offer.attempt == 0))
      refuse(f.kind, "attempt", offer.attempt, offer.runs.empty() ? "0 for all words" : "1 or more for some words");
    check_sent(f.kind, offer.attempt, offer.sent);
  }
}
void check_field(const HistoryFields& f) {
  for (const PastEvent& event : f.list) {
    check_node(f.kind, event.worker), check_node(f.kind, event.server);
    if (event.what > PastEvent::What::left) refuse(f.kind, "event", index(event.what), "0 to 9");
  }
}
void check_field(const PushedFields& f) { check_key(f.kind, f.key); }
void check_field(const MigratedFields& f) { check_key(f.kind, f.key); }
void check_field(const WrongOwnerFields& f) { check_key(f.kind, f.key); }
void check_field(const MapFields& f) {
  for (const Node node : f.owner) check_node(f.kind, node);
  if (f.owner.empty()) refuse(f.kind, "number of keys", 0, "1 or more");
}
void check_field(const DeliveredFields& f) {
  check_key(f.kind, f.key), check_words(f.kind, f.words);
  for (const WordRun& run : f.runs) check_run(f.kind, run, f.words);
}
void check_field(const MissingFields& f) {
  check_key(f.kind, f.key), check_words(f.kind, f.words), check_runs(f.kind, f.runs, f.words);
  if (f.runs.empty()) refuse(f.kind, "number of runs", 0, "1 or more");
  if (f.attempt == 0) refuse(f.kind, "attempt", 0, "1 or more");
  check_sent(f.kind, f.attempt, f.sent);
}
void check_field(const ChunkFields& f) {
  check_key(f.kind, f.key), check_words(f.kind, f.words), check_run(f.kind, f.part, f.words);
}
void check_field(const SnapshotFields& f) { check_run(f.kind, f.part, never<Words>); }
void check_field(const CreditFields& f) {
  check_phase(f.kind, f.phase);
  if (f.chunks == 0) refuse(f.kind, "chunks", 0, "1 or more");
}
void check_field(const ReceiversFields& f) {
  for (const Node node : f.nodes) check_node(f.kind, node);
  for (std::size_t n = 1; n < f.nodes.size(); ++n)
    if (f.nodes[n] <= f.nodes[n - 1])
      refuse(f.kind, "node", index(f.nodes[n]), "above " + std::to_string(index(f.nodes[n - 1])));
}
void check_field(const AverageFields& f) {
  if (f.last > 1) refuse(f.kind, "last", f.last, "0 or 1");
  for (const auto* list : {&f.models, &f.unused})
    for (const PeerRound& model : *list) {
      check_node(f.kind, model.node);
      if (&model != &list->front() && model <= *(&model - 1))
        refuse(f.kind, "node", index(model.node), "above that of the model before, or of a later round");
    }
  if (f.last == 1 && !f.models.empty())
    refuse(f.kind, "number of models", static_cast<std::int64_t>(f.models.size()), "0, because there is no average");
}
void check_field(const AbortedFields& f) {
  check_key(f.kind, f.key);
  if (f.sent.n < 0) refuse(f.kind, "words", f.sent.n, "0 or more");
}
void check_field(const StepsFields& f) {
  constexpr std::uint32_t most_blocks = 1U << 20;
  if (f.last > 1) refuse(f.kind, "last", f.last, "0 or 1");
  const RankStep* before = nullptr;
  for (const RankStep& one : f.list) {
    check_node(f.kind, one.peer);
    const auto most = f.last == 1 ? RankStep::What::holds : RankStep::What::takes;
    if (one.what > most) refuse(f.kind, "what", index(one.what), f.last == 1 ? "0 to 3" : "0 to 2");
    if (one.blocks == 0 || one.blocks > most_blocks || one.first > most_blocks)
      refuse(f.kind, "blocks", one.blocks, "1 or more, and all below 2^20");
    if (before && one.step < before->step) refuse(f.kind, "step", one.step, std::to_string(before->step) + " or more");
    before = &one;
  }
}
void check_field(const SendsFields& f) {
  const CoflowSend* before = nullptr;
  for (const CoflowSend& one : f.list) {
    check_node(f.kind, one.to), check_words(f.kind, one.words);
    if (before && one.to <= before->to)
      refuse(f.kind, "node", index(one.to), "above " + std::to_string(index(before->to)));
    before = &one;
  }
}
void check_field(const HelloFields& f) { check_endpoint(f.kind, f.endpoint); }
void check_field(const BeginFields& f) {
  for (const auto& member : f.members) {
    check_node(f.kind, member.node), check_endpoint(f.kind, member.endpoint);
    if (member.shares > 1) refuse(f.kind, "shares", member.shares, "0 or 1");
  }
}

}  // namespace

std::string describe(const TransferKey& key) {
  if (key.phase == TransferPhase::migrate)
    return "migration of key " + std::to_string(key.slice) + " from server " + std::to_string(index(key.worker)) +
           " to server " + std::to_string(index(key.server)) + ", iteration " + std::to_string(key.iteration);
  const std::string worker = "worker " + std::to_string(index(key.worker));
  const std::string server = "server " + std::to_string(index(key.server));
  return (key.phase == TransferPhase::push ? "push of " + worker + " to " + server
                                           : "pull of " + worker + " from " + server) +
         ", iteration " + std::to_string(key.iteration) +
         (key.slice == 0 ? "" : ", slice " + std::to_string(key.slice));
}

template <class F>
std::vector<std::byte> encode_fields(const F& fields) {
  ByteAppender appender;
  layout(appender, fields);
  return appender.take();
}

template <class F>
F decode_fields(const Message& message) {
  if (kind_of(message) != F::kind)
    throw Malformed("a message is \"" + std::string(name_of(kind_of(message))) + "\" where \"" +
                    std::string(name_of(F::kind)) + "\" was expected");
  F fields;
  ByteReader reader(message.fields, name_of(F::kind));
  layout(reader, fields);
  reader.finish();
  check_field(fields);
  return fields;
}

#define OCS_FIELDS(F)                                      \
  template std::vector<std::byte> encode_fields(const F&); \
  template F decode_fields(const Message&);
OCS_FIELDS(TickFields)
OCS_FIELDS(ComputeFields)
OCS_FIELDS(ReleaseFields)
OCS_FIELDS(DeliveredFields)
OCS_FIELDS(FinishFields)
OCS_FIELDS(StopFields)
OCS_FIELDS(AckFields)
OCS_FIELDS(OffersFields)
OCS_FIELDS(PushedFields)
OCS_FIELDS(ComputedFields)
OCS_FIELDS(PulledFields)
OCS_FIELDS(MissingFields)
OCS_FIELDS(HistoryFields)
OCS_FIELDS(SnapshotFields)
OCS_FIELDS(WorkingFields)
OCS_FIELDS(DoneFields)
OCS_FIELDS(FaultFields)
OCS_FIELDS(ChunkFields)
OCS_FIELDS(CreditFields)
OCS_FIELDS(HelloFields)
OCS_FIELDS(BeginFields)
OCS_FIELDS(MapFields)
OCS_FIELDS(MapAckFields)
OCS_FIELDS(MigratedFields)
OCS_FIELDS(WrongOwnerFields)
OCS_FIELDS(ReceiversFields)
OCS_FIELDS(AverageFields)
OCS_FIELDS(AbortedFields)
OCS_FIELDS(StepsFields)
OCS_FIELDS(SendsFields)
OCS_FIELDS(ReadyFields)
OCS_FIELDS(LeaveFields)
OCS_FIELDS(PingFields)
#undef OCS_FIELDS

}  // namespace ocs
