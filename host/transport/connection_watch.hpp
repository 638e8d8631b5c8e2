// Says which connections of a ZeroMQ socket were made and lost: whoever was at the other end is there, or gone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <zmq.hpp>

namespace ocs {

class ConnectionWatch {
 public:
  /// The socket stays its owner's.
  ConnectionWatch(zmq::context_t& context, zmq::socket_t& watched);
  /// Before the socket that it watches.
  ~ConnectionWatch();
  ConnectionWatch(ConnectionWatch&&) = delete;
  struct Change {
    bool lost;             ///< false: made, and both ends speak ZeroMQ's protocol
    std::string endpoint;  ///< of the other end if this one connected
  };
  /// The next change, if there is one within `patience`; negative: waits for ever.
  /// @throws zmq::error_t (ETERM) when the context is shut down
  std::optional<Change> next(std::chrono::milliseconds patience);

 private:
  void* watched_;
  zmq::socket_t events_;
};

}  // namespace ocs
