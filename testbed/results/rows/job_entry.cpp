// The columns of a job, each said once.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/rows/job_entry.hpp"

#include <algorithm>

#include "testbed/results/text/columns.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

using Type = ColumnType;

template <auto field, Presence presence = Presence{}>
constexpr ColumnValue<JobEntry> of_job{presence, [](const JobEntry& job) { return column_value(job.*field); }};

template <auto field>
constexpr ColumnValue<JobEntry> pst_of_job =
    of_job<field,
           Presence{.kinds = kind_set(JobKind::servers), .features = feature_set(RunFeature::phases), .or_null = true}>;

template <auto field, bool or_null = false>
constexpr ColumnValue<JobEntry> of_whole_job =
    of_job<field, Presence{.features = feature_set(RunFeature::whole_jobs), .or_null = or_null}>;

template <auto field, bool or_null = false>
constexpr ColumnValue<JobEntry> learned_by_job =
    of_job<field, Presence{.kinds = kind_set(JobKind::servers, JobKind::collective, JobKind::peers),
                           .features = feature_set(RunFeature::real_gradients),
                           .or_null = or_null}>;

constexpr JobColumn columns_of_job[] = {
    {"job", Type::whole, "", "number of the job, counted from 1 in the order of the arrivals", of_job<&JobEntry::job>},
    {"table", Type::whole, "", "number of its table in the experiment, counted from 1", of_job<&JobEntry::table>},
    {"kind", Type::text, "", "kind of job: servers, collective or peers", of_job<&JobEntry::kind>},
    {"workload", Type::text, "", "its table of tensors", of_job<&JobEntry::workload>},
    {"scheme", Type::text, "", "synchronisation scheme; of a collective, or of peers, its name",
     of_job<&JobEntry::scheme>},
    {"workers", Type::whole, "", "number of workers", of_job<&JobEntry::workers>},
    {"nodes", Type::whole, "", "number of nodes, servers included", of_job<&JobEntry::nodes>},
    {"first_node", Type::whole, "", "port of its node 0", of_job<&JobEntry::first_node>},
    {"iterations", Type::whole, "", "number of iterations that it was to have", of_job<&JobEntry::iterations>},
    {"arrival_ps", Type::whole, "ps", "time of its arrival", of_job<&JobEntry::arrival>},
    {"end_ps", Type::whole, "ps", "time of its end", of_job<&JobEntry::end>},
    {"slowdown", Type::real, "", "its time / its time when it is alone, as planned on a dark switch; null if that is 0",
     of_job<&JobEntry::slowdown, Presence{.or_null = true}>},
    {"pst_mean_ps", Type::whole, "ps", "PST, mean over the iterations; null if nothing crossed the network",
     pst_of_job<&JobEntry::pst_mean>},
    {"pst_min_ps", Type::whole, "ps", "least PST of an iteration", pst_of_job<&JobEntry::pst_min>},
    {"pst_max_ps", Type::whole, "ps", "largest PST of an iteration", pst_of_job<&JobEntry::pst_max>},
    {"iteration_mean_ps", Type::whole, "ps",
     "time between two pushes of a worker, mean; with one iteration its time; null if nothing was pushed",
     of_job<&JobEntry::iteration_mean, Presence{.or_null = true}>},
    {"iteration_p99_ps", Type::whole, "ps", "99 % quantile of that (nearest rank)",
     of_whole_job<&JobEntry::iteration_p99, true>},
    {"iteration_max_ps", Type::whole, "ps", "largest of these", of_whole_job<&JobEntry::iteration_max, true>},
    {"blocked_mean_ps", Type::whole, "ps", "time that workers waited for others, mean; null if no wait was measured",
     of_whole_job<&JobEntry::blocked_mean, true>},
    {"blocked_p99_ps", Type::whole, "ps", "99 % quantile of that", of_whole_job<&JobEntry::blocked_p99, true>},
    {"blocked_max_ps", Type::whole, "ps", "largest of these", of_whole_job<&JobEntry::blocked_max, true>},
    {"updates", Type::whole, "", "pushes that were applied", of_whole_job<&JobEntry::updates>},
    {"bytes_delivered", Type::whole, "B", "bytes that arrived over the network, without padding",
     of_job<&JobEntry::bytes_delivered>},
    {"crc_errors", Type::whole, "", "chunks that arrived with a wrong CRC-32C", of_job<&JobEntry::crc_errors>},
    {"sum_errors", Type::whole, "", "parameters that workers received and that were wrong",
     of_job<&JobEntry::sum_errors>},
    {"retransmissions", Type::whole, "", "transfers of words that had been lost", of_job<&JobEntry::retransmissions>},
    {"words_retransmitted", Type::whole, "words", "words of these transfers", of_job<&JobEntry::words_retransmitted>},
    {"accuracy", Type::real, "", "accuracy of the last point of its curve of learning",
     learned_by_job<&JobEntry::accuracy>},
    {"loss", Type::real, "", "loss of the last point", learned_by_job<&JobEntry::loss>},
    {"time_to_accuracy_ps", Type::whole, "ps",
     "time of the first point at or above its learning.target; null if there is none",
     learned_by_job<&JobEntry::to_target, true>},
};

