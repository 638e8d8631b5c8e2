// A node of coflows: it notes what has come.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "testbed/nodes/receipts.hpp"
#include "testbed/nodes/roles.hpp"

namespace ocs {
namespace {

class CoflowNode : public NodeLogic {
 public:
  CoflowNode(const NodeJob& job, Node self) : latency_(job.control_latency), self_(self), receipts_(job) {}

  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    for (const Message& message : batch) {
      switch (kind_of(message)) {
        case MessageKind::tick:
        case MessageKind::sends:
          break;
        case MessageKind::delivered: {
          const auto delivery = decode_fields<DeliveredFields>(message);
          if (receipts_.on(delivery, now, out))
            out.push_back(make_message(coordinator_id, now + latency_, PushedFields{delivery.key, 0}));
          break;
        }
        default:
          throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) +
                                          " sends and receives coflows, but got \"" +
                                          std::string(name_of(kind_of(message))) + "\"");
      }
    }
    return never<Picos>;
  }

 private:
  Picos latency_;
  Node self_;
  Receipts receipts_;
};

}  // namespace

std::unique_ptr<NodeLogic> make_coflow_node(const NodeJob& job, Node self) {
  return std::make_unique<CoflowNode>(job, self);
}

}  // namespace ocs
