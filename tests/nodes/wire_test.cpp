// What is sent can be read again; what can't have been sent is refused by name.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/transport/fields.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

WireHeader a_header() {
  WireHeader h;
  h.kind = static_cast<std::uint16_t>(MessageKind::chunk);
  h.job = 7;
  h.from = 3;
  h.to = coordinator_id;
  h.sequence = 0x0102030405060708;
  h.acknowledged = 9;
  h.at_ps = 10;
  h.promise_ps = never<Picos>.n;
  h.payload_bytes = 11;
  h.payload_crc32c = 0xdeadbeef;
  h.flags = flag_end_of_batch;
  return h;
}

std::string refusal_of(const WireHeader& header, std::size_t fields = 0, std::size_t payload = 11) {
  try {
    decode_header(encode(header), fields, payload);
  } catch (const Malformed& error) {
    return error.what();
  }
  return "";
}

TEST(WireHeader, ComesBackAsItWasSent) {
  const WireHeader sent = a_header();
  const WireHeader got = decode_header(encode(sent), 0, 11);
  EXPECT_EQ(encode(got), encode(sent));
  EXPECT_EQ(got.sequence, sent.sequence);
  EXPECT_EQ(got.payload_crc32c, sent.payload_crc32c);
  EXPECT_EQ(got.promise_ps, sent.promise_ps);
}

TEST(WireHeader, IsLittleEndianInTheOrderOfItsMembers) {
  const auto bytes = encode(a_header());
  EXPECT_EQ(bytes[0], std::byte{0x50});   // magic
  EXPECT_EQ(bytes[4], std::byte{12});     // version
  EXPECT_EQ(bytes[12], std::byte{3});     // from
  EXPECT_EQ(bytes[14], std::byte{0xff});  // to
  EXPECT_EQ(bytes[16], std::byte{0x08});  // sequence
  EXPECT_EQ(bytes[63], std::byte{0});     // flags
}

TEST(WireHeader, IsRefusedByTheNameOfTheWrongField) {
  const auto with = [](auto change) {
    WireHeader h = a_header();
    change(h);
    return refusal_of(h);
  };
  EXPECT_EQ(with([](auto&) {}), "");
  EXPECT_THAT(with([](auto& h) { h.magic ^= 1; }), HasSubstr("magic"));
  EXPECT_THAT(with([](auto& h) { h.version = 2; }), HasSubstr("version is 2; it should be 12"));
  EXPECT_THAT(with([](auto& h) { h.kind = 0; }), HasSubstr("kind is 0"));
  EXPECT_THAT(with([](auto& h) { h.kind = 34; }), HasSubstr("kind is 34"));
  EXPECT_THAT(with([](auto& h) { h.from = 256; }), HasSubstr("sender is 256"));
  EXPECT_THAT(with([](auto& h) { h.to = 0xfffe; }), HasSubstr("receiver is 65534"));
  EXPECT_THAT(with([](auto& h) { h.sequence = 0; }), HasSubstr("sequence is 0"));
  EXPECT_THAT(with([](auto& h) { h.at_ps = -1; }), HasSubstr("time is -1"));
  EXPECT_THAT(with([](auto& h) { h.promise_ps = -5; }), HasSubstr("promise is -5"));
  EXPECT_THAT(with([](auto& h) { h.flags = 4; }), HasSubstr("flags is 4"));
  EXPECT_THAT(with([](auto& h) { h.payload_bytes = 12; }), HasSubstr("payload length is 12; it should be 11"));
  EXPECT_THAT(with([](auto& h) { h.payload_bytes = ~std::uint64_t{0}; }), HasSubstr("payload length"));
  EXPECT_THAT(with([](auto& h) { h.kind = 1; }), HasSubstr("only chunks and snapshots carry payload"));
  EXPECT_THAT(refusal_of(a_header(), max_fields_bytes + 1), HasSubstr("field length"));
  WireHeader large = a_header();
  large.payload_bytes = max_payload_bytes + 1;
  EXPECT_THAT(refusal_of(large, 0, max_payload_bytes + 1), HasSubstr("at most 4 MiB"));
  WireHeader shared = a_header();
  shared.flags = flag_shared_payload;
  EXPECT_EQ(refusal_of(shared, 0, shared_reference_bytes), "");
  EXPECT_THAT(refusal_of(shared, 0, 11), HasSubstr("reference length is 11; it should be 12"));
  shared.payload_bytes = 0;
  EXPECT_THAT(refusal_of(shared, 0, shared_reference_bytes), HasSubstr("payload length is 0"));
}

