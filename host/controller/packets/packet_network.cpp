// From one instant at which shares change to the next.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/packets/packet_network.hpp"

#include <algorithm>
#include <string>

#include "host/controller/transfers/offer_checks.hpp"
#include "host/core/error.hpp"

namespace ocs {
namespace {

/// Of a side whose words take so many cycles, 0 for one that carries nothing.
std::int64_t units_of(Cycles word, int planes) { return word.n == 0 ? 0 : PacketNetwork::full / word.n * planes; }

/// Of each port.
std::vector<std::int64_t> first_units(const PacketConfig& config) {
  std::vector<std::int64_t> units(static_cast<std::size_t>(config.ports), units_of(Cycles{1}, config.planes));
  for (std::size_t v = 0; v < std::min(units.size(), config.word_cycles.size()); ++v)
    units[v] = units_of(config.word_cycles[v], config.planes);
  return units;
}

/// Send sides of all nodes, then receive sides.
std::vector<std::int64_t> both_sides(const std::vector<std::int64_t>& units) {
  std::vector<std::int64_t> sides = units;
  sides.insert(sides.end(), units.begin(), units.end());
  return sides;
}

}  // namespace

PacketNetwork::PacketNetwork(PacketConfig config)
    : config_(std::move(config)),
      word_units_(Units{full} * config_.cycle.n),
      fair_(both_sides(first_units(config_))),
      units_(first_units(config_)),
      uses_(static_cast<std::size_t>(config_.ports)) {
  if (config_.cycle.n < 1 || config_.ports < 2 || config_.planes < 1)
    throw Error(ErrorKind::internal, "a packet network needs two ports, a plane, and words that take time");
}

void PacketNetwork::offer(Transfer transfer) {
  const std::string name = name_of_transfer(transfer.id);
  if (known_.contains(transfer.id)) refuse(name + " is under way already; each needs an Id of its own");
  if (transfer.to.size() > 1) refuse(name + " goes to several nodes, but packets go to one");
  checked_words(transfer, config_.ports, config_.word_bytes, reached_);
  known_.insert(transfer.id);
  ready_.emplace(transfer.ready, transfer.id);
  waiting_.emplace(transfer.id, std::move(transfer));
}

void PacketNetwork::abort(Id transfer, Picos at) {
  const bool on_its_way =
      std::any_of(flying_.begin(), flying_.end(), [&](const auto& one) { return one.first.second == transfer; });
  if (!known_.contains(transfer) && on_its_way) return;
  if (!known_.contains(transfer)) refuse(name_of_transfer(transfer) + " isn't under way and can't be aborted");
  if (at < reached_)
    refuse(name_of_transfer(transfer) + " can't be aborted at " + std::to_string(at.n) + " ps, it is " +
           std::to_string(reached_.n) + " ps already");
  aborts_.emplace(at, transfer);
}

/// When a port's rate changes, or a port dies or lives again.
Picos PacketNetwork::next_of_ports() const {
  Picos next = never<Picos>;
  if (changes_ < config_.rate_changes.size()) next = to_picos(config_.rate_changes[changes_].at, config_.cycle);
  if (outages_ < config_.outages.size()) next = std::min(next, to_picos(config_.outages[outages_].at, config_.cycle));
  return next;
}

/// When transfers come or go, or shares change. Aborts of what has ended meanwhile are forgotten.
Picos PacketNetwork::next_change() {
  while (!aborts_.empty() && !known_.contains(aborts_.begin()->second)) aborts_.erase(aborts_.begin());
  Picos next = next_end_;
  if (!ready_.empty()) next = std::min(next, ready_.begin()->first);
  if (!aborts_.empty()) next = std::min(next, aborts_.begin()->first);
  if (!under_way_.empty()) next = std::min(next, next_of_ports());
  return next;
}

Picos PacketNetwork::next() {
  Picos next = next_change();
  if (!flying_.empty()) next = std::min(next, flying_.begin()->first.first);
  return next;
}

Picos PacketNetwork::advance(Picos limit, std::vector<Delivery>& append) {
  if (limit < reached_)
    throw Error(ErrorKind::internal, "the network can't go back from " + std::to_string(reached_.n) + " ps to " +
                                         std::to_string(limit.n) + " ps");
  if (limit == never<Picos> && next() == never<Picos>)
    throw Error(ErrorKind::internal, "the network has nothing to deliver and no instant to go to");
  for (;;) {
    const Picos now = next();
    if (now > limit) return reached_ = limit;
    reached_ = now;
    if (next_change() <= now) change(now);
    if (flying_.empty() || flying_.begin()->first.first > now) continue;
    give_out(now, append);
    return now;
  }
}

void PacketNetwork::change(Picos now) {
  pass_until(now);
  end(now);
  abort_due(now);
  begin(now);
  change_ports(now);
  share();
}

void PacketNetwork::pass_until(Picos now) {
  busy_.assign(2 * uses_.size(), 0);
  for (std::size_t t = 0; t < under_way_.size(); ++t) {
    under_way_[t].left -= Units{rates_[t]} * (now - since_).n;
    if (rates_[t] == 0) continue;
    if (under_way_[t].counts_from) busy_[sides_[t].from] = 1;
    if (under_way_[t].counts_to) busy_[sides_[t].to] = 1;
  }
  for (std::size_t side = 0; side < busy_.size(); ++side)
    if (busy_[side] != 0) uses_[side % uses_.size()].busy += now - since_;
  since_ = now;
}

/// @throws Error (run) if a transfer waits for a port that never lives again.
void PacketNetwork::change_ports(Picos now) {
  const auto update = [&](std::uint16_t port) {
    const std::int64_t units = dead_.contains(port) ? 0 : units_[port];
    fair_.set_capacity(port, units);
    fair_.set_capacity(uses_.size() + port, units);
  };
  const auto due = [&](Cycles at) { return to_picos(at, config_.cycle) <= now; };
  for (; changes_ < config_.rate_changes.size() && due(config_.rate_changes[changes_].at); ++changes_) {
    const RateChange& change = config_.rate_changes[changes_];
    units_[change.port] = units_of(change.word, config_.planes);
    update(change.port);
  }
  for (; outages_ < config_.outages.size() && due(config_.outages[outages_].at); ++outages_) {
    const Outage& outage = config_.outages[outages_];
    if (outage.dead)
      dead_.insert(outage.port);
    else
      dead_.erase(outage.port);
    update(outage.port);
  }
  for (const std::uint16_t port : dead_) refuse_endless_wait(port);
}

/// @param port that is dead
void PacketNetwork::refuse_endless_wait(std::uint16_t port) const {
  const bool lives_again =
      std::any_of(config_.outages.begin() + static_cast<std::ptrdiff_t>(outages_), config_.outages.end(),
                  [&](const Outage& outage) { return outage.port == port && !outage.dead; });
  if (lives_again) return;
  for (const Sent& sent : under_way_)
    if (index(sent.from) == port || index(sent.to) == port)
      throw Error(ErrorKind::run, name_of_transfer(sent.id) + " waits for port " + std::to_string(port) +
                                      ", which is dead and never lives again");
}

void PacketNetwork::end(Picos now) {
  if (next_end_ > now) return;
  std::erase_if(under_way_, [&](const Sent& sent) {
    if (sent.left > 0) return false;
    fly(sent, now);
    return true;
  });
}

void PacketNetwork::abort_due(Picos now) {
  for (; !aborts_.empty() && aborts_.begin()->first <= now; aborts_.erase(aborts_.begin())) {
    const Id id = aborts_.begin()->second;
    if (!known_.contains(id)) continue;  // it has ended meanwhile
    if (const auto waits = waiting_.find(id); waits != waiting_.end()) {
      const Transfer& transfer = waits->second;
      const Sent nothing{id, transfer.from, transfer.to.front(), Words{0}, now, 0};
      ready_.erase({transfer.ready, id});
      flying_.emplace(std::pair(now, id), Flying{nothing, now, Words{0}});
      waiting_.erase(waits);
      known_.erase(id);
      continue;
    }
    const auto found = std::find_if(under_way_.begin(), under_way_.end(), [&](const Sent& s) { return s.id == id; });
    fly(*found, now);
    under_way_.erase(found);
  }
}

void PacketNetwork::begin(Picos now) {
  for (; !ready_.empty() && ready_.begin()->first <= now; ready_.erase(ready_.begin())) {
    const auto found = waiting_.find(ready_.begin()->second);
    const Transfer& transfer = found->second;
    const Words words = to_words(transfer.size, config_.word_bytes);
    const Node from = transfer.from, to = transfer.to.front();
    under_way_.push_back(
        {transfer.id, from, to, words, now, word_units_ * words.n, transfer.counts_at(from), transfer.counts_at(to)});
    waiting_.erase(found);
  }
}

void PacketNetwork::share() {
  ++stats_.fillings;
  const auto ports = static_cast<std::uint32_t>(config_.ports);
  sides_.clear();
  for (const Sent& sent : under_way_) sides_.push_back({index(sent.from), ports + index(sent.to)});
  rates_.resize(sides_.size());
  fair_.fill(sides_, rates_);
  Units first = never<Picos>.n - since_.n;
  for (std::size_t t = 0; t < rates_.size(); ++t) {
    const Units rate = rates_[t];
    if (rate == 0) continue;  // a port that carries nothing
    first = std::min(first, (under_way_[t].left + rate - 1) / rate);
  }
  next_end_ = {since_.n + static_cast<std::int64_t>(first)};
}

/// What has passed of it is on its way now.
void PacketNetwork::fly(const Sent& sent, Picos now) {
  const Units passed = word_units_ * sent.words.n - std::max<Units>(sent.left, 0);
  const Words arrived{static_cast<std::int64_t>(passed / word_units_)};
  flying_.emplace(std::pair(now + config_.flight, sent.id), Flying{sent, now, arrived});
  known_.erase(sent.id);
  const Bytes bytes{arrived.n * config_.word_bytes};
  if (sent.counts_from) uses_[index(sent.from)].bytes += bytes;
  if (sent.counts_to) uses_[index(sent.to)].bytes += bytes;
}

void PacketNetwork::give_out(Picos now, std::vector<Delivery>& append) {
  for (; !flying_.empty() && flying_.begin()->first.first <= now; flying_.erase(flying_.begin())) {
    const auto& [sent, ended, arrived] = flying_.begin()->second;
    if (config_.on_carried) config_.on_carried({sent.id, sent.from, sent.to, sent.began, ended, now});
    Delivery delivery{.at = now, .to = sent.to, .transfer = sent.id, .arrived = {}, .final = true, .began = sent.began};
    if (arrived.n > 0) delivery.arrived.push_back({Words{0}, arrived});
    append.push_back(std::move(delivery));
    ++stats_.transfers;
    stats_.words += arrived.n;
  }
}

}  // namespace ocs
