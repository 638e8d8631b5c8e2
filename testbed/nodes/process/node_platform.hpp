// What a node process needs of the system: sockets, and to notice the end of its coordinator.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/core/message.hpp"
#include "host/core/units.hpp"
#include "host/transport/peer_protocol.hpp"
#include "host/transport/shared_memory.hpp"

namespace ocs {

struct NodeProcessSettings;
struct NodeProcessHooks;

/// The system of this machine (make_node_system()), or that of a simulation.
class NodePlatform {
 public:
  using EndpointOf = std::function<std::string(std::uint16_t participant)>;
  virtual ~NodePlatform() = default;

  virtual Transport& transport() = 0;
  virtual std::string endpoint() const = 0;  ///< where it is bound
  /// As of PeerProtocol.
  virtual void set_job(std::uint32_t job) = 0;
  virtual void admit_by(PeerProtocol::Admission admission) = 0;
  /// Ends the connection to the coordinator; the transport is closed then. @returns why it had broken; empty: it had
  /// not
  virtual std::string cut() = 0;
  virtual std::uint32_t process_id() const = 0;

  virtual SharedMemory* memory() = 0;                          ///< that of the coordinator; nullptr: none
  virtual void share(const std::bitset<max_ports>& with) = 0;  ///< payload crosses to these nodes in that memory
  virtual void reset_peak_rss() = 0;
  virtual Bytes peak_rss() const = 0;
};

using MakeNodePlatform = std::function<std::unique_ptr<NodePlatform>(
    const NodeProcessSettings&, const NodeProcessHooks&, NodePlatform::EndpointOf endpoint_of)>;

/// ZeroMQ on this machine. Returns when the coordinator is there. @throws Error (run) if it isn't in time; Error
/// (input) if there can't be such an endpoint
std::unique_ptr<NodePlatform> make_node_system(const NodeProcessSettings& settings, const NodeProcessHooks& hooks,
                                               NodePlatform::EndpointOf endpoint_of);

}  // namespace ocs
