// A worker: computes, pushes its part to every server, and waits for what it pulls.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "testbed/nodes/roles/map_check.hpp"
#include "testbed/nodes/roles/receipts.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

class Worker : public Role {
 public:
  Worker(const NodeJob& job, Node self) : job_(job), self_(self), receipts_(job), owner_(job.owner) {}

  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    for (const Message& message : batch) {
      if (kind_of(message) == MessageKind::compute) compute(decode_fields<ComputeFields>(message), now, out);
      if (kind_of(message) == MessageKind::map) learn(decode_fields<MapFields>(message), now, out);
      if (kind_of(message) == MessageKind::wrong_owner) push_again(decode_fields<WrongOwnerFields>(message), now, out);
      if (kind_of(message) == MessageKind::missing)
        out.push_back(offer_again(decode_fields<MissingFields>(message), version_, now + job_.control_latency));
    }
    return never<Picos>;
  }

  void on(const DeliveredFields& delivery, Picos now, std::vector<Message>& out) override {
    if (!receipts_.on(delivery, now, out) || ++pulls_in_ < job_.transfers()) return;
    pulls_in_ = 0;
    out.push_back(make_message(coordinator_id, now + job_.control_latency, PulledFields{delivery.key.iteration}));
  }

 private:
  void compute(const ComputeFields& order, Picos now, std::vector<Message>& out) {
    if (order.offer == 0) {  // what a worker does by itself costs no control latency
      out.push_back(make_message(coordinator_id, now + order.length, ComputedFields{order.iteration}));
      return;
    }
    std::map<Picos, OffersFields> offers;  // by the time at which they are ready
    for (const Served& server : job_.servers)
      for (std::uint32_t k = 0; k < server.slices.size(); ++k)
        if (owner_.empty() || owner_[k] == server.node)
          offers[ready(server.slices[k], order.length)].list.push_back(
              {.key = {order.iteration, TransferPhase::push, self_, server.node, k},
               .words = server.slices[k].words,
               .map = version_});
    for (const auto& [after, together] : offers)
      out.push_back(make_message(coordinator_id, now + after + job_.control_latency, together));
  }

  void learn(const MapFields& map, Picos now, std::vector<Message>& out) {
    check_map(map, owner_.size());
    owner_ = map.owner;
    version_ = map.version;
    out.push_back(make_message(coordinator_id, now + job_.control_latency, MapAckFields{version_}));
  }

  /// Pushes again, to the owner of the key by the map that came meanwhile.
  void push_again(const WrongOwnerFields& refusal, Picos now, std::vector<Message>& out) {
    TransferKey key = refusal.key;
    if (key.phase != TransferPhase::push || key.worker != self_ || key.slice >= owner_.size())
      throw Error(ErrorKind::run, "the " + describe(key) + ", was refused, but isn't a push of this worker's keys");
    key.server = owner_[key.slice];
    const Offer again{.key = key, .words = job_.slice_of(key)->words, .map = version_};
    out.push_back(make_message(coordinator_id, now + job_.control_latency, OffersFields{{again}}));
  }

  /// How long after the order to compute for `length`.
  Picos ready(const Slice& slice, Picos length) const {
    __extension__ using Wide = __int128;
    return length - Picos{static_cast<std::int64_t>(Wide{length.n} * slice.ahead / job_.ahead_of)};
  }

  const NodeJob& job_;
  Node self_;
  Receipts receipts_;
  std::size_t pulls_in_ = 0;
  std::vector<Node> owner_;    ///< of each key; none: servers own what they have
  std::uint32_t version_ = 0;  ///< of that map
};

}  // namespace

std::unique_ptr<Role> make_worker(const NodeJob& job, Node self) { return std::make_unique<Worker>(job, self); }

}  // namespace ocs
