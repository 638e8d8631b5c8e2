// The coordinator's talk with its nodes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/conversation.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "host/transport/wire.hpp"

namespace ocs {
namespace {

constexpr std::size_t messages_remembered = 16;
constexpr std::chrono::milliseconds tick_of_the_display{100};

int phase_of(const Message& message) {
  switch (kind_of(message)) {
    case MessageKind::missing:
    case MessageKind::pushed:
      return 0;
    case MessageKind::pulled:
      return 2;
    case MessageKind::offers: {
      const auto list = decode_fields<OffersFields>(message).list;
      return !list.empty() && list.front().key.phase == TransferPhase::pull ? 1 : 3;
    }
    default:
      return 4;
  }
}

std::string at_time(Picos t) { return " at " + std::to_string(t.n) + " ps"; }

}  // namespace

Conversation::Conversation(Transport& transport, std::vector<Node> nodes, std::chrono::milliseconds timeout,
                           OnWait on_wait)
    : transport_(transport), timeout_(timeout), on_wait_(std::move(on_wait)) {
  std::sort(nodes.begin(), nodes.end());
  for (Node node : nodes) seats_.push_back(Seat{node, never<Picos>, false, 0, {}});
}

Conversation::Seat& Conversation::seat_of(std::uint16_t node) {
  const auto found =
      std::lower_bound(seats_.begin(), seats_.end(), Node{node}, [](const Seat& s, Node n) { return s.node < n; });
  if (found == seats_.end() || found->node != Node{node})
    throw Error(ErrorKind::internal, participant_name(node) + " takes no part in the job");
  return *found;
}

void Conversation::post(Node to, Message message) { seat_of(index(to)).posted.push_back(std::move(message)); }

void Conversation::wake_promised(Picos now) {
  for (Seat& seat : seats_)
    if (seat.promise == now && seat.posted.empty()) post(seat.node, make_message(index(seat.node), now, TickFields{}));
}

bool Conversation::anything_posted() const {
  return std::any_of(seats_.begin(), seats_.end(), [](const Seat& s) { return !s.posted.empty(); });
}

void Conversation::send(Seat& seat, Message message) {
  said_.push_back({coordinator_id, index(seat.node), kind_of(message)});
  ++seat.sent;
  ++messages_;
  transport_.send(std::move(message));
}

void Conversation::exchange(Picos now) {
  if (!anything_posted()) return;
  for (Seat& seat : seats_) {
    if (seat.posted.empty()) continue;
    seat.posted.back().header.flags |= flag_end_of_batch;
    seat.owes = true;
    for (Message& message : seat.posted) {
      message.header.to = index(seat.node);
      message.header.at_ps = now.n;
      send(seat, std::move(message));
    }
    seat.posted.clear();
  }
  ++rounds_;
  wait(now);
}

void Conversation::wait(Picos now) {
  const auto anybody_owes = [&] {
    return std::any_of(seats_.begin(), seats_.end(), [](const Seat& s) { return s.owes; });
  };
  auto silent = std::chrono::milliseconds{0};
  while (anybody_owes()) {
    const auto patience = std::min(tick_of_the_display, timeout_ - silent);
    if (auto message = transport_.receive(patience)) {
      silent = std::chrono::milliseconds{0};
      hear(std::move(*message), now);
      continue;
    }
    silent += patience;
    if (on_wait_) on_wait_(debtors());
    if (silent >= timeout_)
      throw Error(ErrorKind::run, "nobody has answered for " + std::to_string(timeout_.count()) + " ms" + at_time(now) +
                                      "; a promise is owed by " + debtors());
  }
}

void Conversation::hear(Message message, Picos now) {
  const WireHeader& header = message.header;
  const MessageKind kind = kind_of(message);
  const std::string who = participant_name(header.from);
  if (kind == MessageKind::fault) {
    const auto fault = decode_fields<FaultFields>(message);
    throw Error(fault.error, who + " failed: " + fault.text);
  }
  if (kind == MessageKind::working) {
    if (on_wait_) on_wait_("payload work of " + debtors());
    return;
  }
  Seat& seat = seat_of(header.from);
  ++messages_;
  said_.push_back({header.from, coordinator_id, kind});
  while (said_.size() > messages_remembered) said_.pop_front();
  if (!seat.owes) throw Error(ErrorKind::run, who + " said \"" + std::string(name_of(kind)) + "\" without being asked");
  if ((header.flags & flag_end_of_batch) != 0) {
    if (header.acknowledged != seat.sent)
      throw Error(ErrorKind::run, who + " answered when it had seen " + std::to_string(header.acknowledged) + " of " +
                                      std::to_string(seat.sent) + " messages");
    seat.owes = false;
    seat.promise = Picos{header.promise_ps};
    if (kind != MessageKind::done && seat.promise < now)
      throw Error(ErrorKind::run, who + " promised to act at " + std::to_string(header.promise_ps) +
                                      " ps, which is past" + at_time(now));
  }
  if (kind == MessageKind::ack) return;
  if (kind == MessageKind::done) {
    done_.emplace_back(seat.node, decode_fields<DoneFields>(message));
    return;
  }
  if (header.at_ps < now.n)
    throw Error(ErrorKind::run, who + " stamped \"" + std::string(name_of(kind)) + "\" " +
                                    std::to_string(header.at_ps) + " ps, which is past" + at_time(now));
  stamped_.push_back({Picos{header.at_ps}, phase_of(message), seat.node, header.sequence, std::move(message)});
}

Picos Conversation::earliest() const {
  Picos least = never<Picos>;
  for (const Seat& seat : seats_) least = std::min(least, seat.promise);
  for (const Stamped& said : stamped_) least = std::min(least, said.at);
  return least;
}

std::vector<Stamped> Conversation::take(Picos now) {
  const auto later =
      std::stable_partition(stamped_.begin(), stamped_.end(), [&](const Stamped& s) { return s.at > now; });
  std::vector<Stamped> due(std::make_move_iterator(later), std::make_move_iterator(stamped_.end()));
  stamped_.erase(later, stamped_.end());
  std::sort(due.begin(), due.end(), [](const Stamped& a, const Stamped& b) {
    return std::tuple(a.phase, a.from, a.sequence) < std::tuple(b.phase, b.from, b.sequence);
  });
  return due;
}

std::vector<DoneFields> Conversation::finish(Picos now) {
  done_.clear();
  for (Seat& seat : seats_) post(seat.node, make_message(index(seat.node), now, FinishFields{}));
  exchange(now);
  std::sort(done_.begin(), done_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<DoneFields> results;
  for (const auto& [node, result] : done_) results.push_back(result);
  if (results.size() != seats_.size())
    throw Error(ErrorKind::run, std::to_string(results.size()) + " of " + std::to_string(seats_.size()) +
                                    " nodes said what came of their payload");
  return results;
}

void Conversation::stop() {
  for (Seat& seat : seats_) send(seat, make_message(index(seat.node), Picos{0}, StopFields{}));
}

std::string Conversation::debtors() const {
  std::string names;
  for (const Seat& seat : seats_)
    if (seat.owes) names += (names.empty() ? "" : ", ") + participant_name(index(seat.node));
  return names;
}

std::string Conversation::last_messages() const {
  std::string text;
  for (const Said& said : said_)
    text += (text.empty() ? "" : "; ") + participant_name(said.from) + " to " + participant_name(said.to) + ": " +
            std::string(name_of(said.kind));
  return text;
}

}  // namespace ocs
