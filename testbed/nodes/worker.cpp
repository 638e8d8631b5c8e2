// A worker: computes, pushes its part to every server, and waits for what it pulls.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/receipts.hpp"
#include "testbed/nodes/roles.hpp"

namespace ocs {
namespace {

class Worker : public NodeLogic {
 public:
  Worker(const NodeJob& job, Node self) : job_(job), self_(self), receipts_(job) {}

  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    for (const Message& message : batch) {
      if (kind_of(message) == MessageKind::compute) compute(decode_fields<ComputeFields>(message), now, out);
      if (kind_of(message) == MessageKind::delivered) delivered(decode_fields<DeliveredFields>(message), now, out);
      if (kind_of(message) == MessageKind::missing) send_again(decode_fields<MissingFields>(message), now, out);
    }
    return never<Picos>;
  }

 private:
  void compute(const ComputeFields& order, Picos now, std::vector<Message>& out) {
    if (order.offer == 0) {  // what a worker does by itself costs no control latency
      out.push_back(make_message(coordinator_id, now + order.length, ComputedFields{order.iteration}));
      return;
    }
    OffersFields offers;
    for (const Served& server : job_.servers)
      offers.list.push_back({{order.iteration, TransferPhase::push, self_, server.node}, server.words});
    out.push_back(make_message(coordinator_id, now + order.length + job_.control_latency, offers));
  }

  void delivered(const DeliveredFields& delivery, Picos now, std::vector<Message>& out) {
    if (!receipts_.on(delivery, now, out) || ++pulls_in_ < job_.servers.size()) return;
    pulls_in_ = 0;
    out.push_back(make_message(coordinator_id, now + job_.control_latency, PulledFields{delivery.key.iteration}));
  }

  void send_again(const MissingFields& missing, Picos now, std::vector<Message>& out) {
    const Offer again{missing.key, job_.server_at(missing.key.server)->words, missing.attempt, missing.runs,
                      missing.sent};
    out.push_back(make_message(coordinator_id, now + job_.control_latency, OffersFields{{again}}));
  }

  const NodeJob& job_;
  Node self_;
  Receipts receipts_;
  std::size_t pulls_in_ = 0;
};

}  // namespace

std::unique_ptr<NodeLogic> make_worker(const NodeJob& job, Node self) { return std::make_unique<Worker>(job, self); }

}  // namespace ocs
