// Reads, multiplies, checks and places jobs.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/arrivals.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "host/core/error.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/splitmix.hpp"
#include "host/toml/toml.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_jobs = 100'000;
constexpr std::int64_t most_time = std::int64_t{1} << 60;  // ps
constexpr std::int64_t most_compute = 1'000'000'000'000'000;

/// One table [[job]].
class JobTable {
 public:
  JobTable(const toml::table& table, std::size_t number, const std::string& origin)
      : table_(table), who_("job " + std::to_string(number)), origin_(origin) {
    const std::vector<std::string> known = {"arrival",    "count",    "every",   "gaps",    "priority",
                                            "first_node", "workload", "workers", "servers", "colocated",
                                            "iterations", "compute",  "payload"};
    for (const auto& [name, node] : table)
      if (std::find(known.begin(), known.end(), name.str()) == known.end()) {
        const std::string like = nearest(name.str(), known);
        refuse(origin_,
               who_ + " has the unknown key " + in_quotes(name.str()) +
                   (like.empty() ? ", but the keys are " + joined(known) : "; did you mean " + in_quotes(like) + "?"));
      }
  }

  bool says(const std::string& key) const { return table_.contains(key); }
  [[noreturn]] void wrong(const char* key, const std::string& complaint) const {
    refuse(origin_, who_ + ": " + key + " " + complaint);
  }
  std::int64_t whole(const char* key, std::int64_t fallback, std::int64_t least, std::int64_t most) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return fallback;
    const auto* number = node->as_integer();
    if (number == nullptr || number->get() < least || number->get() > most)
      wrong(key, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return number->get();
  }
  std::string text(const char* key, const std::string& fallback) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return fallback;
    if (!node->is_string()) wrong(key, "must be text in quotes");
    return node->as_string()->get();
  }
  bool truth(const char* key, bool fallback) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return fallback;
    if (!node->is_boolean()) wrong(key, "must be true or false, without quotes");
    return node->as_boolean()->get();
  }
  Picos time(const char* key, Picos fallback, std::int64_t most) const {
    if (table_.get(key) == nullptr) return fallback;
    const std::string words = text(key, "");
    try {
      const std::int64_t amount = parse_quantity(words, Dimension::time);
      if (amount >= 0 && amount <= most) return {amount};
    } catch (const Error& failure) {
      wrong(key, "is " + in_quotes(words) + ", but " + failure.what());
    }
    wrong(key, "is " + in_quotes(words) + ", but must be from 0 ns to " + to_text(most, Dimension::time));
  }

 private:
  const toml::table& table_;
  std::string who_;
  const std::string& origin_;
};

using LoadWorkload = std::function<std::shared_ptr<const Workload>(const std::string&)>;
using FitCompute = std::function<void(JobSettings&)>;

void add_copies(const JobTable& table, Point& point, const LoadWorkload& load, const FitCompute& fit) {
  ArrivingJob one{.arrival = table.time("arrival", {}, most_time),
                  .priority = static_cast<std::int32_t>(table.whole("priority", 0, -1'000'000, 1'000'000)),
                  .first_node = static_cast<int>(table.whole("first_node", 0, 0, 255)),
                  .job = point.job};
  JobSettings& job = one.job;
  job.workload_name = table.text("workload", job.workload_name);
  if (names_trace(job.workload_name))
    table.wrong("workload", "is " + in_quotes(job.workload_name) +
                                ", but must be a table: `lightloop list workloads`, or \"file:PATH\"");
  job.workload = load(job.workload_name);
  job.workers = static_cast<int>(table.whole("workers", job.workers, 1, 255));
  job.servers = static_cast<int>(table.whole("servers", job.servers, 1, 255));
  job.colocated = table.truth("colocated", job.colocated);
  job.iterations = static_cast<int>(table.whole("iterations", job.iterations, 1, 1'000'000));
  job.compute = table.time("compute", job.compute, most_compute);
  job.payload = table.text("payload", job.payload);
  if (job.payload != "full" && job.payload != "digest" && job.payload != "none")
    table.wrong("payload", "is " + in_quotes(job.payload) + ", but must be full, digest or none");
  if (table.says("compute") && !(job.trace.empty() && job.published.empty()))
    table.wrong("compute", "can't be said with compute.trace or compute.published, which say the times of all jobs");
  fit(job);
  const std::int64_t count = table.whole("count", 1, 1, most_jobs);
  const Picos every = table.time("every", {}, most_time / count);
  const std::string gaps = table.text("gaps", "equal");
  if (gaps != "equal" && gaps != "drawn") table.wrong("gaps", "is " + in_quotes(gaps) + ", but must be equal or drawn");
  if (gaps == "drawn") point.gaps_drawn = true;
  const int nodes = job.workers + (job.colocated ? 0 : job.servers);
  std::uint64_t state = point.seed + point.jobs.size();
  for (std::int64_t k = 0; k < count; ++k) {
    if (static_cast<std::int64_t>(point.jobs.size()) == most_jobs)
      table.wrong("count", "makes more than " + std::to_string(most_jobs) + " jobs, the most allowed");
    one.first_node %= point.fabric.ports;
    point.jobs.push_back(one);
    one.first_node += nodes;
    const auto twice = static_cast<std::uint64_t>(every.n) * 2 + 1;
    one.arrival += gaps == "equal" ? every : Picos{static_cast<std::int64_t>(splitmix64(state) % twice)};
  }
}