TEST(WireHeader, IsRefusedWhenItIsShortOrLong) {
  const auto bytes = encode(a_header());
  EXPECT_THROW(decode_header(std::span(bytes).first(63), 0, 11), Malformed);
  EXPECT_THROW(decode_header({}, 0, 11), Malformed);
  std::vector<std::byte> longer(bytes.begin(), bytes.end());
  longer.push_back(std::byte{0});
  EXPECT_THROW(decode_header(longer, 0, 11), Malformed);
}

TEST(ControlChecksum, NoticesEveryBitOfHeaderAndFields) {
  const auto header = encode(a_header());
  const std::vector<std::byte> fields{std::byte{1}, std::byte{0}, std::byte{0xff}};
  const std::vector<std::byte> second = second_part(header, fields);
  const auto read = fields_of(header, second);
  EXPECT_TRUE(std::equal(read.begin(), read.end(), fields.begin(), fields.end()));
  EXPECT_TRUE(fields_of(header, second_part(header, {})).empty());
  for (std::size_t bit = 0; bit < 8 * (header.size() + second.size()); ++bit) {
    auto damaged_header = header;
    auto damaged = second;
    std::byte& byte = bit / 8 < header.size() ? damaged_header[bit / 8] : damaged[bit / 8 - header.size()];
    byte ^= std::byte{1} << (bit % 8);
    EXPECT_THROW(fields_of(damaged_header, damaged), Malformed) << bit;
  }
  for (std::size_t size = 0; size < second.size(); ++size)
    EXPECT_THROW(fields_of(header, std::span(second).first(size)), Malformed) << size;
}

const TransferKey key{4, TransferPhase::pull, Node{5}, Node{2}, 6};

template <class F>
F round_trip(const F& fields) {
  return decode_fields<F>(make_message(1, Picos{2}, fields));
}

/// Decoding must fail for every shorter and for a longer version of these fields.
template <class F>
void expect_exact_length(const F& fields) {
  Message message = make_message(1, Picos{2}, fields);
  message.fields.push_back(std::byte{0});
  EXPECT_THROW(decode_fields<F>(message), Malformed) << name_of(F::kind) << ", longer";
  message.fields.pop_back();
  while (!message.fields.empty()) {
    message.fields.pop_back();
    EXPECT_THROW(decode_fields<F>(message), Malformed) << name_of(F::kind) << ", " << message.fields.size();
  }
}

