// The columns of a job, each said once.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/job_entry.hpp"

#include <algorithm>
#include <type_traits>

#include "testbed/results/columns.hpp"
#include "testbed/results/human.hpp"

namespace ocs {
namespace {

using JobType = JobColumn::Type;

Value column_value(std::int64_t number) { return number; }
Value column_value(double number) { return number; }
Value column_value(const std::string& text) { return text; }
Value column_value(Picos time) { return time.n; }
Value column_value(Bytes size) { return size.n; }
template <class T>
Value column_value(const std::optional<T>& value) {
  return value ? column_value(*value) : Value{std::monostate{}};
}

template <auto field>
Value of_job(const JobEntry& job) {
  return column_value(job.*field);
}

constexpr JobColumn columns_of_job[] = {
    {"job", JobType::whole, "number of the job, counted from 1 in the order of the arrivals", of_job<&JobEntry::job>},
    {"table", JobType::whole, "number of its table in the experiment, counted from 1", of_job<&JobEntry::table>},
    {"kind", JobType::text, "kind of job: servers, collective or peers", of_job<&JobEntry::kind>},
    {"workload", JobType::text, "its table of tensors", of_job<&JobEntry::workload>},
    {"scheme", JobType::text, "synchronisation scheme; of a collective, or of peers, its name",
     of_job<&JobEntry::scheme>},
    {"workers", JobType::whole, "number of workers", of_job<&JobEntry::workers>},
    {"nodes", JobType::whole, "number of nodes, servers included", of_job<&JobEntry::nodes>},
    {"first_node", JobType::whole, "port of its node 0", of_job<&JobEntry::first_node>},
    {"iterations", JobType::whole, "number of iterations that it was to have", of_job<&JobEntry::iterations>},
    {"arrival_ps", JobType::whole, "time of its arrival, ps", of_job<&JobEntry::arrival>},
    {"end_ps", JobType::whole, "time of its end, ps", of_job<&JobEntry::end>},
    {"slowdown", JobType::real, "its time / its time when it is alone, as planned on a dark switch",
     of_job<&JobEntry::slowdown>},
    {"pst_mean_ps", JobType::whole, "PST, mean over the iterations, ps; null where workers continue one by one",
     of_job<&JobEntry::pst_mean>},
    {"pst_min_ps", JobType::whole, "least PST of an iteration, ps", of_job<&JobEntry::pst_min>},
    {"pst_max_ps", JobType::whole, "largest PST of an iteration, ps", of_job<&JobEntry::pst_max>},
    {"iteration_mean_ps", JobType::whole, "time between two pushes of a worker, mean, ps; with one iteration its time",
     of_job<&JobEntry::iteration_mean>},
    {"iteration_p99_ps", JobType::whole, "99 % quantile of that (nearest rank), ps", of_job<&JobEntry::iteration_p99>},
    {"iteration_max_ps", JobType::whole, "largest of these, ps", of_job<&JobEntry::iteration_max>},
    {"blocked_mean_ps", JobType::whole, "time that workers waited for others, mean, ps; null for jobs of coflows alone",
     of_job<&JobEntry::blocked_mean>},
    {"blocked_p99_ps", JobType::whole, "99 % quantile of that, ps", of_job<&JobEntry::blocked_p99>},
    {"blocked_max_ps", JobType::whole, "largest of these, ps", of_job<&JobEntry::blocked_max>},
    {"updates", JobType::whole, "pushes that were applied", of_job<&JobEntry::updates>},
    {"bytes_delivered", JobType::whole, "bytes that arrived over the network, without padding",
     of_job<&JobEntry::bytes_delivered>},
    {"crc_errors", JobType::whole, "chunks that arrived with a wrong CRC-32C", of_job<&JobEntry::crc_errors>},
    {"sum_errors", JobType::whole, "parameters that workers received and that were wrong",
     of_job<&JobEntry::sum_errors>},
    {"retransmissions", JobType::whole, "transfers of words that had been lost", of_job<&JobEntry::retransmissions>},
    {"words_retransmitted", JobType::whole, "words of these transfers", of_job<&JobEntry::words_retransmitted>},
    {"accuracy", JobType::real, "accuracy of the last point of its curve of learning; null without real gradients",
     of_job<&JobEntry::accuracy>},
    {"loss", JobType::real, "loss of the last point", of_job<&JobEntry::loss>},
    {"time_to_accuracy_ps", JobType::whole, "time of the first point at or above its learning.target, ps",
     of_job<&JobEntry::to_target>},
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