/// All tables of the jobs as one.
std::shared_ptr<const Workload> together(const std::vector<ArrivingJob>& jobs) {
  Workload all{.name = "jobs", .tensors = {}, .total = {}};
  std::set<std::string> names;
  for (const ArrivingJob& job : jobs) {
    if (!names.insert(job.job.workload_name).second) continue;
    all.tensors.insert(all.tensors.end(), job.job.workload->tensors.begin(), job.job.workload->tensors.end());
    all.total += job.job.workload->total;
  }
  return std::make_shared<const Workload>(std::move(all));
}

}  // namespace

void read_jobs(Point& point, const Origins& origins, const Names& names,
               const std::function<std::shared_ptr<const Workload>(const std::string&)>& table) {
  const std::string origin = origin_of(origins, {"jobs"});
  if (point.trace) refuse(origin, "there are jobs and a trace of coflows, but a row must have either");
  toml::table parsed;
  try {
    parsed = parse_toml("jobs = " + point.jobs_text);
  } catch (const toml::parse_error& failure) {
    refuse(origin, "jobs is " + in_quotes(point.jobs_text) +
                       ", but must be a list of tables: " + in_quotes(std::string(failure.description())));
  }
  const toml::array* list = parsed.size() == 1 ? parsed.get("jobs")->as_array() : nullptr;
  if (list == nullptr || list->empty() || !list->is_array_of_tables())
    refuse(origin, "jobs is " + in_quotes(point.jobs_text) + ", but must be a list of tables, or tables [[job]]");
  point.said_by_all_jobs = {"workload", "workers", "servers", "colocated", "iterations", "compute", "payload"};
  for (std::size_t k = 0; k < list->size(); ++k) {
    const JobTable job(*list->get(k)->as_table(), k + 1, origin);
    std::erase_if(point.said_by_all_jobs, [&](const std::string& key) { return !job.says(key); });
    add_copies(job, point, table, [&](JobSettings& one) { fit_compute(one, point.seed, names, origins); });
  }
  std::stable_sort(point.jobs.begin(), point.jobs.end(),
                   [](const ArrivingJob& a, const ArrivingJob& b) { return a.arrival < b.arrival; });
  point.job.workload = together(point.jobs);
}

std::shared_ptr<const Workload> trace_as_table(const CoflowTrace& trace) {
  Workload table{.name = trace.name, .tensors = {}, .total = {}};
  for (const TraceCoflow& coflow : trace.coflows) {
    std::string line = std::to_string(coflow.id) + " " + std::to_string(coflow.arrival.n);
    for (const std::uint16_t mapper : coflow.mappers) line += " " + std::to_string(mapper);
    std::int64_t bytes = 0;
    for (const TraceCoflow::Reducer& reducer : coflow.reducers)
      line += " " + std::to_string(reducer.port) + ":" + std::to_string(reducer.bytes.n);
    for (const TraceFlow& flow : flows_of(coflow)) bytes += flow.bytes.n;
    table.tensors.push_back({std::move(line), {}, bytes, Bytes{bytes}});
    table.total += Bytes{bytes};
  }
  return std::make_shared<const Workload>(std::move(table));
}

