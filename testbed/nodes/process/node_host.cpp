// What a node does with its messages.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/process/node_host.hpp"

#include <chrono>
#include <new>
#include <string>
#include <utility>

#include "host/core/out_of_memory.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/zmq_transport.hpp"

namespace ocs {
namespace {

constexpr std::chrono::milliseconds at_once{0}, for_ever{-1};
constexpr std::uint64_t chunks_between_reports = 256;

}  // namespace

NodeHost::NodeHost(Sender& out, NodeLogic& logic, PayloadPlane* plane, Report report)
    : out_(out), logic_(logic), plane_(plane), report_(std::move(report)) {}

NodeHost::Outcome NodeHost::run(Transport& in) noexcept {
  return guarded(out_, [&] {
    for (;;) {
      if (auto message = in.receive(may_work_ ? at_once : for_ever)) {
        if (!route(std::move(*message))) return End::stopped;
      } else {
        work_on_payload();
      }
    }
  });
}

NodeHost::Outcome NodeHost::hear(Message message) noexcept {
  return guarded(out_, [&] { return route(std::move(message)) ? End::none : End::stopped; });
}

NodeHost::Outcome NodeHost::work() noexcept {
  return guarded(out_, [&] {
    work_on_payload();
    if (plane_) plane_->hand_on();
    return End::none;
  });
}

NodeHost::Outcome NodeHost::guarded(Sender& out, const std::function<End()>& act) noexcept {
  FaultFields fault;
  try {
    return {act(), {}};
  } catch (const TransportClosed&) {
    return {End::closed, {}};
  } catch (const Error& error) {
    fault = {error.kind(), error.what()};
  } catch (const std::bad_alloc&) {
    fault = {ErrorKind::run, out_of_memory};
  } catch (const std::exception& error) {
    fault = {ErrorKind::internal, error.what()};
  } catch (...) {
    fault = {ErrorKind::internal, "something that is no exception was thrown"};
  }
  try {
    out.send(make_message(coordinator_id, Picos{0}, fault));
  } catch (...) {  // then the coordinator's watchdog says that this node owes a promise
  }
  return {End::failed, std::move(fault.text)};
}

void NodeHost::work_on_payload() {
  if (may_work_) may_work_ = plane_->work();
  finish_if_done();
}

bool NodeHost::route(Message message) {
  const bool last = (message.header.flags & flag_end_of_batch) != 0;
  may_work_ = plane_ != nullptr;
  switch (kind_of(message)) {
    case MessageKind::stop:
      return false;
    case MessageKind::chunk:
    case MessageKind::credit:
      if (plane_) plane_->receive(std::move(message));
      return true;
    case MessageKind::history:
      if (plane_) plane_->learn(decode_fields<HistoryFields>(message));
      return true;
    case MessageKind::ping:
      say_working();
      return true;
    case MessageKind::finish:
      finishing_ = true;
      if (plane_) plane_->finish();
      finish_if_done();
      return true;
    default:
      batch_.push_back(std::move(message));
      if (last) answer();
      return true;
  }
}

void NodeHost::answer() {
  const Picos now{batch_.back().header.at_ps};
  answers_.clear();
  const Picos promise = logic_.on(batch_, now, answers_);
  if (answers_.empty()) answers_.push_back(make_message(coordinator_id, now, AckFields{}));
  std::vector<Offer> begun;
  std::vector<MissingFields> missed;
  for (Message& message : answers_) {
    if (plane_ && kind_of(message) == MessageKind::missing) missed.push_back(decode_fields<MissingFields>(message));
    if (plane_ && kind_of(message) == MessageKind::offers)
      for (const Offer& offer : decode_fields<OffersFields>(message).list) begun.push_back(offer);
    message.header.promise_ps = promise.n;
    if (&message == &answers_.back()) message.header.flags |= flag_end_of_batch;
    out_.send(std::move(message));
  }
  if (plane_) {
    for (const Offer& offer : begun) plane_->begin(offer);
    for (const MissingFields& missing : missed) plane_->ask(missing);
    for (const Message& message : batch_) {
      if (kind_of(message) == MessageKind::delivered) plane_->deliver(decode_fields<DeliveredFields>(message));
      if (kind_of(message) == MessageKind::steps) plane_->step(decode_fields<StepsFields>(message));
      if (kind_of(message) == MessageKind::sends) plane_->release(decode_fields<SendsFields>(message));
      if (kind_of(message) == MessageKind::average) plane_->average(decode_fields<AverageFields>(message));
      if (kind_of(message) == MessageKind::aborted) plane_->drop(decode_fields<AbortedFields>(message).key);
    }
  }
  batch_.clear();
}

void NodeHost::finish_if_done() {
  if (!finishing_) return;
  const PayloadTotals totals = plane_ ? plane_->totals() : PayloadTotals{};
  if (plane_ && !plane_->idle()) {
    if (totals.chunks < reported_ + chunks_between_reports) return;
    reported_ = totals.chunks;
    return say_working();
  }
  finishing_ = false;
  DoneFields fields{totals.crc_errors, totals.sum_errors, totals.chunks, 0, 0};
  if (report_) report_(fields);
  Message done = make_message(coordinator_id, Picos{0}, fields);
  done.header.promise_ps = never<Picos>.n;
  done.header.flags = flag_end_of_batch;
  out_.send(std::move(done));
}

void NodeHost::say_working() {
  WorkingFields fields;
  if (plane_) fields = {plane_->totals().chunks, plane_->waits_for()};
  out_.send(make_message(coordinator_id, Picos{0}, fields));
}

}  // namespace ocs
