// A rank of a collective and a node of coflows: both note what has come and send again what was
// lost; a rank computes, too.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include "testbed/nodes/roles/receipts.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

/// What tells the two apart.
struct RankRole {
  MessageKind payload_order;  ///< what to send; the payload side's
  bool computes;
  std::string_view what_it_does;
};

constexpr RankRole rank_role{MessageKind::steps, true, "is a rank of a collective"};
constexpr RankRole coflow_role{MessageKind::sends, false, "sends and receives coflows"};

class Rank : public NodeLogic {
 public:
  Rank(const NodeJob& job, Node self, const RankRole& role)
      : latency_(job.control_latency), self_(self), role_(role), receipts_(job) {}

  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    for (const Message& message : batch) {
      const MessageKind kind = kind_of(message);
      if (kind == MessageKind::tick || kind == role_.payload_order) continue;
      if (kind == MessageKind::delivered) {
        const auto delivery = decode_fields<DeliveredFields>(message);
        if (receipts_.on(delivery, now, out))
          out.push_back(make_message(coordinator_id, now + latency_, PushedFields{delivery.key, 0}));
      } else if (kind == MessageKind::missing) {
        out.push_back(offer_again(decode_fields<MissingFields>(message), 0, now + latency_));
      } else if (kind == MessageKind::compute && role_.computes) {
        const auto order = decode_fields<ComputeFields>(message);
        out.push_back(make_message(coordinator_id, now + order.length + latency_, ComputedFields{order.iteration}));
      } else {
        throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " " + std::string(role_.what_it_does) +
                                        ", but got \"" + std::string(name_of(kind)) + "\"");
      }
    }
    return never<Picos>;
  }

 private:
  Picos latency_;
  Node self_;
  RankRole role_;
  Receipts receipts_;
};

}  // namespace

std::unique_ptr<NodeLogic> make_rank(const NodeJob& job, Node self) {
  return std::make_unique<Rank>(job, self, rank_role);
}

std::unique_ptr<NodeLogic> make_coflow_node(const NodeJob& job, Node self) {
  return std::make_unique<Rank>(job, self, coflow_role);
}

}  // namespace ocs
