// Says which connections of a ZeroMQ socket were made and lost: who was at the other end is there, or gone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <set>
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
    enum class What {
      made,     ///< both ends speak ZeroMQ's protocol and have taken each other
      lost,     ///< it was made before
      refused,  ///< by one of the ends, or lost, before it was made; ZeroMQ tries again
    } what;
    std::string endpoint;  ///< of the other end if this one connected
  };
  /// The next change, if there is one within `patience`; negative: waits for ever.
  /// @throws zmq::error_t (ETERM) when the context is shut down
  std::optional<Change> next(std::chrono::milliseconds patience);

 private:
  void* watched_;
  zmq::socket_t events_;
  std::set<std::string> made_;
};

}  // namespace ocs
