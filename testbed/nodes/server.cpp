// A parameter server: says which pushes are in, and answers the workers that the coordinator lets through.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/receipts.hpp"
#include "testbed/nodes/roles.hpp"

namespace ocs {
namespace {

class Server : public NodeLogic {
 public:
  Server(const NodeJob& job, Node self)
      : latency_(job.control_latency), self_(self), words_(job.server_at(self)->words), receipts_(job) {}

  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    for (const Message& message : batch) {
      if (kind_of(message) == MessageKind::delivered) delivered(decode_fields<DeliveredFields>(message), now, out);
      if (kind_of(message) == MessageKind::release) release(decode_fields<ReleaseFields>(message), now, out);
      if (kind_of(message) == MessageKind::missing) send_again(decode_fields<MissingFields>(message), now, out);
    }
    return never<Picos>;
  }

 private:
  void delivered(const DeliveredFields& delivery, Picos now, std::vector<Message>& out) {
    if (receipts_.on(delivery, now, out))
      out.push_back(make_message(coordinator_id, now + latency_, PushedFields{delivery.key}));
  }

  void release(const ReleaseFields& order, Picos now, std::vector<Message>& out) {
    OffersFields offers;
    for (Node worker : order.workers)
      offers.list.push_back({{order.iteration, TransferPhase::pull, worker, self_}, words_});
    out.push_back(make_message(coordinator_id, now + latency_, offers));
  }

  void send_again(const MissingFields& missing, Picos now, std::vector<Message>& out) {
    const Offer again{missing.key, words_, missing.attempt, missing.runs, missing.sent};
    out.push_back(make_message(coordinator_id, now + latency_, OffersFields{{again}}));
  }

  Picos latency_;
  Node self_;
  Words words_;
  Receipts receipts_;
};

}  // namespace

std::unique_ptr<NodeLogic> make_server(const NodeJob& job, Node self) { return std::make_unique<Server>(job, self); }

}  // namespace ocs
