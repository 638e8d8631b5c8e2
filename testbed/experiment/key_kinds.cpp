// Keys that not every kind of job has, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/key_kinds.hpp"

#include <algorithm>

namespace ocs {
namespace {

constexpr JobKindEntry kinds_of_job[] = {
    {"servers", JobKind::servers, "workers push to parameter servers and pull from them"},
    {"collective", JobKind::collective, "job.collective: workers exchange blocks without servers"},
    {"peers", JobKind::peers, "job.peers: workers send models to each other"},
    {"trace", JobKind::trace, "job.workload = \"coflow:FILE\": coflows of a trace"},
    {"phases", JobKind::phases,
     "job.workload = \"llm:MODEL?...\" or \"chakra:FILE.%d.et\": a training iteration, step by step"},
    {"jobs", JobKind::jobs, "tables [[job]]: several jobs over time, each of its kind"},
};

/// A key, or a table with its dot, and the kinds that have it.
struct KeyOf {
  std::string_view key;
  unsigned kinds;
};

constexpr unsigned mask_of(JobKind kind) { return 1U << static_cast<unsigned>(kind); }
template <class... Kinds>
constexpr unsigned mask_of(JobKind first, Kinds... others) {
  return mask_of(first) | mask_of(others...);
}
constexpr unsigned computing_kinds = mask_of(JobKind::servers, JobKind::collective, JobKind::peers, JobKind::jobs);
constexpr unsigned repeating_kinds = computing_kinds | mask_of(JobKind::phases);

constexpr KeyOf keys_of_some_kinds[] = {
    {"job.workers", computing_kinds},
    {"job.servers", mask_of(JobKind::servers, JobKind::jobs)},
    {"job.colocated", mask_of(JobKind::servers, JobKind::jobs)},
    {"job.sync", mask_of(JobKind::servers, JobKind::jobs)},
    {"job.algorithm", mask_of(JobKind::collective, JobKind::jobs)},
    {"job.fusion", mask_of(JobKind::servers, JobKind::jobs)},
    {"job.slice", mask_of(JobKind::servers, JobKind::jobs)},
    {"job.overlap", mask_of(JobKind::servers, JobKind::jobs)},
    {"job.priorities", mask_of(JobKind::servers, JobKind::jobs)},
    {"job.server_load", mask_of(JobKind::servers, JobKind::jobs)},
    {"job.iterations", repeating_kinds},
    {"job.duration", repeating_kinds},
    {"job.compute", computing_kinds},
    {"compute.backward", mask_of(JobKind::servers, JobKind::jobs)},
    {"compute.published", computing_kinds},
    {"compute.trace", repeating_kinds},
    {"compute.factors", computing_kinds},
    {"compute.jitter", computing_kinds},
    {"compute.stragglers", computing_kinds},
    {"compute.fixed", repeating_kinds},
    {"compute.gradients", mask_of(JobKind::servers, JobKind::peers, JobKind::jobs)},
    {"collective.demand", mask_of(JobKind::collective, JobKind::jobs)},
    {"collective.chunks", mask_of(JobKind::collective, JobKind::jobs)},
    {"collective.preset", mask_of(JobKind::phases)},
    {"collective.", mask_of(JobKind::collective, JobKind::phases, JobKind::jobs)},
    {"control.guard", mask_of(JobKind::servers, JobKind::collective, JobKind::phases)},
    {"nodes.clock_offset", mask_of(JobKind::servers, JobKind::collective, JobKind::phases)},
    {"nodes.clock_spread", mask_of(JobKind::servers, JobKind::collective, JobKind::phases)},
    {"learning.", mask_of(JobKind::servers, JobKind::peers, JobKind::jobs)},
    {"load.", mask_of(JobKind::servers, JobKind::jobs)},
    {"peers.", mask_of(JobKind::peers, JobKind::jobs)},
    {"sync.", mask_of(JobKind::servers, JobKind::jobs)},
    {"placer", mask_of(JobKind::servers, JobKind::jobs)},
};

}  // namespace

std::span<const JobKindEntry> job_kinds() { return kinds_of_job; }

JobKind kind_of(const JobSettings& job) {
  if (job.peers != "none") return JobKind::peers;
  return job.collective != "none" ? JobKind::collective : JobKind::servers;
}

JobKind kind_of(const Point& point) {
  if (point.trace) return JobKind::trace;
  if (point.phased) return JobKind::phases;
  if (!point.jobs.empty()) return JobKind::jobs;
  return kind_of(point.job);
}

bool has_key(JobKind kind, std::string_view key) {
  return std::ranges::none_of(keys_of_some_kinds, [&](const KeyOf& line) {
    const bool its = line.key.ends_with('.') ? key.starts_with(line.key) : key == line.key;
    return its && (line.kinds & mask_of(kind)) == 0;
  });
}

}  // namespace ocs
