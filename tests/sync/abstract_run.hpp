// Runs a synchronisation scheme without nodes: workers, one server and a network in integer time, event by event.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

#include "host/core/units.hpp"
#include "testbed/sync/settings.hpp"

namespace ocs::abstract {

/// Either every transfer takes `push` or `pull`, or each direction of the server's port carries one at a time, first
/// come first served, for delta + tx, without delta for the peer of the last one.
struct Net {
  bool circuit = false;
  std::int64_t push = 0, pull = 0, tx = 0, delta = 0;
};

struct Input {
  std::string_view scheme;
  SyncSettings settings;
  std::vector<std::vector<std::int64_t>> compute;  ///< [worker][iteration]; with a horizon it is used cyclically
  Net net;
  std::optional<std::int64_t> horizon;  ///< the last instant; else each worker does its iterations
};

struct Push {
  std::uint16_t worker;
  std::uint32_t iteration;
  std::int64_t grant, pulled, computed, push;
  std::uint64_t seen, stale;
  bool applied;
  friend bool operator==(const Push&, const Push&) = default;
};

inline void PrintTo(const Push& p, std::ostream* out) {
  *out << "worker " << p.worker << " iteration " << p.iteration << ": grant " << p.grant << " pulled " << p.pulled
       << " computed " << p.computed << " push " << p.push << " seen " << p.seen << " stale " << p.stale
       << (p.applied ? " applied" : " dropped");
}

struct Granted {
  std::uint16_t worker;
  std::int64_t at, gap;  ///< R2SP's gap as of this grant, from what was measured
  friend bool operator==(const Granted&, const Granted&) = default;
};

struct Round {
  std::int64_t end;
  std::vector<std::uint16_t> members;
  friend bool operator==(const Round&, const Round&) = default;
};

struct SuperStep {
  std::int64_t end;
  std::vector<std::int64_t> quota;
  std::int64_t wait_total;
  friend bool operator==(const SuperStep&, const SuperStep&) = default;
};

struct Output {
  std::vector<Push> pushes;  ///< in the order of arrival; held ones when they are applied
  std::vector<Granted> grants;
  std::vector<Round> rounds;           ///< updates of the model
  std::vector<SuperStep> super_steps;  ///< when all are released at once
  std::int64_t dark_receive = 0, dark_send = 0;
  std::uint32_t widest_gap = 0;  ///< of clocks, at a release, to the slowest that goes on
  bool all_finished = false;
};

Output run(const Input& input);

struct Sync {
  std::int64_t end;
  std::vector<std::int64_t> quota, carried;
  friend bool operator==(const Sync&, const Sync&) = default;
};

struct Merge {
  std::uint16_t worker;
  std::int64_t at, steps_done;
  friend bool operator==(const Merge&, const Merge&) = default;
};

struct PredictiveOutput {
  std::vector<std::int64_t> steps_done;
  std::vector<Sync> syncs;
  std::vector<Merge> merges;
  std::int64_t max_ahead = 0;
};

/// Predictive synchronisation; needs a horizon and a network without contention.
PredictiveOutput run_predictive(const Input& input);

}  // namespace ocs::abstract
