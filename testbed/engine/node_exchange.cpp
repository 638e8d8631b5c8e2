// The coordinator's talk with its nodes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/node_exchange.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "host/core/printable.hpp"
#include "host/core/wait_text.hpp"
#include "host/transport/wire.hpp"
#include "testbed/engine/stall.hpp"

namespace ocs {
namespace {

constexpr std::size_t messages_remembered = 16;
constexpr std::chrono::milliseconds tick_of_the_display{100};

/// Reads of a message what decides on its place among those of one instant.
Stamped stamped(Message&& message, Node from) {
  Stamped said{Picos{message.header.at_ps}, 4, from, from, message.header.sequence, {}, {}};
  switch (kind_of(message)) {
    case MessageKind::missing:
      said.phase = 0;
      break;
    case MessageKind::pushed:
      said.phase = 0;
      said.about = said.fields.emplace<PushedFields>(decode_fields<PushedFields>(message)).key.worker;
      break;
    case MessageKind::pulled:
      said.phase = 2;
      break;
    case MessageKind::offers: {
      const auto& list = said.fields.emplace<OffersFields>(decode_fields<OffersFields>(message)).list;
      said.phase = !list.empty() && list.front().key.phase == TransferPhase::pull ? 1 : 3;
      break;
    }
    default:
      break;
  }
  said.message = std::move(message);
  return said;
}

std::string at_time(Picos t) { return " at " + std::to_string(t.n) + " ps"; }

}  // namespace

NodeExchange::NodeExchange(Transport& transport, std::vector<Node> nodes, std::chrono::milliseconds timeout,
                           OnWait on_wait)
    : transport_(transport), nodes_(std::move(nodes)), timeout_(timeout), on_wait_(std::move(on_wait)) {
  std::sort(nodes_.begin(), nodes_.end());
  for (Node node : nodes_) seats_.push_back(Seat{.node = node, .posted = {}, .working = {}});
  if (!nodes_.empty()) of_node_.resize(index(nodes_.back()) + std::size_t{1});
  for (Seat& seat : seats_) of_node_[index(seat.node)] = &seat;
}

NodeExchange::Seat* NodeExchange::find_seat(std::uint16_t node) {
  return node < of_node_.size() ? of_node_[node] : nullptr;
}

NodeExchange::Seat& NodeExchange::seat_of(std::uint16_t node) {
  if (Seat* seat = find_seat(node)) return *seat;
  throw Error(ErrorKind::internal, participant_name(node) + " takes no part in the job");
}

void NodeExchange::post(Node to, Message message) {
  Seat& seat = seat_of(index(to));
  if (seat.posted.empty()) to_send_.push_back(&seat);
  seat.posted.push_back(std::move(message));
}

void NodeExchange::post_history(Node to, const std::vector<PastEvent>& events, Picos now) {
  constexpr std::size_t together = 50'000;  // a message holds
  for (std::size_t at = 0; at < events.size(); at += together) {
    const auto first = events.begin() + static_cast<std::ptrdiff_t>(at);
    const auto behind = events.begin() + static_cast<std::ptrdiff_t>(std::min(events.size(), at + together));
    post(to, make_message(index(to), now, HistoryFields{{first, behind}}));
  }
}

void NodeExchange::wake_promised(Picos now) {
  if (promising_ == 0) return;
  for (Seat& seat : seats_)
    if (seat.promise == now && seat.posted.empty()) post(seat.node, make_message(index(seat.node), now, TickFields{}));
}

void NodeExchange::send(Seat& seat, Message message) {
  said_.push_back({coordinator_id, index(seat.node), kind_of(message)});
  ++seat.sent;
  ++messages_;
  transport_.send(std::move(message));
}

void NodeExchange::exchange(Picos now) {
  if (!anything_posted()) return;
  std::sort(to_send_.begin(), to_send_.end());  // seats are ascending
  for (Seat* to : to_send_) {
    Seat& seat = *to;
    seat.posted.back().header.flags |= flag_end_of_batch;
    if (!std::exchange(seat.owes, true)) ++owing_;
    for (Message& message : seat.posted) {
      message.header.to = index(seat.node);
      message.header.at_ps = now.n;
      send(seat, std::move(message));
    }
    seat.posted.clear();
    seat.asked = seat.sent;
  }
  ++rounds_;
  wait(now);
}

void NodeExchange::wait(Picos now) {
  asked_ = progress_ = transport_.now();
  slowest_ = {};
  for (Seat* seat : to_send_) seat->heard = asked_, seat->pinged = false;
  to_send_.clear();
  const auto patience = std::min(tick_of_the_display, timeout_ / 4 + std::chrono::milliseconds{1});
  auto next_watch = asked_ + patience, turn = asked_;
  while (owing_ > 0) {
    if (auto message = transport_.receive(patience)) read(std::move(*message), now);
    const auto time = transport_.now();
    excuse(stalled(turn, time, patience));
    if (time < next_watch) continue;
    watch(now);
    next_watch = transport_.now() + patience;
  }
}

void NodeExchange::excuse(Clock::duration stalled) {
  if (stalled == Clock::duration{0}) return;
  const auto now = transport_.now();
  for (Clock::time_point* time : {&asked_, &progress_}) *time = std::min(now, *time + stalled);
  for (Seat& seat : seats_) seat.heard = std::min(now, seat.heard + stalled);
}

/// Ends the run if somebody owes an answer for too long. A promise waits for nothing but its node; payload work waits
/// for others, so who doesn't answer to a ping is to blame.
void NodeExchange::watch(Picos now) {
  const auto time = transport_.now();
  if (on_wait_) on_wait_((finishing_ ? "payload work of " : "") + debtors());
  if (!finishing_) {
    if (time >= asked_ + timeout_) time_out(now, "a promise is owed by " + debtors());
    return;
  }
  std::string silent, waiting;
  for (Seat& seat : seats_) {
    if (!seat.owes) continue;
    const std::string who = participant_name(index(seat.node));
    if (time >= seat.heard + timeout_ && seat.pinged) silent += (silent.empty() ? "" : ", ") + who;
    waiting += "; " + who + " waits for " + (seat.working.waits_for.empty() ? "nothing" : seat.working.waits_for);
    if (time < seat.heard + timeout_ / 2 || seat.pinged) continue;
    seat.pinged = true;
    ++seat.sent;
    transport_.send(make_message(index(seat.node), now, PingFields{}));
  }
  if (!silent.empty()) time_out(now, "no sign of life from " + silent);
  if (time >= progress_ + 2 * timeout_) time_out(now, "payload work stands still" + waiting);
}

void NodeExchange::time_out(Picos now, const std::string& sentence) const {
  throw Error(ErrorKind::run, sentence + at_time(now) + " after " + wait_text(timeout_) + " (nodes.timeout)");
}

void NodeExchange::read(Message message, Picos now) {
  const std::uint16_t from = message.header.from;
  try {
    handle_message(std::move(message), now);
  } catch (const Malformed& refusal) {
    throw Error(ErrorKind::run, participant_name(from) + " sent what can't be read: " + refusal.what());
  }
}

void NodeExchange::handle_message(Message&& message, Picos now) {
  const WireHeader& header = message.header;
  const MessageKind kind = kind_of(message);
  const auto who = [&header] { return participant_name(header.from); };
  if (kind == MessageKind::fault) {
    const auto fault = decode_fields<FaultFields>(message);
    throw Error(fault.error, who() + " failed: " + printable(fault.text));
  }
  Seat* const found = find_seat(header.from);
  if (found == nullptr) throw Error(ErrorKind::run, who() + " spoke, but takes no part in the job");
  Seat& seat = *found;
  seat.heard = transport_.now(), seat.pinged = false;
  if (kind == MessageKind::working) {
    auto working = decode_fields<WorkingFields>(message);
    working.waits_for = printable(std::move(working.waits_for));
    if (working.chunks > seat.working.chunks) progress_ = seat.heard;
    seat.working = std::move(working);
    return;
  }
  if (kind == MessageKind::snapshot && finishing_ && on_snapshot_) {
    on_snapshot_(seat.node, message);
    progress_ = transport_.now();  // scoring takes its time, which isn't the nodes'
    for (Seat& each : seats_) each.heard = progress_;
    return;
  }
  ++messages_;
  said_.push_back({header.from, coordinator_id, kind});
  while (said_.size() > messages_remembered) said_.pop_front();
  if (!seat.owes)
    throw Error(ErrorKind::run, who() + " said \"" + std::string(name_of(kind)) + "\" without being asked");
  if ((header.flags & flag_end_of_batch) != 0) {
    if (header.acknowledged < seat.asked || header.acknowledged > seat.sent)  // a ping may have come in between
      throw Error(ErrorKind::run, who() + " answered when it had seen " + std::to_string(header.acknowledged) + " of " +
                                      std::to_string(seat.sent) + " messages");
    seat.owes = false;
    --owing_;
    if (const auto took = seat.heard - asked_; took > slowest_.took) slowest_ = {seat.node, took};
    promising_ -= seat.promise != never<Picos>;
    seat.promise = Picos{header.promise_ps};
    promising_ += seat.promise != never<Picos>;
    if (kind != MessageKind::done && seat.promise < now)
      throw Error(ErrorKind::run, who() + " promised to act at " + std::to_string(header.promise_ps) +
                                      " ps, which is past" + at_time(now));
  }
  if (kind == MessageKind::ack) return;
  if (kind == MessageKind::done) {
    progress_ = seat.heard;
    done_.emplace_back(seat.node, decode_fields<DoneFields>(message));
    return;
  }
  if (header.at_ps < now.n)
    throw Error(ErrorKind::run, who() + " stamped \"" + std::string(name_of(kind)) + "\" " +
                                    std::to_string(header.at_ps) + " ps, which is past" + at_time(now));
  stamped_.push_back(stamped(std::move(message), seat.node));
}

Picos NodeExchange::earliest() const {
  Picos least = never<Picos>;
  if (promising_ > 0)
    for (const Seat& seat : seats_) least = std::min(least, seat.promise);
  for (const Stamped& said : stamped_) least = std::min(least, said.at);
  return least;
}

const std::vector<Stamped>& NodeExchange::take(Picos now) {
  due_.clear();
  auto later = stamped_.begin();  // behind those that stay
  for (auto said = stamped_.begin(); said != stamped_.end(); ++said)
    if (said->at <= now)
      due_.push_back(std::move(*said));
    else if (later++ != said)
      *std::prev(later) = std::move(*said);
  stamped_.erase(later, stamped_.end());
  std::sort(due_.begin(), due_.end(), [](const Stamped& a, const Stamped& b) {
    return std::tie(a.phase, a.about, a.from, a.sequence) < std::tie(b.phase, b.about, b.from, b.sequence);
  });
  return due_;
}

std::vector<DoneFields> NodeExchange::finish(Picos now) {
  done_.clear();
  finishing_ = true;
  for (Seat& seat : seats_) seat.working = {};
  for (Seat& seat : seats_) post(seat.node, make_message(index(seat.node), now, FinishFields{}));
  exchange(now);
  finishing_ = false;
  std::sort(done_.begin(), done_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<DoneFields> results;
  results.reserve(done_.size());
  for (const auto& [node, result] : done_) results.push_back(result);
  if (results.size() != seats_.size())
    throw Error(ErrorKind::run, std::to_string(results.size()) + " of " + std::to_string(seats_.size()) +
                                    " nodes said what came of their payload");
  return results;
}

void NodeExchange::stop() {
  for (Seat& seat : seats_) send(seat, make_message(index(seat.node), Picos{0}, StopFields{}));
}

Answered NodeExchange::slowest() const {
  const auto owes = std::find_if(seats_.begin(), seats_.end(), [](const Seat& s) { return s.owes; });
  return owes == seats_.end() ? slowest_ : Answered{owes->node, transport_.now() - asked_};
}

std::string NodeExchange::debtors() const {
  std::string names;
  for (const Seat& seat : seats_)
    if (seat.owes) names += (names.empty() ? "" : ", ") + participant_name(index(seat.node));
  return names;
}

std::string NodeExchange::last_messages() const {
  std::string text;
  for (const Said& said : said_)
    text += (text.empty() ? "" : "; ") + participant_name(said.from) + " to " + participant_name(said.to) + ": " +
            std::string(name_of(said.kind));
  return text;
}

}  // namespace ocs