TEST(WireFields, ComeBackAsTheyWereSent) {
  EXPECT_EQ(round_trip(ComputeFields{9}).iteration, 9u);
  EXPECT_EQ(round_trip(ComputeFields{9, Picos{77}, 0}).length, Picos{77});
  EXPECT_EQ(round_trip(ComputeFields{9, Picos{77}, 0}).offer, 0);
  EXPECT_EQ(round_trip(ComputedFields{8}).iteration, 8u);
  EXPECT_EQ(round_trip(PulledFields{8}).iteration, 8u);
  EXPECT_EQ(round_trip(PushedFields{key, 3}).key, key);
  EXPECT_EQ(round_trip(PushedFields{key, 3}).map, 3u);
  const auto map = round_trip(MapFields{3, 17, {Node{0}, Node{255}}});
  EXPECT_EQ(std::tuple(map.version, map.first), std::tuple(3u, 17u));
  EXPECT_EQ(map.owner, (std::vector{Node{0}, Node{255}}));
  EXPECT_EQ(round_trip(MapAckFields{4}).version, 4u);
  EXPECT_EQ(round_trip(MigratedFields{key}).key, key);
  EXPECT_EQ(round_trip(WrongOwnerFields{key, 5}).key, key);
  EXPECT_EQ(round_trip(WrongOwnerFields{key, 5}).version, 5u);
  const auto receivers = round_trip(ReceiversFields{3, 9, {Node{0}, Node{255}}});
  EXPECT_EQ(std::tuple(receivers.round, receivers.plan), std::tuple(3u, 9u));
  EXPECT_EQ(receivers.nodes, (std::vector{Node{0}, Node{255}}));
  const std::vector<PeerRound> models = {{Node{1}, 7}, {Node{4}, 2}}, unused = {{Node{4}, 0}, {Node{4}, 1}};
  const auto average = round_trip(AverageFields{7, 0, models, unused});
  EXPECT_EQ(std::tuple(average.round, average.last), std::tuple(7u, 0));
  EXPECT_EQ(average.models, models);
  EXPECT_EQ(average.unused, unused);
  const auto aborted = round_trip(AbortedFields{key, Words{5}});
  EXPECT_EQ(std::tuple(aborted.key, aborted.sent), std::tuple(key, Words{5}));
  const auto history = round_trip(HistoryFields{{{PastEvent::What::pulled, Node{3}, Node{1}, 7, -5, 2}}});
  EXPECT_EQ(history.list.at(0).what, PastEvent::What::pulled);
  EXPECT_EQ(std::tuple(history.list[0].worker, history.list[0].server), std::tuple(Node{3}, Node{1}));
  EXPECT_EQ(std::tuple(history.list[0].iteration, history.list[0].weight, history.list[0].slice),
            std::tuple(7u, -5, 2u));
  const auto release = round_trip(ReleaseFields{3, {Node{1}, Node{255}}});
  EXPECT_EQ(release.workers, (std::vector{Node{1}, Node{255}}));
  const auto offers = round_trip(OffersFields{{{key, Words{77}}}});
  EXPECT_EQ(offers.list.at(0).key, key);
  EXPECT_EQ(offers.list.at(0).words, Words{77});
  EXPECT_EQ(offers.list.at(0).carried(), Words{77});
  const auto again = round_trip(OffersFields{{{key, Words{77}, 3, {{Words{1}, Words{4}}, {Words{6}, Words{71}}}, 2}}});
  EXPECT_EQ(again.list.at(0).attempt, 3u);
  EXPECT_EQ(again.list.at(0).runs.at(1), (WordRun{Words{6}, Words{71}}));
  EXPECT_EQ(again.list.at(0).sent, 2u);
  EXPECT_EQ(again.list.at(0).carried(), Words{75});
  EXPECT_EQ(round_trip(OffersFields{{{key, Words{77}, 0, {}, 0, 6}}}).list.at(0).map, 6u);
  EXPECT_EQ(round_trip(DeliveredFields{key, Words{100}, true, {}, 0, 6}).map, 6u);
  const auto delivered = round_trip(DeliveredFields{key, Words{100}, false, {{Words{1}, Words{99}}}});
  EXPECT_EQ(delivered.key, key);
  EXPECT_EQ(round_trip(DeliveredFields{key, Words{100}, true, {}, 7}).attempt, 7u);
  EXPECT_FALSE(delivered.final);
  EXPECT_EQ(delivered.runs, (std::vector{WordRun{Words{1}, Words{99}}}));
  EXPECT_EQ(round_trip(MissingFields{key, Words{20}, {{Words{5}, Words{6}}}}).runs.at(0).count, Words{6});
  const auto missing = round_trip(MissingFields{key, Words{20}, {{Words{5}, Words{6}}}, 9, 4});
  EXPECT_EQ(missing.attempt, 9u);
  EXPECT_EQ(missing.sent, 4u);
  const auto snapshot = round_trip(SnapshotFields{12, {Words{8}, Words{3}}});
  EXPECT_EQ(snapshot.number, 12u);
  EXPECT_EQ(snapshot.part, (WordRun{Words{8}, Words{3}}));
  EXPECT_EQ(round_trip(WorkingFields{12, "room"}).chunks, 12u);
  EXPECT_EQ(round_trip(WorkingFields{12, "room"}).waits_for, "room");
  const auto done = round_trip(DoneFields{1, 2, 3, 4, 5});
  EXPECT_EQ(std::tuple(done.crc_errors, done.sum_errors, done.chunks), std::tuple(1u, 2u, 3u));
  EXPECT_EQ(std::tuple(done.buffers, done.peak_rss), std::tuple(4u, 5u));
  const auto hello = round_trip(HelloFields{"tcp://10.0.0.1:7", 99});
  EXPECT_EQ(hello.endpoint, "tcp://10.0.0.1:7");
  EXPECT_EQ(hello.pid, 99u);
  const auto begin = round_trip(BeginFields{{{Node{3}, 1, "ipc:///x"}}, {std::byte{7}}});
  EXPECT_EQ(begin.members.at(0).node, Node{3});
  EXPECT_EQ(begin.members.at(0).shares, 1);
  EXPECT_EQ(begin.members.at(0).endpoint, "ipc:///x");
  EXPECT_EQ(begin.job, (std::vector{std::byte{7}}));
  const RankStep step{RankStep::What::takes, 3, Node{255}, 5, 6, -7};
  const auto steps = round_trip(StepsFields{1, 2, 1, {{}, step}});
  EXPECT_EQ(std::tuple(steps.iteration, steps.leg, steps.last), std::tuple(1u, 2u, 1));
  EXPECT_EQ(steps.list, (std::vector{RankStep{}, step}));
  const auto sends = round_trip(SendsFields{9, {{Node{0}, Words{5}}, {Node{255}, Words{1}}}});
  EXPECT_EQ(sends.coflow, 9u);
  EXPECT_EQ(sends.list, (std::vector<CoflowSend>{{Node{0}, Words{5}}, {Node{255}, Words{1}}}));
  const auto fault = round_trip(FaultFields{ErrorKind::internal, "it broke"});
  EXPECT_EQ(fault.error, ErrorKind::internal);
  EXPECT_EQ(fault.text, "it broke");
  EXPECT_EQ(round_trip(ChunkFields{key, Words{9}, {Words{8}, Words{1}}}).part, (WordRun{Words{8}, Words{1}}));
  EXPECT_EQ(round_trip(ChunkFields{key, Words{9}, {Words{8}, Words{1}}, 5}).attempt, 5u);
  EXPECT_EQ(round_trip(CreditFields{TransferPhase::pull, 2}).chunks, 2u);
}

