// The loop that a node runs, in a thread or in a process: answers the coordinator first, works on payload in between.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "host/core/message.hpp"
#include "host/transport/fields.hpp"
#include "testbed/nodes/payload/payload_plane.hpp"

namespace ocs {

class NodeHost {
 public:
  /// Adds what the loop doesn't know to what the coordinator is told at the end.
  using Report = std::function<void(DoneFields&)>;

  /// @param plane nullptr: no payload
  NodeHost(Transport& transport, NodeLogic& logic, PayloadPlane* plane, Report report = {});

  enum class End {
    stopped,  ///< the coordinator said `stop`
    idle,     ///< there is no more to do for the moment
    closed,   ///< the transport was shut down
    failed,   ///< an exception; the coordinator has been told by a `fault`
  };
  struct Outcome {
    End end;
    std::string fault;
  };
  Outcome run() noexcept;

  /// The same loop while there is `more`, without waiting: for who has no thread for it. @param more never throws
  Outcome serve(const std::function<bool()>& more) noexcept;

  /// One turn of the loop: a message, or, if there is none, a slice of payload work.
  /// @returns false when the coordinator has said `stop`
  bool step(std::chrono::milliseconds patience);
  /// There may be payload work even if no message comes.
  bool busy() const { return may_work_; }

 private:
  template <class F>
  Outcome guarded(F&& loop) noexcept;
  bool route(Message message);  ///< false: stop
  void answer();
  void finish_if_done();
  void say_working();

  Transport& transport_;
  NodeLogic& logic_;
  PayloadPlane* plane_;
  Report report_;
  bool may_work_ = false;
  std::vector<Message> batch_;
  bool finishing_ = false;
  std::uint64_t reported_ = 0;  ///< chunks worked on when the coordinator last heard of it
};

}  // namespace ocs
