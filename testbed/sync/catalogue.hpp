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
enum class ComputeStart : std::uint8_t { after_own_pull, after_last_pull };

struct SyncEntry {
  std::string_view name, summary;
  ComputeStart compute;
  std::unique_ptr<SyncScheme> (*make)(std::uint16_t workers, const SyncSettings&);  ///< schemes.hpp
  bool in_jobs;                                                                     ///< the coordinator can run it
};

std::span<const SyncEntry> sync_schemes();

/// Empty, or why no job can have this scheme: half a sentence. @throws Error (input) for an unknown name.
std::string refuse_sync(std::string_view name);

}  // namespace ocs