TEST(WireFields, AreRefusedWhenTheyAreShortOrLong) {
  expect_exact_length(TickFields{});
  expect_exact_length(ComputeFields{9});
  expect_exact_length(ComputedFields{9});
  expect_exact_length(MapFields{3, 17, {Node{0}, Node{255}}});
  expect_exact_length(MapAckFields{4});
  expect_exact_length(MigratedFields{key});
  expect_exact_length(WrongOwnerFields{key, 5});
  expect_exact_length(ReceiversFields{3, 9, {Node{0}, Node{255}}});
  expect_exact_length(AverageFields{7, 0, {{Node{1}, 7}}, {{Node{4}, 0}}});
  expect_exact_length(AbortedFields{key, Words{5}});
  expect_exact_length(StepsFields{1, 2, 1, {{RankStep::What::adds, 3, Node{4}, 5, 6, 7}}});
  expect_exact_length(SendsFields{1, {{Node{4}, Words{2}}}});
  expect_exact_length(ReleaseFields{3, {Node{1}, Node{255}}});
  expect_exact_length(DeliveredFields{key, Words{100}, true, {{Words{1}, Words{99}}}});
  expect_exact_length(OffersFields{{{key, Words{77}}}});
  expect_exact_length(PushedFields{key});
  expect_exact_length(HistoryFields{{{PastEvent::What::pulled, Node{3}, Node{1}, 7, -5, 2}}});
  expect_exact_length(MissingFields{key, Words{20}, {{Words{5}, Words{6}}}});
  expect_exact_length(DoneFields{1, 2, 3, 4, 5});
  expect_exact_length(SnapshotFields{12, {Words{8}, Words{3}}});
  expect_exact_length(WorkingFields{1, "payload of node 3"});
  expect_exact_length(HelloFields{"tcp://10.0.0.1:7", 99});
  expect_exact_length(BeginFields{{{Node{3}, 1, "ipc:///x"}}, {std::byte{7}}});
  expect_exact_length(ReadyFields{});
  expect_exact_length(FaultFields{ErrorKind::run, "text"});
  expect_exact_length(ChunkFields{key, Words{9}, {Words{8}, Words{1}}});
  expect_exact_length(CreditFields{TransferPhase::push, 2});
}

