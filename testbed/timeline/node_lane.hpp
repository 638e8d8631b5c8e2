// What a node does at each instant: it computes, words of its transfers move, mirrors move for it, or it waits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

/// In the order of what hides what. `dark`: a circuit of its transfers is being set up. `waiting`: transfers are under
/// way, and nothing of them moves; `idle`: there are none.
enum class NodeState : std::uint8_t { computing, pushing, pulling, dark, waiting, idle };
inline constexpr std::string_view node_state_names[] = {"computing", "pushing", "pulling", "dark", "waiting", "idle"};

struct NodeSlice {
  NodeState state;
  Picos from, to;
  std::optional<std::uint32_t> peer;  ///< the other node of the transfer; of several the one that was there first
};

/// Memory follows what is under way: slices are known as soon as nothing is.
class NodeLane {
 public:
  void computes(Picos from, Picos to) { spans_.push_back({NodeState::computing, from, to, {}}); }
  /// Words of a transfer, or its dark circuit.
  void moves(NodeState state, Picos from, Picos to, std::uint32_t peer) { spans_.push_back({state, from, to, peer}); }
  void offered(std::uint32_t transfer, Picos at, std::uint32_t peer) { open_[transfer] = {at, peer}; }
  void delivered(std::uint32_t transfer, Picos at);

  /// Slices from the last call to `to`, without gaps. Nothing is under way, or it is the end.
  std::vector<NodeSlice> close_slices(Picos to);
  bool busy() const { return !open_.empty(); }
  Picos settled() const { return settled_; }

 private:
  struct Open {
    Picos at;
    std::uint32_t peer;
  };
  std::map<std::uint32_t, Open> open_;
  std::vector<NodeSlice> spans_;
  Picos settled_{0};
};

}  // namespace ocs
