// Splits when time moves on, steps all planes from one instant with a delivery to the next.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/planes/plane_network.hpp"

#include <algorithm>
#include <string>

#include "host/controller/planes/all_planes.hpp"
#include "host/core/error.hpp"

namespace ocs {

PlaneNetwork::PlaneNetwork(std::vector<std::unique_ptr<CircuitNetwork>> planes, PlaneSplit split, Picos cycle,
                           std::int64_t word_bytes, std::function<void()> settled)
    : planes_(std::move(planes)),
      split_(std::move(split)),
      cycle_(cycle),
      word_bytes_(word_bytes),
      settled_(std::move(settled)) {}

void PlaneNetwork::offer(Transfer transfer) {
  const std::string name = "transfer " + std::to_string(index(transfer.id));
  if (open_.contains(transfer.id))
    throw Error(ErrorKind::input, name + " is under way already; each needs an Id of its own");
  if (transfer.ready < reached_ || transfer.to.empty() || transfer.size.n < 1)
    throw Error(ErrorKind::input, name + " goes to nobody, is empty, or is offered for an instant before " +
                                      std::to_string(reached_.n) + " ps");
  Whole& whole = open_[transfer.id];
  for (const Node node : transfer.to) whole.parts_left[node] = 0;
  waiting_.push_back(std::move(transfer));
}

/// Splits all that waits, together.
void PlaneNetwork::split_waiting() {
  std::vector<SplitFlow> flows;
  flows.reserve(waiting_.size());
  for (const Transfer& transfer : waiting_)
    flows.push_back({index(transfer.from), index(transfer.to.front()), to_words(transfer.size, word_bytes_)});
  const auto shares = split_.split(flows);
  for (std::size_t plane = 0; plane < shares.size(); ++plane)
    for (const PlaneShare& share : shares[plane]) {
      Transfer part = waiting_[share.flow];
      Whole& whole = open_.at(part.id);
      const Id id{++last_part_};
      for (const Node node : part.to) ++whole.parts_left[node];
      whole.parts.push_back(id);
      parts_.emplace(id, Part{part.id, plane, share.first, share.words, flows[share.flow], part.to.size()});
      const std::int64_t before = share.first.n * word_bytes_;
      part.id = id;
      part.size = Bytes{std::min(share.words.n * word_bytes_, part.size.n - before)};
      planes_[plane]->offer(std::move(part));
    }
  waiting_.clear();
}

void PlaneNetwork::abort(Id transfer, Picos at) {
  split_waiting();
  const auto whole = open_.find(transfer);
  if (whole == open_.end())
    throw Error(ErrorKind::input,
                "transfer " + std::to_string(index(transfer)) + " isn't under way and can't be aborted");
  for (const Id part : whole->second.parts)
    if (const auto found = parts_.find(part); found != parts_.end()) planes_[found->second.plane]->abort(part, at);
}

void PlaneNetwork::prioritise(Id transfer, std::int32_t priority) {
  const auto whole = open_.find(transfer);
  if (whole == open_.end())
    throw Error(ErrorKind::input,
                "transfer " + std::to_string(index(transfer)) + " isn't under way and can't be given a priority");
  for (Transfer& waiting : waiting_)
    if (waiting.id == transfer) waiting.priority = priority;
  for (const Id part : whole->second.parts)
    if (const auto found = parts_.find(part); found != parts_.end())
      planes_[found->second.plane]->prioritise(part, priority);
}

PortUse PlaneNetwork::use(Node node) const { return use_of(planes_, node); }

Words PlaneNetwork::sent(Id transfer) {
  const auto whole = open_.find(transfer);
  if (whole == open_.end()) return {};
  Words words = whole->second.passed;
  for (const Id part : whole->second.parts)
    if (const auto found = parts_.find(part); found != parts_.end()) words += planes_[found->second.plane]->sent(part);
  return words;
}

Picos PlaneNetwork::next() {
  Picos first = first_of(planes_);
  for (const Transfer& transfer : waiting_)
    first = std::min(first, to_picos(to_cycles(std::max(transfer.ready, reached_), cycle_) + Cycles{1}, cycle_));
  return first;
}

void PlaneNetwork::deliver(Delivery delivery, std::vector<Delivery>& append) {
  const auto found = parts_.find(delivery.transfer);
  Part& part = found->second;
  const auto whole = open_.find(part.whole);
  for (WordRun& run : delivery.arrived) run.first += part.first;
  delivery.transfer = part.whole;
  const bool cut = whole->second.parts.size() > 1;
  if (cut) {  // what comes out of order looks lost to its receiver
    std::vector<WordRun>& kept = whole->second.kept[delivery.to];
    kept.insert(kept.end(), delivery.arrived.begin(), delivery.arrived.end());
    delivery.arrived.clear();
    if (delivery.final && whole->second.parts_left.at(delivery.to) == 1) {
      std::sort(kept.begin(), kept.end(), [](const WordRun& a, const WordRun& b) { return a.first < b.first; });
      delivery.arrived = std::move(kept);
    }
  }
  if (delivery.final) {
    delivery.final = --whole->second.parts_left.at(delivery.to) == 0;
    if (--part.receivers == 0) {
      whole->second.passed += part.words;
      split_.done(part.plane, part.flow, part.words);
      parts_.erase(found);
    }
    const auto& left = whole->second.parts_left;
    if (std::all_of(left.begin(), left.end(), [](const auto& each) { return each.second == 0; })) open_.erase(whole);
  }
  if (delivery.final || !delivery.arrived.empty()) append.push_back(std::move(delivery));
}

Picos PlaneNetwork::advance(Picos limit, std::vector<Delivery>& append) {
  if (limit == never<Picos> && next() == never<Picos>)
    throw Error(ErrorKind::internal, "the network has nothing to deliver and no instant to go to");
  if (limit > reached_ && !waiting_.empty()) split_waiting();
  const std::size_t before = append.size();
  do {
    Picos stop = limit;
    for (const auto& plane : planes_) stop = std::min(stop, plane->next());
    std::vector<Delivery> parts;
    for (const auto& plane : planes_) plane->advance(stop, parts);
    reached_ = stop;
    if (settled_) settled_();
    for (Delivery& part : parts) deliver(std::move(part), append);
  } while (reached_ < limit && append.size() == before);
  return reached_;
}

}  // namespace ocs
