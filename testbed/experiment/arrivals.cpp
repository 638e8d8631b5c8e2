// Reads, multiplies, checks and places jobs.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/arrivals.hpp"

#include <algorithm>

#include "host/controller/transfers/flow_limit.hpp"
#include "host/core/error.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "testbed/experiment/keys/key_kinds.hpp"
#include "testbed/experiment/prepare.hpp"

namespace ocs {

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
    if (words.n > max_flow_words)
      throw Error(ErrorKind::input, "a job has a transfer of " + std::to_string(words.n) +
                                        " words, but must have less than 2^32 in each");
    if (words.n > 0) parts.push_back({port(index(flow.in)), port(flow.outs._Find_first()), words});
  }
  return parts;
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

bool is_coflows(const JobSettings& job) {
  return kind_of(job) == JobKind::servers && !is_eager(job) && job.slicing == SliceRule{} && !job.overlap.wait_free &&
         !job.overlap.by_layer && job.server_load == "placed" && job.duration.n == 0 && !job.real_gradients;
}

Point without_jobs(Point point) {
  point.beside_others = point.jobs.size() > 1;
  point.jobs.clear();
  point.jobs_text.clear();
  point.whole_jobs = false;
  return point;
}

Point alone_of(const Point& point, std::size_t place) {
  return alone_of(without_jobs(point), point.jobs[place], place);
}

Point alone_of(const Point& point, const ArrivingJob& one, std::size_t place) {
  const int ports = point.fabric.ports;
  Point alone = point;
  alone.job = one.job;
  if (alone.job.compute_model.varies()) alone.job.compute_model.seed += place;
  const int nodes = alone.node_count();
  const std::vector<Cycles>& of_port = point.nodes.word_cycles;
  alone.nodes.word_cycles.clear();
  for (int v = 0; v < nodes && !of_port.empty(); ++v)
    alone.nodes.word_cycles.push_back(of_port[static_cast<std::size_t>(one.first_node + v) % of_port.size()]);
  alone.job.deaths.clear();
  for (const NodeDeath& death : point.job.deaths)
    if (const int v = (index(death.node) + ports - one.first_node) % ports; v < nodes)
      alone.job.deaths.push_back({static_cast<Node>(v), death.at, death.node});
  return alone;
}

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
      const PreparedJob prepared = prepare(alone_of(point, k));
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
