// One thing that goes wrong in a simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ocs::sim {

enum class FaultKind : std::uint8_t {
  // at the n-th message of a start of the run
  lose,              ///< it never arrives
  late,              ///< it and all after it on its connection, by `arg` ms
  repeat,            ///< it arrives twice
  overtake,          ///< those after it arrive before it
  corrupt,           ///< bit `arg` of it, modulo its size, is wrong
  truncate,          ///< its second part is cut at `arg`, modulo its size
  stranger,          ///< `arg` bytes of a stranger come to its receiver
  replay,            ///< a stranger sends it again
  reset,             ///< its connection breaks, and a new one is made
  kill_node,         ///< the node that sends or receives it
  kill_coordinator,  ///< by signal 9
  stop_node,         ///< that node, for `arg` ms
  stop_coordinator,  ///< for `arg` ms
  slow_node,         ///< that node goes on `arg` us late from now on
  partition,         ///< nothing to or from that node arrives for `arg` ms
  jump,              ///< the machine is suspended for `arg` ms
  // at the n-th write to a disk of a start of the run
  disk_full,    ///< from here on nothing more fits
  write_fails,  ///< this write
  sync_fails,   ///< the first sync from here on
  torn,         ///< a part of this write is done, then the coordinator is killed
  power,        ///< power is lost: what was not synced may be gone, sector by sector
  // before a start of the run
  flip,  ///< bit `arg` of the database, modulo its size, is wrong
  // at the n-th piece that a server and its clients send
  term,         ///< the server is told to end, and started again
  vanish,       ///< the client has gone without a word
  deaf,         ///< the client reads nothing for `arg` ms
  flood,        ///< `arg` strangers come at once
  guess,        ///< `arg` strangers with wrong passwords
  slow_server,  ///< from now on a look at the clock takes the server `arg` us
};

inline constexpr std::array<std::string_view, 28> fault_names = {
    "lose",      "late",  "repeat",    "overtake", "corrupt",   "truncate", "stranger",
    "replay",    "reset", "kill-node", "kill",     "stop-node", "stop",     "slow-node",
    "partition", "jump",  "full",      "write",    "sync",      "torn",     "power",
    "flip",      "term",  "vanish",    "deaf",     "flood",     "guess",    "slow-server"};

inline constexpr std::size_t kinds_of_a_run = 22;  ///< the first ones

constexpr bool at_message(FaultKind kind) { return kind < FaultKind::disk_full || kind > FaultKind::flip; }
constexpr bool at_write(FaultKind kind) { return kind >= FaultKind::disk_full && kind < FaultKind::flip; }

/// Those of a run; and those of a server and its clients, some of which are both.
constexpr bool is_of_run(FaultKind kind) { return static_cast<std::size_t>(kind) < kinds_of_a_run; }
constexpr bool is_of_serve(FaultKind kind) {
  switch (kind) {
    case FaultKind::late:
    case FaultKind::stranger:
    case FaultKind::reset:
    case FaultKind::kill_coordinator:
    case FaultKind::stop_coordinator:
    case FaultKind::partition:
    case FaultKind::jump:
    case FaultKind::disk_full:
    case FaultKind::write_fails:
      return true;
    default:
      return !is_of_run(kind);
  }
}

struct Fault {
  FaultKind kind{};
  std::uint32_t start = 0;  ///< of the run, from 0: each but the first is with --resume
  std::uint64_t at = 0;
  std::uint64_t arg = 0;
  bool operator==(const Fault&) const = default;
};

}  // namespace ocs::sim
