// Kinds of job, and which keys each of them has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "testbed/experiment/experiment.hpp"
#include "testbed/results/rows/job_kind.hpp"

namespace ocs {

/// A kind as `lightloop list keys --for` names it.
struct JobKindEntry {
  std::string_view name;
  JobKind kind;
  std::string_view summary;
};

std::span<const JobKindEntry> job_kinds();

/// The kind of a job by itself.
JobKind kind_of(const JobSettings& job);

/// The kind of job that a point runs.
JobKind kind_of(const Point& point);

/// Whether a key means anything to a kind of job. What another kind has is refused or warned of.
bool has_key(JobKind kind, std::string_view key);

}  // namespace ocs
