// What a node does with its messages, in a thread or in a process: it answers the coordinator first and works on
// payload in between.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  NodeHost(Sender& out, NodeLogic& logic, PayloadPlane* plane, Report report = {});

  enum class End {
    stopped,  ///< the coordinator said `stop`
    none,     ///< it goes on
    closed,   ///< the transport was shut down
    failed,   ///< an exception; the coordinator has been told by a `fault`
  };
  struct Outcome {
    End end;
    std::string fault;
  };
  /// For a thread or process that does nothing else.
  Outcome run(Transport& in) noexcept;

  /// For who serves several hosts: what has come for this one.
  Outcome hear(Message message) noexcept;
  /// One slice of payload work, whose results go out at once: to receivers that are served next, while payload is in
  /// the cache, and whose thread nobody has to wake.
  Outcome work() noexcept;
  /// There may be payload work even if no message comes.
  bool busy() const { return may_work_; }

  /// Acts for a node, and says by a `fault` of this sender if it fails.
  static Outcome guarded(Sender& out, const std::function<End()>& act) noexcept;

 private:
  bool route(Message message);  ///< false: stop
  void work_on_payload();
  void answer();
  void finish_if_done();
  void say_working();

  Sender& out_;
  NodeLogic& logic_;
  PayloadPlane* plane_;
  Report report_;
  bool may_work_ = false;
  std::vector<Message> batch_, answers_;
  bool finishing_ = false;
  std::uint64_t reported_ = 0;  ///< chunks worked on when the coordinator last heard of it
};

}  // namespace ocs
