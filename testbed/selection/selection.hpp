// Which peers a worker sends its model to: what a selection policy is told, and what it says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "host/core/ids.hpp"
#include "host/core/units.hpp"

namespace ocs {

/// Where a model that goes to several receivers is multiplied.
enum class Layer : std::uint8_t {
  network,      ///< L3: by the switch; the sender pays once
  application,  ///< L7: by the sender, which pays for each receiver
};

/// Pairs (i, j), sender and receiver: bit j of number i.
using PeerPairs = std::vector<Outputs>;
using PeerPair = std::pair<std::uint16_t, std::uint16_t>;  ///< sender, receiver

/// What goes on while a worker becomes ready.
struct Sending {
  std::uint16_t ready = 0;               ///< the worker that has become ready
  std::vector<std::uint16_t> senders{};  ///< that are sending, ascending; not `ready`
  PeerPairs plan{};                      ///< which of their pairs haven't been carried whole
  PeerPairs mostly_sent{};               ///< among these: little is left of them, so they are kept
  std::vector<Ticks> slack{};            ///< of each peer: how long it would wait anyhow if it had finished now
};

/// Costs are whole ticks, all of one unit: what a block takes at a port, the set-up of its circuit included. With
/// `sending`, of what is left of a block.
struct SelectionProblem {
  std::size_t peers = 0;                ///< 1 to 256
  std::vector<Ticks> at_sender{};       ///< of pair (i, j), at i * peers + j: on the sender's port
  std::vector<Ticks> at_receiver{};     ///< the same on the receiver's port
  std::vector<std::uint32_t> least{};   ///< receivers that each sender needs, 0 to peers - 1
  std::vector<std::uint32_t> unsent{};  ///< of pair (i, j): rounds in which i hasn't sent to j
  std::vector<PeerPair> must{};         ///< pairs that have to be served
  Layer layer = Layer::network;
  std::uint64_t seed = 0;            ///< of policies that draw
  std::optional<Sending> sending{};  ///< none: all peers are ready

  Ticks sender_cost(std::size_t i, std::size_t j) const { return at_sender[i * peers + j]; }
  Ticks receiver_cost(std::size_t i, std::size_t j) const { return at_receiver[i * peers + j]; }
};

struct Selection {
  PeerPairs basic{};                                         ///< what every sender needs
  PeerPairs selected{};                                      ///< with what costs no further time
  Ticks bound{};                                             ///< the longest load of a port under `selected`
  std::vector<Ticks> sender{}, receiver{};                   ///< loads under `selected`
  std::vector<std::pair<std::uint16_t, Ticks>> deadlines{};  ///< of the senders, ascending; with Sending only
  std::vector<PeerPair> aborted{};  ///< pairs of Sending::plan that aren't selected any more, ascending
};

/// A pure function of its problem.
class ReceiverSelection {
 public:
  virtual ~ReceiverSelection() = default;
  /// @throws Error (input) for a problem that contradicts itself, or of a kind that the policy isn't for.
  virtual Selection select(const SelectionProblem& problem) const = 0;
};

/// @throws Error (input) unless all tables fit `peers`, costs are 0 or more and add up within 64 bits, and nobody
/// sends to itself.
void check(const SelectionProblem& problem);

/// What the ports are loaded with: the network layer's senders carry their longest block once, the application layer's
/// each of theirs. Fills sender, receiver and bound.
void add_loads(const SelectionProblem& problem, Selection& selection);

}  // namespace ocs
