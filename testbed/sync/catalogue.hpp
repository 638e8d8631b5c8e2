// The synchronisation schemes that there are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
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
  local_steps,  ///< it doesn't wait for pulls: steps back to back, pushed by quota
};

struct SyncEntry {
  std::string_view name, summary;
  ComputeStart compute;
  /// One of schemes.hpp, or a function of the program that runs the experiment.
  std::function<std::unique_ptr<SyncScheme>(std::uint16_t workers, const SyncSettings&)> make;
  std::span<const std::string_view> reads = {};                    ///< its settings: names of keys below [sync]
  std::function<std::string(const SyncSettings&)> text = nullptr;  ///< their values as a row has them; none: ""
  bool whole_rounds = false;  ///< no push is applied before those of all workers are in
  /// An update is the mean over its members, however many; else each push counts one part in the number of workers.
  bool mean_of_members = false;
};

std::span<const SyncEntry> sync_schemes();

/// The scheme of that name. @throws Error (input) that lists the known ones.
const SyncEntry& find_scheme(std::string_view name);

/// Whether the scheme reads the setting sync.`setting`.
bool reads(const SyncEntry& scheme, std::string_view setting);
/// Samples of a step at the start where the scheme sets them; else 0.
std::uint32_t first_batch(const SyncEntry& scheme, const SyncSettings& settings);

}  // namespace ocs
