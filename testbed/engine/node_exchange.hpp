// The coordinator's talk with its nodes: one batch out, one batch with a promise back, nobody is asked twice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "host/core/message.hpp"
#include "host/transport/fields.hpp"
#include "testbed/engine/progress.hpp"

namespace ocs {

/// Something that a node said, to be acted on at its time, in the order (phase, about, from, sequence).
struct Stamped {
  Picos at;
  int phase;   ///< at one instant: push applied, pull starts, pull complete, compute complete
  Node about;  ///< of a push that is in: its worker; else who says it
  Node from;
  std::uint64_t sequence;
  Message message;
  std::variant<std::monostate, OffersFields, PushedFields> fields;  ///< of these kinds, as they were read
};

/// Time contract. A node's promise P says: until you send me something, I send nothing stamped earlier than P. So when
/// everybody has answered, nothing can happen before earliest(): arrival order on sockets decides nothing.
class NodeExchange {
 public:
  /// Called while nodes are waited for, at least about ten times a second of wall time.
  using OnWait = std::function<void(const std::string& waiting_for)>;

  NodeExchange(Transport& transport, std::vector<Node> nodes, std::chrono::milliseconds timeout, OnWait on_wait);
  NodeExchange(const NodeExchange&) = delete;  // it points to its own seats
  NodeExchange& operator=(const NodeExchange&) = delete;

  const std::vector<Node>& nodes() const { return nodes_; }  ///< ascending

  /// Who takes parts of models that are to be scored; called in finish(). Without one they are refused.
  using OnSnapshot = std::function<void(Node server, const Message&)>;
  void take_snapshots(OnSnapshot on_snapshot) { on_snapshot_ = std::move(on_snapshot); }
  /// Queues a message for the next exchange. @throws Error (internal) for a node that doesn't take part
  void post(Node to, Message message);
  /// `history`, in as many messages as it takes.
  void post_history(Node to, const std::vector<PastEvent>& events, Picos now);
  /// Posts `tick` to every node that promised to act at `now` and that nothing else was posted to.
  void wake_promised(Picos now);
  bool anything_posted() const { return !to_send_.empty(); }
  /// Sends what was posted at virtual time `now`, and waits until every node that got something has answered.
  /// @throws Error (run) if a node fails, breaks its promise, speaks of the past, or owes its answer for longer than
  ///         the timeout.
  void exchange(Picos now);

  /// The least promise or stamp not yet acted on; never: all only react and there is nothing to act on.
  Picos earliest() const;
  /// What is stamped `now`, in order; it counts as acted on. Valid until the next call.
  const std::vector<Stamped>& take(Picos now);

  /// Asks every node to finish its payload work and waits for all results, in order of the nodes.
  std::vector<DoneFields> finish(Picos now);
  void stop();

  std::int64_t rounds() const { return rounds_; }
  std::int64_t messages() const { return messages_; }
  /// Who took longest to answer in the last exchange; while it goes on, who has owed an answer for longest.
  Answered slowest() const;
  /// The last messages, oldest first, for an error: "coordinator to node 3: tick; node 3: ack".
  std::string last_messages() const;

 private:
  using Clock = std::chrono::steady_clock;  ///< of the watchdog: it can end a run, never change a result
  struct Seat {
    Node node;
    Picos promise = never<Picos>;
    bool owes = false;
    std::uint64_t sent = 0;
    std::uint64_t asked = 0;  ///< `sent` when the batch was complete
    std::vector<Message> posted;
    Clock::time_point heard{};  ///< the last sign of life, or when it was asked
    bool pinged = false;        ///< since then
    WorkingFields working{};    ///< what it said last
  };
  struct Said {
    std::uint16_t from, to;
    MessageKind kind;
  };
  Seat* find_seat(std::uint16_t node);
  Seat& seat_of(std::uint16_t node);
  void send(Seat& seat, Message message);
  void wait(Picos now);
  void excuse(Clock::duration stalled);  ///< nobody is to blame for it
  void watch(Picos now);
  void read(Message message, Picos now);
  [[noreturn]] void time_out(Picos now, const std::string& sentence) const;
  void handle_message(Message&& message, Picos now);
  std::string debtors() const;

  Transport& transport_;
  std::vector<Node> nodes_;
  std::vector<Seat> seats_;     ///< ascending
  std::vector<Seat*> of_node_;  ///< nullptr: it takes no part
  std::vector<Seat*> to_send_;  ///< to whom something is posted
  std::size_t owing_ = 0;       ///< nodes that owe their answer
  std::size_t promising_ = 0;   ///< nodes that act by themselves: most jobs have none
  std::chrono::milliseconds timeout_;
  OnWait on_wait_;
  OnSnapshot on_snapshot_;
  std::vector<Stamped> stamped_;
  std::vector<Stamped> due_;  ///< taken last
  std::vector<std::pair<Node, DoneFields>> done_;
  std::deque<Said> said_;
  std::int64_t rounds_ = 0, messages_ = 0;
  bool finishing_ = false;     ///< payload is worked on: what is owed may take its time, but not without a sign of life
  Clock::time_point asked_{};  ///< when the last exchange began
  Clock::time_point progress_{};  ///< when a node last said that it had done more of its payload work
  Answered slowest_;
};

}  // namespace ocs
