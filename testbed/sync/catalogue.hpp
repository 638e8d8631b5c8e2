// The synchronisation schemes that there are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "host/core/catalogue.hpp"
#include "host/core/sync.hpp"
#include "testbed/sync/settings.hpp"

namespace ocs {

/// When a worker that was let through the gate starts to compute; the coordinator sees to it.
enum class ComputeStart : std::uint8_t {
  after_own_pull,
  after_last_pull,
  local_steps,  ///< it doesn't wait for pulls: steps back to back, pushed by quota (local_steps.hpp)
};

struct SyncEntry {
  std::string_view name, summary;
  ComputeStart compute;
  std::unique_ptr<SyncScheme> (*make)(std::uint16_t workers, const SyncSettings&);  ///< schemes.hpp
  std::span<const std::string_view> reads = {};        ///< its settings: names of keys below [sync]
  std::string (*text)(const SyncSettings&) = nullptr;  ///< their values as a row has them, in schemes.hpp; none: ""
  bool whole_rounds = false;                           ///< no push is applied before those of all workers are in
  /// An update is the mean over its members, however many; else each push counts one part in the number of workers.
  bool mean_of_members = false;
};

std::span<const SyncEntry> sync_schemes();

/// Whether the scheme reads the setting sync.`setting`. @throws Error (input) for an unknown scheme.
bool reads(std::string_view scheme, std::string_view setting);
/// Samples of a step at the start where the scheme sets them; else 0. @throws Error (input) for an unknown scheme.
std::uint32_t first_batch(std::string_view scheme, const SyncSettings& settings);

}  // namespace ocs
