// A process between this one and a program that it doesn't trust: it ends everything that the program has started.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace ocs {

/// What a program may use; each of its processes may use so much. Limits that are lower already stay.
struct ProcessLimits {
  std::uint64_t cpu_s = 3600;                           ///< processor time
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;  ///< address space
  std::uint64_t file_bytes = std::uint64_t{1} << 30;    ///< of one file that it writes
  std::uint64_t files = 256;                            ///< open at one time
  std::uint64_t processes = 4096;  ///< and threads of its user, as it starts another one; not for root
  friend bool operator==(const ProcessLimits&, const ProcessLimits&) = default;
};

/// Of all that a program writes to standard error, the first bytes, which are passed on; the rest is dropped.
inline constexpr std::uint64_t max_error_bytes = std::uint64_t{1} << 20;

/// Called in a child between fork and exec: the child becomes the keeper and forks once more. Only the new child
/// returns, with the limits and a standard error that the keeper reads. The keeper ends as the new child does, when it
/// gets SIGTERM, or when `parent` ends; in each case all descendants of it are killed first, those too that left their
/// process group or whose parent has ended. @return the process id of the keeper.
pid_t keep(const ProcessLimits& limits, pid_t parent);

}  // namespace ocs