std::string time_text(const std::optional<Picos>& time) { return time ? human_time(*time) : "-"; }

struct JobCell {
  const char* heading;
  std::string (*text)(const JobEntry&);
};

constexpr JobCell job_cells[] = {
    {"kind", [](const JobEntry& j) { return j.kind; }},
    {"scheme", [](const JobEntry& j) { return j.scheme; }},
    {"workload", [](const JobEntry& j) { return j.workload; }},
    {"nodes", [](const JobEntry& j) { return std::to_string(j.nodes); }},
    {"from", [](const JobEntry& j) { return std::to_string(j.first_node); }},
    {"arrival", [](const JobEntry& j) { return human_time(j.arrival); }},
    {"end", [](const JobEntry& j) { return human_time(j.end); }},
    {"slowdown", [](const JobEntry& j) { return j.slowdown ? human_ratio(*j.slowdown) : "-"; }},
    {"iteration", [](const JobEntry& j) { return time_text(j.iteration_mean); }},
    {"PST mean", [](const JobEntry& j) { return time_text(j.pst_mean); }},
    {"blocked", [](const JobEntry& j) { return time_text(j.blocked_mean); }},
    {"accuracy", [](const JobEntry& j) { return j.accuracy ? human_percent(*j.accuracy) : "-"; }},
    {"CRC errors", [](const JobEntry& j) { return human_count(j.crc_errors); }},
    {"sum errors", [](const JobEntry& j) { return human_count(j.sum_errors); }},
};

}  // namespace

std::span<const JobColumn> job_columns() { return columns_of_job; }

std::vector<JobFields> to_fields(std::span<const JobEntry> jobs) {
  std::vector<JobFields> all;
  for (const JobEntry& job : jobs) {
    JobFields& one = all.emplace_back();
    for (const JobColumn& column : columns_of_job) one.fields.emplace_back(column.name, column.value(job));
    one.curve = job.curve;
  }
  return all;
}

void print_jobs(std::ostream& out, std::span<const JobEntry> jobs, int width, std::size_t most) {
  if (jobs.empty()) return;
  const auto shown = jobs.first(std::min(most, jobs.size()));
  std::vector<TextColumn> left = {{"job", {}}}, right;
  for (const JobEntry& job : shown) left.front().cells.push_back(std::to_string(job.job));
  for (const JobCell& cell : job_cells) {
    TextColumn& column = right.emplace_back(TextColumn{cell.heading, {}});
    for (const JobEntry& job : shown) column.cells.push_back(cell.text(job));
  }
  print_columns(out, left, right, width);
  if (shown.size() < jobs.size())
    out << "and " << counted(static_cast<std::int64_t>(jobs.size() - shown.size()), "more job")
        << ", which --json and --db keep\n";
}

}  // namespace ocs
