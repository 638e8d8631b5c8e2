// A peer: computes, sends its model to whom it is told, and averages what it got.
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include "testbed/nodes/roles/receipts.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

class Peer : public NodeLogic {
 public:
  Peer(const NodeJob& job, Node self) : job_(job), self_(self), words_(job.server_at(self)->words), receipts_(job) {}

  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    for (const Message& message : batch) {
      switch (kind_of(message)) {
        case MessageKind::tick:
        case MessageKind::aborted:
          break;
        case MessageKind::compute:
          compute(decode_fields<ComputeFields>(message), now, out);
          break;
        case MessageKind::receivers:
          send(decode_fields<ReceiversFields>(message), now, out);
          break;
        case MessageKind::delivered:
          delivered(decode_fields<DeliveredFields>(message), now, out);
          break;
        case MessageKind::average:
          average(decode_fields<AverageFields>(message));
          break;
        default:
          throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " is a peer, but got \"" +
                                          std::string(name_of(kind_of(message))) + "\"");
      }
    }
    return never<Picos>;
  }

 private:
  void compute(const ComputeFields& order, Picos now, std::vector<Message>& out) const {
    out.push_back(
        make_message(coordinator_id, now + order.length + job_.control_latency, ComputedFields{order.iteration}));
  }

  void send(const ReceiversFields& order, Picos now, std::vector<Message>& out) const {
    OffersFields offers;
    for (const Node to : order.nodes)
      offers.list.push_back({.key = {order.round, TransferPhase::push, self_, to, 0}, .words = words_});
    if (!offers.list.empty()) out.push_back(make_message(coordinator_id, now + job_.control_latency, offers));
  }

  void delivered(const DeliveredFields& delivery, Picos now, std::vector<Message>& out) {
    if (!receipts_.on(delivery, now, out)) return;
    whole_.insert({delivery.key.worker, delivery.key.iteration});
    out.push_back(make_message(coordinator_id, now + job_.control_latency, PushedFields{delivery.key, 0}));
  }

  /// Nothing is averaged that isn't here as a whole.
  void average(const AverageFields& order) {
    for (const auto* list : {&order.models, &order.unused})
      for (const PeerRound& model : *list)
        if (whole_.erase(model) == 0)
          throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " was told to use node " +
                                          std::to_string(index(model.node)) + "'s model of round " +
                                          std::to_string(model.round) + ", which it hasn't as a whole");
  }

  const NodeJob& job_;
  Node self_;
  Words words_;
  Receipts receipts_;
  std::set<PeerRound> whole_;
};

}  // namespace

std::unique_ptr<NodeLogic> make_peer(const NodeJob& job, Node self) { return std::make_unique<Peer>(job, self); }

}  // namespace ocs
