// Sockets and node processes of a simulation: what ZeroMQ and the system are to a real run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbed/coordinator/runners/runner_platform.hpp"
#include "testbed/nodes/process/node_platform.hpp"
#include "testbed/sim/fault.hpp"
#include "testbed/sim/world.hpp"

namespace ocs::sim {

class SimTransport;

/// A message under way.
struct Packet {
  std::uint64_t connection = 0;
  std::vector<std::byte> header, second;
  Payload payload;
  std::string place;
};

/// All sockets of one start of a run. Connections are in order and lose nothing, but for the faults.
class Sockets {
 public:
  /// @param faults those of this start. @param proven connections show a key
  Sockets(World& world, std::uint64_t seed, std::vector<Fault> faults, bool proven);

  MakeRunnerPlatform runners();

  World& world() { return world_; }
  bool proven() const { return proven_; }
  std::uint64_t sent() const { return sent_; }  ///< messages
  std::uint64_t hit() const { return hit_; }    ///< faults that met a message
  std::size_t open() const { return ports_.size(); }

  /// A process that has several jobs has an endpoint for each.
  std::string free_endpoint(std::uint32_t process);
  /// The node's end is told to the coordinator at that endpoint.
  void started(const Process& node, std::string by) { starters_[node.id] = std::move(by); }
  void open(SimTransport& at);
  void close(SimTransport& at);
  SimTransport* at(const std::string& endpoint);
  void carry(Process& from, const std::string& to, Packet packet);
  std::unique_ptr<NodePlatform> node(const NodeProcessSettings& settings, NodePlatform::EndpointOf endpoint_of);

 private:
  struct Link {
    std::uint64_t connection = 0;
    Nanos last{0};  ///< arrival of the message before
  };
  struct Way {
    Process& from;
    std::string to;
    Link& link;
    Nanos arrival;
    bool lost = false, overtaken = false;
    int copies = 1;
  };
  void apply(const Fault& fault, Way& way, Packet& packet);
  void apply_to_process(const Fault& fault, Way& way);
  void deliver(const std::string& to, Nanos when, Packet packet);
  Process* node_of(const Way& way);
  Process* coordinator();

  World& world_;
  Draw draw_;
  std::vector<Fault> faults_;
  bool proven_;
  std::map<std::string, SimTransport*> ports_;
  std::map<std::pair<std::uint32_t, std::string>, Link> links_;
  std::map<std::uint32_t, Nanos> apart_;           ///< processes behind a partition, until when
  std::map<std::uint32_t, std::string> starters_;  ///< endpoints of coordinators, by node process
  std::uint64_t sent_ = 0, hit_ = 0, connections_ = 0;
  std::uint32_t others_ = 0;
};

}  // namespace ocs::sim