bool all_have_nodes(const Point& point) {
  return point.nodes.transport != "inproc" || point.nodes.control_latency.n > 0;
}

int arriving_nodes(const Point& point) {
  return static_cast<int>(nodes_of(work_of(point), all_have_nodes(point)).size());
}

namespace {

std::vector<CoflowPart> parts_of(const std::vector<Flow>& flows, int first_node, int ports) {
  std::vector<CoflowPart> parts;
  for (const Flow& flow : flows) {
    const auto port = [&](std::size_t node) {
      return static_cast<std::uint16_t>((node + static_cast<std::size_t>(first_node)) %
                                        static_cast<std::size_t>(ports));
    };
    const Words words{flow.length.n / flow.word.n};
    if (words.n > (std::int64_t{1} << 32) - 1)
      throw Error(ErrorKind::input, "a job has a transfer of " + std::to_string(words.n) +
                                        " words, but must have less than 2^32 in each");
    if (words.n > 0) parts.push_back({port(index(flow.in)), port(flow.outs._Find_first()), words});
  }
  return parts;
}

/// A job as if nothing else came: its node v has the port (first_node + v) mod ports, and the rate of that.
Point alone_of(const Point& point, const ArrivingJob& one) {
  Point alone = point;
  alone.jobs.clear();
  alone.job = one.job;
  const std::vector<Cycles>& of_port = point.nodes.word_cycles;
  if (of_port.empty()) return alone;
  alone.nodes.word_cycles.clear();
  for (int v = 0; v < alone.node_count(); ++v)
    alone.nodes.word_cycles.push_back(of_port[static_cast<std::size_t>(one.first_node + v) % of_port.size()]);
  return alone;
}

/// What a job computes before each push: as long as its slowest worker. @param place among the jobs: each draws times
/// of its own
std::vector<Cycles> compute_times(const JobSettings& job, std::size_t place, Picos cycle) {
  ComputeModel model = job.compute_model;
  if (!model.varies()) return {to_cycles(model.base + job.compute_fixed, cycle)};
  model.seed += place;
  std::vector<Cycles> times;
  for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(job.iterations); ++k) {
    Picos slowest{0};
    for (std::size_t w = 0; w < static_cast<std::size_t>(job.workers); ++w)
      slowest = std::max(slowest, model.time(w, k));
    times.push_back(to_cycles(slowest + job.compute_fixed, cycle));
  }
  return times;
}

}  // namespace

std::string arriving_payload(const Point& point) {
  if (point.trace) return point.job.payload;
  for (const ArrivingJob& one : point.jobs)
    if (one.job.payload != "none") return one.job.payload;
  return "none";
}

std::vector<Work> work_of(const Point& point) {
  if (point.trace) {
    std::vector<Work> works = work_of(*point.trace, point.fabric.cycle, point.fabric.word);
    for (Work& work : works) work.payload = point.job.payload != "none";
    return works;
  }
  std::vector<Work> works;
  struct Traffic {
    const ArrivingJob* one;
    std::vector<Flow> push, pull;
  };
  const bool equal_rates = point.nodes.word_cycles.empty();
  std::vector<Traffic> known;  // copies of a job are placed once
  for (std::size_t k = 0; k < point.jobs.size(); ++k) {
    const ArrivingJob& one = point.jobs[k];
    auto traffic = std::find_if(known.begin(), known.end(), [&](const Traffic& t) {
      return t.one->job == one.job && (equal_rates || t.one->first_node == one.first_node);
    });
    if (traffic == known.end()) {
      const PreparedJob prepared = prepare(alone_of(point, one));
      traffic = known.insert(
          known.end(), {&one, push_flows(prepared.job, prepared.padded), pull_flows(prepared.job, prepared.padded)});
    }
    works.push_back({.number = static_cast<std::int64_t>(k),
                     .priority = one.priority,
                     .arrival = to_cycles(one.arrival, point.fabric.cycle),
                     .compute = compute_times(one.job, k, point.fabric.cycle),
                     .iterations = one.job.iterations,
                     .push = parts_of(traffic->push, one.first_node, point.fabric.ports),
                     .pull = parts_of(traffic->pull, one.first_node, point.fabric.ports),
                     .payload = one.job.payload != "none"});
  }
  return works;
}

}  // namespace ocs
