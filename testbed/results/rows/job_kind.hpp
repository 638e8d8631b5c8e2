// Kinds of job by name, and sets of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ocs {

enum class JobKind : std::uint8_t { servers, collective, peers, trace, phases, jobs };

inline constexpr std::array<std::string_view, 6> job_kind_names{"servers", "collective", "peers",
                                                                "trace",   "phases",     "jobs"};

constexpr std::string_view name_of(JobKind kind) { return job_kind_names[static_cast<std::size_t>(kind)]; }

/// A bit for each kind.
using JobKinds = unsigned;

template <class... Kinds>
constexpr JobKinds kind_set(Kinds... kinds) {
  return ((1U << static_cast<unsigned>(kinds)) | ...);
}

inline constexpr JobKinds all_job_kinds = (1U << job_kind_names.size()) - 1;

}  // namespace ocs
