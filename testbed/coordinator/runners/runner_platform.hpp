// What a runner of node processes needs of the system: sockets and processes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/core/message.hpp"
#include "host/transport/peer_protocol.hpp"

namespace ocs {

/// A node process that was started here. It is killed when this object goes.
class NodeChild {
 public:
  virtual ~NodeChild() = default;
  virtual std::uint32_t id() const = 0;
  /// "was ended by signal 9 (Killed)", "ended with exit code 3"; nothing while it runs.
  virtual std::optional<std::string> ended() = 0;
  virtual void wait(std::chrono::milliseconds patience) = 0;
};

/// The system of this machine (make_system_platform()), or that of a simulation.
class RunnerPlatform {
 public:
  using EndpointOf = std::function<std::string(std::uint16_t participant)>;
  virtual ~RunnerPlatform() = default;

  /// The coordinator's end; also its clock.
  virtual Transport& transport() = 0;
  virtual std::string endpoint() const = 0;  ///< where it is bound
  /// As of PeerProtocol.
  virtual void set_job(std::uint32_t job) = 0;
  virtual void admit_by(PeerProtocol::Admission admission) = 0;
  virtual std::string dropped() const = 0;
  /// As of ZmqTransport.
  virtual void send_once(const std::string& endpoint, Message message, std::chrono::milliseconds patience) = 0;
  virtual void linger(std::chrono::milliseconds patience) = 0;
  /// The endpoint of a connection that was lost since the last call; nothing: none was.
  virtual std::optional<std::string> lost() = 0;

  virtual bool shares_memory() const = 0;  ///< with the nodes that are started here
  virtual std::unique_ptr<NodeChild> start(Node node) = 0;
  /// @throws Error (run) if the machine hasn't got what so many nodes take, of which `fresh` are to be started
  virtual void require(std::size_t nodes, std::size_t fresh) = 0;
};

struct ProcessRunnerSettings;
/// @param endpoint_of where participants other than the coordinator are
using MakeRunnerPlatform = std::function<std::unique_ptr<RunnerPlatform>(const ProcessRunnerSettings&,
                                                                         RunnerPlatform::EndpointOf endpoint_of)>;

/// ZeroMQ and processes of this machine. @throws Error as make_process_runner()
std::unique_ptr<RunnerPlatform> make_system_platform(const ProcessRunnerSettings& settings,
                                                     RunnerPlatform::EndpointOf endpoint_of);

}  // namespace ocs