TEST(WireFields, AreRefusedWhenAValueCannotBe) {
  TransferKey wrong = key;
  wrong.phase = TransferPhase{3};
  EXPECT_THROW(round_trip(PushedFields{wrong}), Malformed);
  wrong = key;
  wrong.worker = Node{256};
  EXPECT_THROW(round_trip(PushedFields{wrong}), Malformed);
  EXPECT_THROW(round_trip(ComputeFields{9, Picos{-1}}), Malformed);
  EXPECT_THROW(round_trip(ComputeFields{9, Picos{1}, 2}), Malformed);
  EXPECT_THROW(round_trip(HistoryFields{{{PastEvent::What{10}, Node{3}, Node{1}, 7, -5}}}), Malformed);
  EXPECT_THROW(round_trip(SnapshotFields{12, {Words{-1}, Words{3}}}), Malformed);
  EXPECT_THROW(round_trip(SnapshotFields{12, {Words{0}, Words{0}}}), Malformed);
  EXPECT_THROW(round_trip(HistoryFields{{{PastEvent::What{1}, Node{300}, Node{1}, 7, -5}}}), Malformed);
  wrong = key;
  wrong.server = Node{0xffff};
  EXPECT_THROW(round_trip(MissingFields{wrong, Words{20}, {}}), Malformed);
  EXPECT_THROW(round_trip(MissingFields{key, Words{20}, {}}), Malformed);
  EXPECT_THROW(round_trip(MissingFields{key, Words{10}, {{Words{5}, Words{6}}}}), Malformed) << "beyond the transfer";
  EXPECT_THROW(round_trip(MissingFields{key, Words{20}, {{Words{5}, Words{6}}}, 0, 0}), Malformed);
  EXPECT_THROW(round_trip(MissingFields{key, Words{20}, {{Words{5}, Words{6}}}, 1, 2}), Malformed);
  EXPECT_THROW(round_trip(MissingFields{key, Words{20}, {{Words{5}, Words{6}}}, 1, 0}), Malformed);
  EXPECT_THROW(round_trip(MissingFields{key, Words{20}, {{Words{5}, Words{6}}, {Words{11}, Words{1}}}}), Malformed)
      << "no gap";
  const std::vector<WordRun> some{{Words{1}, Words{2}}};
  EXPECT_THROW(round_trip(OffersFields{{{key, Words{9}, 0, some}}}), Malformed);
  EXPECT_THROW(round_trip(OffersFields{{{key, Words{9}, 1, {}, 1}}}), Malformed);
  EXPECT_THROW(round_trip(OffersFields{{{key, Words{2}, 1, some, 1}}}), Malformed);
  EXPECT_THROW(round_trip(OffersFields{{{key, Words{9}, 0, {}, 1}}}), Malformed);
  EXPECT_THROW(round_trip(OffersFields{{{key, Words{9}, 1, some, 2}}}), Malformed);
  EXPECT_THROW(round_trip(ReleaseFields{0, {Node{300}}}), Malformed);
  EXPECT_THROW(round_trip(OffersFields{{{key, Words{0}}}}), Malformed);
  EXPECT_THROW(round_trip(DeliveredFields{key, Words{-1}, true, {}}), Malformed);
  EXPECT_THROW(round_trip(DeliveredFields{key, Words{10}, true, {{Words{10}, Words{1}}}}), Malformed);
  EXPECT_THROW(round_trip(DeliveredFields{key, Words{10}, true, {{Words{9}, Words{2}}}}), Malformed);
  EXPECT_THROW(round_trip(DeliveredFields{key, Words{10}, true, {{Words{-1}, Words{2}}}}), Malformed);
  EXPECT_THROW(round_trip(DeliveredFields{key, Words{10}, true, {{Words{1}, Words{0}}}}), Malformed);
  EXPECT_THROW(round_trip(ChunkFields{key, Words{9}, {Words{8}, Words{2}}}), Malformed);
  EXPECT_THROW(round_trip(ChunkFields{key, Words{9}, {Words{1}, never<Words>}}), Malformed);
  EXPECT_THROW(round_trip(CreditFields{TransferPhase::push, 0}), Malformed);
  EXPECT_THROW(round_trip(CreditFields{TransferPhase{9}, 1}), Malformed);
  EXPECT_THROW(round_trip(FaultFields{ErrorKind{7}, ""}), Malformed);
  EXPECT_THROW(round_trip(ReceiversFields{0, 0, {Node{300}}}), Malformed);
  EXPECT_THROW(round_trip(SendsFields{0, {{Node{256}, Words{1}}}}), Malformed);
  EXPECT_THROW(round_trip(SendsFields{0, {{Node{1}, Words{0}}}}), Malformed);
  EXPECT_THROW(round_trip(SendsFields{0, {{Node{1}, Words{1}}, {Node{1}, Words{1}}}}), Malformed);
  EXPECT_THROW(round_trip(StepsFields{0, 0, 2, {}}), Malformed);
  EXPECT_THROW(round_trip(StepsFields{0, 0, 0, {{RankStep::What::sends, 0, Node{256}, 0, 1, 0}}}), Malformed);
  EXPECT_THROW(round_trip(StepsFields{0, 0, 0, {{RankStep::What::sends, 0, Node{1}, 0, 0, 0}}}), Malformed);
  EXPECT_THROW(round_trip(StepsFields{0, 0, 0, {{RankStep::What::sends, 0, Node{1}, 1U << 21, 1, 0}}}), Malformed);
  const std::vector<RankStep> held{{RankStep::What::holds, 0, Node{0}, 0, 1, 3}};
  EXPECT_EQ(round_trip(StepsFields{0, 0, 1, held}).list, held);
  EXPECT_THROW(round_trip(StepsFields{0, 0, 0, held}), Malformed);  // of the last leg alone
  EXPECT_THROW(round_trip(StepsFields{0, 0, 1, {{static_cast<RankStep::What>(4), 0, Node{1}, 0, 1, 0}}}), Malformed);
  EXPECT_THROW(round_trip(StepsFields{0, 0, 0, {{.step = 1}, {.step = 0}}}), Malformed);
  EXPECT_THROW(round_trip(ReceiversFields{0, 0, {Node{3}, Node{3}}}), Malformed);
  EXPECT_THROW(round_trip(AverageFields{0, 2, {}, {}}), Malformed);
  EXPECT_THROW(round_trip(AverageFields{0, 1, {{Node{3}, 1}}, {}}), Malformed);
  EXPECT_THROW(round_trip(AverageFields{0, 0, {{Node{3}, 1}, {Node{2}, 1}}, {}}), Malformed);
  EXPECT_THROW(round_trip(AverageFields{0, 0, {}, {{Node{300}, 1}}}), Malformed);
  EXPECT_THROW(round_trip(AbortedFields{key, Words{-1}}), Malformed);
  Message not_a_bool = make_message(1, Picos{2}, DeliveredFields{key, Words{10}, true, {}});
  not_a_bool.fields.at(13 + 8) = std::byte{2};
  EXPECT_THROW(decode_fields<DeliveredFields>(not_a_bool), Malformed);
}

TEST(WireFields, AreRefusedWhenTheyBelongToAnotherKind) {
  EXPECT_THROW(decode_fields<PulledFields>(make_message(1, Picos{2}, ComputeFields{1})), Malformed);
}

TEST(WireFields, CannotAskForMoreMemoryThanTheMessageHas) {
  Message message = make_message(1, Picos{2}, ReleaseFields{3, {}});
  message.fields = {std::byte{},     std::byte{},     std::byte{},     std::byte{},
                    std::byte{0xff}, std::byte{0xff}, std::byte{0xff}, std::byte{0xff}};
  EXPECT_THROW(decode_fields<ReleaseFields>(message), Malformed);
}

}  // namespace
}  // namespace ocs
