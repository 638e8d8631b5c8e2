// A node: the worker, the server, or both, that a job puts there.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host/transport/fields.hpp"
#include "testbed/nodes/roles/roles.hpp"

namespace ocs {
namespace {

class RoleOrRoles : public NodeLogic {
 public:
  RoleOrRoles(const NodeJob& job, Node self) : self_(self) {
    if (job.worker_index(self) >= 0) worker_ = make_worker(job, self);
    if (job.server_at(self)) server_ = make_server(job, self);
    if (!worker_ && !server_)
      throw Error(ErrorKind::internal, "the job gives node " + std::to_string(index(self)) + " nothing to do");
  }

  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    Picos promise = never<Picos>;
    for (const Message& message : batch) {
      if (kind_of(message) == MessageKind::tick) continue;
      if (kind_of(message) == MessageKind::delivered) {
        const auto delivery = decode_fields<DeliveredFields>(message);
        needed(delivery.key.phase == TransferPhase::pull ? worker_.get() : server_.get(), message)
            .on(delivery, now, out);
        continue;
      }
      NodeLogic& role = needed(role_of(message), message);
      if (kind_of(message) == MessageKind::map && worker_ && server_)  // a node that is both goes by it twice
        promise = std::min(promise, worker_->on({&message, 1}, now, out));
      promise = std::min(promise, role.on({&message, 1}, now, out));
    }
    return promise;
  }

 private:
  Role& needed(Role* role, const Message& message) const {
    if (role) return *role;
    throw Error(ErrorKind::run, "node " + std::to_string(index(self_)) + " got \"" +
                                    std::string(name_of(kind_of(message))) + "\" for a role that it hasn't");
  }
  Role* role_of(const Message& message) const {
    switch (kind_of(message)) {
      case MessageKind::compute:
        return worker_.get();
      case MessageKind::release:
        return server_.get();
      case MessageKind::map:
        return server_ ? server_.get() : worker_.get();
      case MessageKind::wrong_owner:
        return worker_.get();
      case MessageKind::missing: {  // what this node has sent
        const auto key = decode_fields<MissingFields>(message).key;
        return key.phase == TransferPhase::push ? worker_.get() : server_.get();
      }
      default:
        return nullptr;
    }
  }

  Node self_;
  std::unique_ptr<Role> worker_, server_;
};

}  // namespace

std::unique_ptr<NodeLogic> make_node(const NodeJob& job, Node self) {
  if (job.peers()) return make_peer(job, self);
  if (job.ranks()) return make_rank(job, self);
  if (job.coflows()) return make_coflow_node(job, self);
  return std::make_unique<RoleOrRoles>(job, self);
}

}  // namespace ocs
