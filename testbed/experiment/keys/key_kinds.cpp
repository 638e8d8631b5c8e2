// Keys that not every kind of job has, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/key_kinds.hpp"

#include <algorithm>

namespace ocs {
namespace {

constexpr JobKindEntry entry_of(JobKind kind, std::string_view summary) { return {name_of(kind), kind, summary}; }

constexpr JobKindEntry kinds_of_job[] = {
    entry_of(JobKind::servers, "workers push to parameter servers and pull from them"),
    entry_of(JobKind::collective, "job.collective: workers exchange blocks without servers"),
    entry_of(JobKind::peers, "job.peers: workers send models to each other"),
    entry_of(JobKind::trace, "job.workload = \"coflow:FILE\": coflows of a trace"),
    entry_of(JobKind::phases,
             "job.workload = \"llm:MODEL?...\" or \"chakra:FILE.%d.et\": a training iteration, step by step"),
    entry_of(JobKind::jobs, "tables [[job]]: several jobs over time, each of its kind"),
};

/// A key, or a table with its dot, and the kinds that have it.
struct KeyOf {
  std::string_view key;
  JobKinds kinds;
};

constexpr JobKinds computing_kinds = kind_set(JobKind::servers, JobKind::collective, JobKind::peers, JobKind::jobs);
constexpr JobKinds repeating_kinds = computing_kinds | kind_set(JobKind::phases);

constexpr KeyOf keys_of_some_kinds[] = {
    {"job.workers", computing_kinds},
    {"job.servers", kind_set(JobKind::servers, JobKind::jobs)},
    {"job.colocated", kind_set(JobKind::servers, JobKind::jobs)},
    {"job.sync", kind_set(JobKind::servers, JobKind::jobs)},
    {"job.algorithm", kind_set(JobKind::collective, JobKind::jobs)},
    {"job.fusion", kind_set(JobKind::servers, JobKind::jobs)},
    {"job.slice", kind_set(JobKind::servers, JobKind::jobs)},
    {"job.overlap", kind_set(JobKind::servers, JobKind::jobs)},
    {"job.priorities", kind_set(JobKind::servers, JobKind::jobs)},
    {"job.server_load", kind_set(JobKind::servers, JobKind::jobs)},
    {"job.iterations", repeating_kinds},
    {"job.duration", repeating_kinds},
    {"job.compute", computing_kinds},
    {"compute.backward", kind_set(JobKind::servers, JobKind::jobs)},
    {"compute.published", computing_kinds},
    {"compute.trace", repeating_kinds},
    {"compute.factors", computing_kinds},
    {"compute.jitter", computing_kinds},
    {"compute.stragglers", computing_kinds},
    {"compute.fixed", repeating_kinds},
    {"compute.gradients", computing_kinds},
    {"collective.demand", kind_set(JobKind::collective, JobKind::jobs)},
    {"collective.chunks", kind_set(JobKind::collective, JobKind::jobs)},
    {"collective.preset", kind_set(JobKind::phases)},
    {"collective.", kind_set(JobKind::collective, JobKind::phases, JobKind::jobs)},
    {"learning.", computing_kinds},
    {"load.", kind_set(JobKind::servers, JobKind::jobs)},
    {"peers.", kind_set(JobKind::peers, JobKind::jobs)},
    {"sync.", kind_set(JobKind::servers, JobKind::jobs)},
    {"placer", kind_set(JobKind::servers, JobKind::jobs)},
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
    return its && (line.kinds & kind_set(kind)) == 0;
  });
}

}  // namespace ocs
