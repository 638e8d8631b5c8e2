// The one collective of a point whose workload has phases.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/phased_keys.hpp"

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "testbed/chakra/chakra_workload.hpp"
#include "testbed/experiment/files/phases_file.hpp"
#include "testbed/experiment/fit/without_servers.hpp"
#include "testbed/llm/llm_settings.hpp"
#include "testbed/llm/llm_workload.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

bool was_said(const Origins& origins, const std::string& key) {
  const auto origin = origins.find(key);
  return origin != origins.end() && origin->second != "default";
}

constexpr Condition graph_conditions[] = {
    {"collective.reconfigure", [](const Point& p) { return p.job.reconfigure == "scheduler"; }, "\"scheduler\""},
    {"fabric.outages", [](const Point& p) { return p.fabric.outages.empty(); }, "\"\""},
    {"control.mode", [](const Point& p) { return p.control.mode == "confirmed"; }, "\"confirmed\""},
    {"nodes.deaths", [](const Point& p) { return p.job.deaths.empty(); }, "\"\""},
    {"nodes.expect", [](const Point& p) { return p.nodes.expect == 0; }, "0"},
};

PhasedInput load_chakra_input(std::string_view name, const std::filesystem::path& base) {
  const ChakraInput input = load_chakra(name.substr(chakra_prefix.size()), base);
  ChakraGraph graph = make_chakra_graph(input.traces, input.groups);
  const Workload table{std::string(name), {{"graph " + graph.hash, {1}, 1, Bytes{4}}}, Bytes{4}};
  return {std::make_shared<const ChakraWorkload>(std::move(graph)), std::make_shared<const Workload>(table)};
}

/// Another text is another workload.
PhasedInput load_phases_input(std::string_view name, const std::filesystem::path& base) {
  PhasesFile file = load_phases(name, base);
  Fnv1a hash;
  hash.add(file.text);
  const Workload table{std::string(name), {{"phases " + hash.hex(), {1}, 1, Bytes{4}}}, Bytes{4}};
  return {std::move(file.phases), std::make_shared<const Workload>(table)};
}

}  // namespace

bool names_phases(std::string_view workload) {
  return workload.starts_with(llm_prefix) || workload.starts_with(chakra_prefix) || workload.starts_with(phases_prefix);
}

std::shared_ptr<const ChakraGraph> graph_of(const Point& point) {
  if (!point.phased) return nullptr;
  const auto* chakra = dynamic_cast<const ChakraWorkload*>(point.phased->phases.get());
  return chakra == nullptr ? nullptr : chakra->graph();
}

void check_graph(const Point& point, const Origins& origins) {
  check_without_servers(point, origins, "job.workload", point.job.workload_name, graph_conditions);
}

PhasedInput load_phased_input(std::string_view name, const std::filesystem::path& base) {
  if (name.starts_with(chakra_prefix)) return load_chakra_input(name, base);
  if (name.starts_with(phases_prefix)) return load_phases_input(name, base);
  LlmSettings settings = load_llm(name, base);
  Workload table = llm_table(settings.model, name);
  if (!settings.times.empty()) {  // another table of times is another workload
    Fnv1a hash;
    for (const auto& [forward, backward] : settings.times)
      hash.add(static_cast<std::uint64_t>(forward.n), 8), hash.add(static_cast<std::uint64_t>(backward.n), 8);
    table.tensors.back().name += "; times " + hash.hex();
  }
  return {make_llm_workload(std::move(settings)), std::make_shared<const Workload>(std::move(table))};
}

void adopt_phases(Point& point, std::shared_ptr<const PhasedInput> input, const Origins& origins) {
  const std::string workload = "job.workload is " + in_quotes(point.job.workload_name);
  const auto refuse_kind = [&](const char* key, const std::string& value) {
    if (value != "none")
      refuse(origin_of(origins, {key, "job.workload"}),
             key + (" is " + in_quotes(value)) + ", but must be \"none\" where the workload says its phases");
  };
  refuse_kind("job.collective", point.job.collective);
  refuse_kind("job.peers", point.job.peers);
  if (input->phases->nodes() > point.fabric.ports)
    refuse(
        origin_of(origins, {"job.workload", "fabric.ports"}),
        workload + ", which has " + std::to_string(input->phases->nodes()) +
            (point.job.workload_name.starts_with(llm_prefix) ? " nodes (dp * tp * pp without what stays inside a node)"
                                                             : " ranks") +
            ", but must have at most " + std::to_string(point.fabric.ports) + ", which is fabric.ports");
  if (input->phases->changes() && point.job.duration.n > 0)
    refuse(origin_of(origins, {"job.duration", "job.workload"}),
           "job.duration must be \"0 s\" where the traffic of each iteration is drawn: job.iterations says how many");
  if (!was_said(origins, "job.payload")) point.job.payload = "none";
  if (point.job.payload != "none" && point.job.workload_name.starts_with(chakra_prefix))
    refuse(origin_of(origins, {"job.payload", "job.workload"}),
           "job.payload is " + in_quotes(point.job.payload) +
               ", but must be \"none\" with Chakra traces, which don't say what their messages are made of");
  point.job.collective = phases_name;
  point.job.workers = input->phases->nodes();
  point.job.compute = {0};
  point.job.published.clear();
  if (point.job.workload_name.starts_with(chakra_prefix)) point.job.compute_fixed = {0}, point.job.trace.clear();
  point.job.workload = input->table;
  point.phased = std::move(input);
}

PhasedLegs phased_legs(const Point& point, std::uint32_t iteration, std::int64_t lag) {
  const PhaseUnits units{point.fabric.word.n, point.fabric.cycle, point.seed};
  const PhasedIteration one = point.phased->phases->iteration(iteration, units);
  if (one.phases.empty()) throw Error(ErrorKind::input, "must have traffic that crosses the switch");
  const auto nodes = static_cast<std::uint32_t>(point.phased->phases->nodes());
  PhasedLegs legs{legs_of(one.phases, nodes, lag), one.tail};
  if (point.job.payload != "none") legs.lists = lists_of(one.phases, nodes);
  return legs;
}

}  // namespace ocs
