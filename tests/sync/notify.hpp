// Single events for a scheme, all at instant 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/sync/catalogue.hpp"
#include "testbed/sync/schemes.hpp"

namespace ocs {

using Kind = GateEvent::Kind;

inline GateActions notify(SyncScheme& scheme, Kind kind, std::uint16_t worker, std::uint32_t iteration,
                          std::uint64_t seen = 0) {
  return scheme.on({kind, Ticks{0}, worker, iteration, seen, Ticks{1}, Ticks{0}});
}

/// Everybody asks for iteration 0.
inline void start(SyncScheme& scheme, std::uint16_t workers) {
  for (std::uint16_t w = 0; w < workers; ++w) notify(scheme, Kind::asked, w, 0);
}

inline std::vector<std::uint16_t> granted(const GateActions& actions) {
  std::vector<std::uint16_t> workers;
  for (const Grant& grant : actions.grants) workers.push_back(grant.worker);
  return workers;
}

/// The kind of error that this event makes; none if it makes none.
inline std::optional<ErrorKind> complaint(SyncScheme& scheme, Kind kind, std::uint16_t worker, std::uint32_t iteration,
                                          std::uint64_t seen = 0) {
  try {
    notify(scheme, kind, worker, iteration, seen);
  } catch (const Error& error) {
    return error.kind();
  }
  return {};
}

}  // namespace ocs
