// The loop that a node runs, in a thread or in a process: answers the coordinator first, works on payload in between.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/core/message.hpp"
#include "testbed/nodes/payload_plane.hpp"

namespace ocs {

class NodeHost {
 public:
  /// @param plane nullptr: no payload
  NodeHost(Transport& transport, NodeLogic& logic, PayloadPlane* plane);

  /// Returns when the coordinator says `stop` or the transport is shut down. Any exception becomes a `fault` to the
  /// coordinator; nothing is thrown.
  void run() noexcept;

 private:
  void loop();
  bool route(Message message);  ///< false: stop
  void answer();
  void finish_if_done();

  Transport& transport_;
  NodeLogic& logic_;
  PayloadPlane* plane_;
  std::vector<Message> batch_;
  bool finishing_ = false;
  std::uint64_t reported_ = 0;  ///< chunks worked on when the coordinator last heard of it
};

}  // namespace ocs
