// A parameter server: says which pushes are in, and answers the workers that the coordinator lets through.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/roles/map_check.hpp"
#include "testbed/nodes/roles/receipts.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

class Server : public Role {
 public:
  Server(const NodeJob& job, Node self)
      : job_(job), self_(self), slices_(job.server_at(self)->slices), owner_(job.owner), receipts_(job) {}

  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    for (const Message& message : batch) {
      if (kind_of(message) == MessageKind::release) release(decode_fields<ReleaseFields>(message), now, out);
      if (kind_of(message) == MessageKind::map) learn(decode_fields<MapFields>(message), now, out);
      if (kind_of(message) == MessageKind::missing)
        out.push_back(offer_again(decode_fields<MissingFields>(message), version_, now + job_.control_latency));
    }
    return never<Picos>;
  }

  void on(const DeliveredFields& delivery, Picos now, std::vector<Message>& out) override {
    if (!receipts_.on(delivery, now, out)) return;
    const auto say = [&](const auto& fields) {
      out.push_back(make_message(coordinator_id, now + job_.control_latency, fields));
    };
    if (delivery.key.phase == TransferPhase::migrate)
      say(MigratedFields{delivery.key});
    else if (delivery.map != version_)
      say(WrongOwnerFields{delivery.key, version_});
    else
      say(PushedFields{delivery.key, version_});
  }

 private:
  /// Sends on what it no longer owns.
  void learn(const MapFields& map, Picos now, std::vector<Message>& out) {
    check_map(map, owner_.size());
    OffersFields offers;
    for (std::uint32_t k = 0; k < owner_.size(); ++k)
      if (owner_[k] == self_ && map.owner[k] != self_)
        offers.list.push_back({.key = {map.first, TransferPhase::migrate, self_, map.owner[k], k},
                               .words = slices_[k].words,
                               .map = map.version});
    owner_ = map.owner;
    version_ = map.version;
    if (!offers.list.empty()) out.push_back(make_message(coordinator_id, now + job_.control_latency, offers));
    out.push_back(make_message(coordinator_id, now + job_.control_latency, MapAckFields{version_}));
  }

  void release(const ReleaseFields& order, Picos now, std::vector<Message>& out) {
    constexpr std::size_t together = NodeJob::most_slices;  // a message holds
    OffersFields offers;
    const auto say = [&] { out.push_back(make_message(coordinator_id, now + job_.control_latency, offers)); };
    for (Node worker : order.workers) {
      if (offers.list.size() + slices_.size() > together) say(), offers.list.clear();
      for (std::uint32_t k = 0; k < slices_.size(); ++k)
        if (owner_.empty() || owner_[k] == self_)
          offers.list.push_back({.key = {order.iteration, TransferPhase::pull, worker, self_, k},
                                 .words = slices_[k].words,
                                 .map = version_});
    }
    if (!offers.list.empty()) say();
  }

  const NodeJob& job_;
  Node self_;
  const std::vector<Slice>& slices_;
  std::vector<Node> owner_;    ///< of each key; none: it owns what it has
  std::uint32_t version_ = 0;  ///< of that map
  Receipts receipts_;
};

}  // namespace

std::unique_ptr<Role> make_server(const NodeJob& job, Node self) { return std::make_unique<Server>(job, self); }

}  // namespace ocs
