// The columns of a result row, each said once.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/row.hpp"

#include <cinttypes>
#include <cstdio>
#include <tuple>
#include <type_traits>

namespace ocs {
namespace {

using Type = Column::Type;

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

std::int64_t whole(std::uint64_t n) { return static_cast<std::int64_t>(n); }

Value whole_or_null(const std::optional<Picos>& time) { return time ? Value{time->n} : Value{std::monostate{}}; }

/// What is known of one job on one switch alone.
Value alone_or_null(const Row& row, Picos time) {
  return row.arrivals || row.planes > 1 || row.eager ? Value{std::monostate{}} : Value{time.n};
}

Value pst_or_null(const Row& row, Picos pst) {
  return row.arrivals || row.eager ? Value{std::monostate{}} : Value{pst.n};
}

/// Of a row that has such results; null in others.
template <auto results, auto field>
Value of_results(const Row& row) {
  if (!(row.*results)) return std::monostate{};
  const auto value = (*(row.*results)).*field;
  using Kept = std::remove_const_t<decltype(value)>;
  if constexpr (std::is_same_v<Kept, Picos> || std::is_same_v<Kept, Bytes>)
    return value.n;
  else
    return value;
}

template <auto field>
Value arrival(const Row& row) {
  return of_results<&Row::arrivals, field>(row);
}

/// Where the times of coflows are known.
template <auto field>
Value coflow(const Row& row) {
  return row.arrivals && row.arrivals->by_coflow ? arrival<field>(row) : Value{std::monostate{}};
}

template <auto field>
Value scheme(const Row& row) {
  return of_results<&Row::schemes, field>(row);
}

template <auto field>
Value command(const Row& row) {
  return of_results<&Row::commands, field>(row);
}

template <auto field>
Value load(const Row& row) {
  return of_results<&Row::load, field>(row);
}

template <auto field>
Value learned(const Row& row) {
  if (!row.learning) return std::monostate{};
  const auto& value = (*row.learning).*field;
  using Kept = std::remove_cvref_t<decltype(value)>;
  if constexpr (std::is_same_v<Kept, std::optional<Picos>>)
    return whole_or_null(value);
  else if constexpr (std::is_same_v<Kept, std::optional<std::int64_t>>)
    return value ? Value{*value} : Value{std::monostate{}};
  else
    return value;
}

template <auto field>
Value requested(const Row& row) {
  return (row.requested.*field).n;
}

using Came = ArrivalResults;
using Scheme = SchemeResults;

Value hash_text(const Row& row) {
  if (!row.event_log_hash) return std::monostate{};
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, *row.event_log_hash);
  return std::string(text);
}

constexpr Column columns[] = {
    {"policy", Type::text, "policy, which places servers and selects the circuit scheduler",
     [](const Row& r) -> Value { return r.policy; }},
    {"scheduler", Type::text, "circuit scheduler that planned", [](const Row& r) -> Value { return r.scheduler; }},
    {"placer", Type::text, "placer of the policy", [](const Row& r) -> Value { return r.placer; }},
    {"device", Type::text, "implementation of the switch", [](const Row& r) -> Value { return r.device; }},
    {"seed", Type::whole, "seed of all random draws", [](const Row& r) -> Value { return whole(r.seed); }},
    {"workload", Type::text, "table of tensors, or trace", [](const Row& r) -> Value { return r.workload; }},
    {"workers", Type::whole, "number of nodes that train",
     [](const Row& r) -> Value { return std::int64_t{r.workers}; }},
    {"servers", Type::whole, "number of parameter servers; 0 with a collective and with peers",
     [](const Row& r) -> Value { return std::int64_t{r.servers}; }},
    {"delta_ps", Type::whole, "reconfiguration delay as the device used it: tuning + locking in whole cycles, ps",
     [](const Row& r) -> Value { return r.delta.n; }},
    {"rate_bps", Type::whole, "rate of every port, bit/s", [](const Row& r) -> Value { return r.rate_bps; }},
    {"iterations", Type::whole, "number of synchronisations",
     [](const Row& r) -> Value { return std::int64_t{r.iterations}; }},
    {"payload", Type::text, "payload mode: full, digest or none", [](const Row& r) -> Value { return r.payload; }},
    {"pst_mean_ps", Type::whole,
     "parameter synchronisation time (PST), mean over the iterations, ps; this and the next two columns are null "
     "for jobs that arrive over time, and where workers continue one by one",
     [](const Row& r) -> Value { return pst_or_null(r, r.pst_mean); }},
    {"pst_min_ps", Type::whole, "least PST of an iteration, ps",
     [](const Row& r) -> Value { return pst_or_null(r, r.pst_min); }},
    {"pst_max_ps", Type::whole, "largest PST of an iteration, ps",
     [](const Row& r) -> Value { return pst_or_null(r, r.pst_max); }},
    {"bound_ps", Type::whole,
     "lower bound of the PST by the port bounds of push and pull, mean over the iterations, ps",
     [](const Row& r) -> Value { return r.bound.n; }},
    {"reconfigurations", Type::whole, "circuits that were set up: sum of the counters TUNINGS of all outputs",
     [](const Row& r) -> Value { return r.reconfigurations; }},
    {"dark_port_cycles", Type::whole, "cycles in which outputs were dark: sum of the counters DARK of all outputs",
     [](const Row& r) -> Value { return r.dark_port_cycles; }},
    {"words_passed", Type::whole, "words that outputs passed: sum of the counters PASSED",
     [](const Row& r) -> Value { return r.words_passed; }},
    {"words_lost", Type::whole, "words lost at dark outputs: sum of the counters LOST",
     [](const Row& r) -> Value { return r.words_lost; }},
    {"words_unrouted", Type::whole, "words that no output selected: sum of the counters UNROUTED",
     [](const Row& r) -> Value { return r.words_unrouted; }},
    {"crc_errors", Type::whole, "chunks that arrived with a wrong CRC-32C",
     [](const Row& r) -> Value { return r.crc_errors; }},
    {"cycles", Type::whole, "cycles that the device simulated", [](const Row& r) -> Value { return r.cycles.n; }},
    {"sim_time_ps", Type::whole, "simulated time of the job, ps", [](const Row& r) -> Value { return r.sim_time.n; }},
    {"sync_time_ps", Type::whole, "part of sim_time_ps spent synchronising: sum of the PSTs, ps",
     [](const Row& r) -> Value { return r.sync_time.n; }},
    {"wall_time_s", Type::real, "wall time of the run, from making the device to the end of the job, s",
     [](const Row& r) -> Value { return r.wall_time_s; }},
    {"realtime_ratio", Type::real, "sync_time / wall_time; above 1 is faster than real time",
     [](const Row& r) -> Value { return r.realtime_ratio(); }},
    {"edges", Type::whole, "clock edges of the device that were evaluated",
     [](const Row& r) -> Value { return whole(r.edges); }},
    {"events", Type::whole, "number of events in the event log", [](const Row& r) -> Value { return r.events; }},
    {"event_log_hash", Type::text, "FNV-1a-64 of the event log, 16 hexadecimal digits; null if it has no meaning",
     hash_text},
    {"version", Type::text, "version of lightloop", [](const Row& r) -> Value { return r.version; }},
    {"name", Type::text, "name of the experiment", [](const Row& r) -> Value { return r.name; }},
    {"ports", Type::whole, "number of inputs, and of outputs, of the switch",
     [](const Row& r) -> Value { return std::int64_t{r.ports}; }},
    {"cycle_ps", Type::whole, "length of a cycle, ps", [](const Row& r) -> Value { return r.cycle.n; }},
    {"word_bytes", Type::whole, "bytes that a port passes in a cycle", [](const Row& r) -> Value { return r.word.n; }},
    {"tuning_ps", Type::whole, "tuning time as the device used it, ps",
     [](const Row& r) -> Value { return r.tuning.n; }},
    {"locking_ps", Type::whole, "locking time as the device used it, ps",
     [](const Row& r) -> Value { return r.locking.n; }},
    {"time_warp", Type::whole, "1: idle cycles were skipped; 0: every clock edge was one cycle",
     [](const Row& r) -> Value { return std::int64_t{r.time_warp}; }},
    {"sync", Type::text, "synchronisation scheme", [](const Row& r) -> Value { return r.sync; }},
    {"compute_ps", Type::whole, "computing time of a worker in an iteration, ps",
     [](const Row& r) -> Value { return r.compute.n; }},
    {"transport", Type::text, "transport of messages between the nodes",
     [](const Row& r) -> Value { return r.transport; }},
    {"workload_bytes", Type::whole, "bytes of all tensors", [](const Row& r) -> Value { return r.workload_bytes.n; }},
    {"bytes_delivered", Type::whole, "bytes that arrived over the switch, without padding",
     [](const Row& r) -> Value { return r.bytes_delivered.n; }},
    {"bytes_local", Type::whole, "bytes between a worker and the server on its own node",
     [](const Row& r) -> Value { return r.bytes_local.n; }},
    {"sum_errors", Type::whole, "parameters that workers received and that were not the sum of the pushes",
     [](const Row& r) -> Value { return r.sum_errors; }},
    {"messages", Type::whole, "control messages between the coordinator and the nodes",
     [](const Row& r) -> Value { return r.messages; }},
    {"peak_rss_bytes", Type::whole,
     "peak memory of the coordinator's process in the run (VmHWM), plus that of each node process",
     [](const Row& r) -> Value { return r.peak_rss.n; }},
    {"dark_share", Type::real,
     "dark_port_cycles / (cycles of sync_time * nodes * planes); nodes are workers and servers that are not colocated; "
     "with jobs that arrive over time, all ports",
     [](const Row& r) -> Value { return r.dark_share(); }},
    {"pst_over_bound", Type::real, "pst_mean / bound", [](const Row& r) -> Value { return r.pst_over_bound(); }},
    {"pst_over_psscheduler", Type::real,
     "pst_mean / pst_mean of policy psscheduler; null if no such row, equal but for the policy, was run before",
     [](const Row& r) -> Value {
       return r.pst_over_psscheduler ? Value{*r.pst_over_psscheduler} : Value{std::monostate{}};
     }},
    {"node_compute_ps", Type::whole,
     "time in which a worker computes; this and the next three columns are means over the workers, ps",
     [](const Row& r) -> Value { return alone_or_null(r, r.node_compute); }},
    {"node_communication_ps", Type::whole,
     "exposed communication: time in which words of a worker's transfers are on their way, ps",
     [](const Row& r) -> Value { return alone_or_null(r, r.node_communication); }},
    {"node_dark_ps", Type::whole, "time in which the circuit of one of a worker's transfers is being set up, ps",
     [](const Row& r) -> Value { return alone_or_null(r, r.node_dark); }},
    {"node_waiting_ps", Type::whole, "rest of sim_time_ps, in which a worker waits for others, ps",
     [](const Row& r) -> Value { return alone_or_null(r, r.node_waiting); }},
    {"port_up_cycles", Type::whole,
     "outputs with light; this and the next four columns are port-cycles, summed over all outputs",
     [](const Row& r) -> Value { return r.port_up.n; }},
    {"port_tuning_cycles", Type::whole, "outputs whose mirrors move",
     [](const Row& r) -> Value { return r.port_tuning.n; }},
    {"port_locking_cycles", Type::whole, "outputs whose receivers lock to the light",
     [](const Row& r) -> Value { return r.port_locking.n; }},
    {"port_held_cycles", Type::whole, "outputs that all-stop holds, or that have failed",
     [](const Row& r) -> Value { return r.port_held.n; }},
    {"port_idle_cycles", Type::whole, "outputs without a circuit", [](const Row& r) -> Value { return r.port_idle.n; }},
    {"control", Type::text, "how plans were executed: confirmed or timetable",
     [](const Row& r) -> Value { return r.control; }},
    {"guard_ps", Type::whole,
     "timetable: time that a circuit was up before its first word and after its last word, as used, ps",
     [](const Row& r) -> Value { return r.guard.n; }},
    {"lead_ps", Type::whole, "delay from a decision to its effect, as used, ps",
     [](const Row& r) -> Value { return r.lead.n; }},
    {"fibre_ps", Type::whole, "propagation delay from a node to the switch, and from the switch to a node, as used, ps",
     [](const Row& r) -> Value { return r.fibre.n; }},
    {"control_latency_ps", Type::whole, "delay of messages from the nodes on the control network, ps",
     [](const Row& r) -> Value { return r.control_latency.n; }},
    {"clock_offset", Type::text, "clock offsets of the nodes, as requested",
     [](const Row& r) -> Value { return r.clock_offset; }},
    {"clock_spread_ps", Type::whole, "each clock had an additional offset, drawn from - to + this time, as used, ps",
     [](const Row& r) -> Value { return r.clock_spread.n; }},
    {"retransmit", Type::whole, "1: lost words were sent again; 0: a lost word would have ended the run",
     [](const Row& r) -> Value { return std::int64_t{r.retransmit}; }},
    {"words_misrouted", Type::whole, "words that passed to a wrong node and were dropped there",
     [](const Row& r) -> Value { return r.words_misrouted; }},
    {"retransmissions", Type::whole, "transfers of words that had been lost",
     [](const Row& r) -> Value { return r.retransmissions; }},
    {"words_retransmitted", Type::whole, "words of these transfers; a word that was lost again counts again",
     [](const Row& r) -> Value { return r.words_retransmitted; }},
    {"switch", Type::text, "source of the delays: a preset or file:PATH; empty: fabric.tuning and fabric.locking",
     [](const Row& r) -> Value { return r.switch_name; }},
    {"allocation", Type::text, "how the policy cut the parameters into blocks",
     [](const Row& r) -> Value { return r.allocation; }},
    {"colocated", Type::whole,
     "1: servers ran on nodes of workers; 0: on their own nodes, or where the policy placed them",
     [](const Row& r) -> Value { return std::int64_t{r.colocated}; }},
    {"all_stop", Type::whole, "1: no word passed while any circuit was set up",
     [](const Row& r) -> Value { return std::int64_t{r.all_stop}; }},
    {"lp_bound_ps", Type::whole,
     "lower bound of the PST for all placements on the policy's nodes, by linear programming, mean over the "
     "iterations, ps",
     [](const Row& r) -> Value {
       return r.rate_trace.empty() && !r.load && r.network == "circuit" ? alone_or_null(r, r.lp_bound) : Value{};
     }},
    {"pst_pipelined_ps", Type::whole,
     "PST if each server answered as soon as its own last push had ended, as planned from a dark switch, not run, "
     "ps; null with all-stop",
     [](const Row& r) -> Value { return whole_or_null(r.pst_pipelined); }},
    {"pipelined_bound_ps", Type::whole, "lower bound of pst_pipelined_ps, ps",
     [](const Row& r) -> Value { return whole_or_null(r.pipelined_bound); }},
    {"fidelity", Type::text, "burst: words were counted; word: 512 bits of each word crossed the switch",
     [](const Row& r) -> Value { return r.fidelity; }},
    {"words_compared", Type::whole, "words that left an output and were compared bit by bit; 0 with fidelity burst",
     [](const Row& r) -> Value { return whole(r.words_compared); }},
    {"node_rates", Type::text, "rates of the nodes, as requested: equal, drawn, or those of nodes 0, 1, ...",
     [](const Row& r) -> Value { return r.node_rates; }},
    {"extra_tuning", Type::text, "additional tuning times of circuits to the nodes, as requested",
     [](const Row& r) -> Value { return r.extra_tuning; }},
    {"charge_planning", Type::text, "fabric time of planning, as requested: none, a time, measured, row:ID",
     [](const Row& r) -> Value { return r.charge_planning; }},
    {"planning_ps", Type::whole, "time by which planning delayed the plans, in total, ps",
     [](const Row& r) -> Value { return r.planning.n; }},
    {"planning_charges", Type::text,
     "time by which each plan was delayed, ps; equal times in succession are TIME*COUNT; null if nothing was "
     "charged",
     [](const Row& r) -> Value { return r.planning_charges ? Value{*r.planning_charges} : Value{std::monostate{}}; }},
    {"reproducible", Type::whole,
     "0: planning was measured, so another run differs, and only rerun and row:ID repeat it",
     [](const Row& r) -> Value { return std::int64_t{r.reproducible}; }},
    {"planes", Type::whole, "number of switches in parallel",
     [](const Row& r) -> Value { return std::int64_t{r.planes}; }},
    {"jobs", Type::whole,
     "number of jobs that arrived over time, where each coflow of a trace is a job; this and the next twelve "
     "columns are null in rows of one job, and those of coflows where jobs have nodes of their own",
     arrival<&Came::jobs>},
    {"coflows", Type::whole, "number of coflows that crossed the switch", coflow<&Came::coflows>},
    {"makespan_ps", Type::whole, "time from the first arrival to the last end, ps", arrival<&Came::makespan>},
    {"cct_mean_ps", Type::whole,
     "coflow completion time (CCT), from the release of a coflow to its last word, mean, ps", coflow<&Came::cct_mean>},
    {"cct_p95_ps", Type::whole, "95 % quantile of the CCT (nearest rank), ps", coflow<&Came::cct_p95>},
    {"cct_p99_ps", Type::whole, "99 % quantile of the CCT, ps", coflow<&Came::cct_p99>},
    {"cct_max_ps", Type::whole, "largest CCT, ps", coflow<&Came::cct_max>},
    {"slowdown_mean", Type::real, "time of a job / its time when it is alone, as planned on a dark switch; mean",
     arrival<&Came::slowdown_mean>},
    {"slowdown_p95", Type::real, "95 % quantile of the slowdown", arrival<&Came::slowdown_p95>},
    {"slowdown_p99", Type::real, "99 % quantile of the slowdown", arrival<&Came::slowdown_p99>},
    {"plans", Type::whole, "number of plans, all planes together", arrival<&Came::plans>},
    {"late", Type::whole, "reservations that were not executed in exactly the planned cycles", arrival<&Came::late>},
    {"coflows_off_plan", Type::whole, "coflows whose CCT differs from that of the same run on paper",
     coflow<&Came::off_plan>},
    {"outages", Type::text, "intervals in which ports had no light, as requested",
     [](const Row& r) -> Value { return r.outages; }},
    {"sync_settings", Type::text, "settings that the synchronisation scheme reads",
     [](const Row& r) -> Value { return r.sync_settings; }},
    {"duration_ps", Type::whole, "time until which workers passed the gate, ps; 0: the iterations ended the job",
     [](const Row& r) -> Value { return r.duration.n; }},
    {"deaths", Type::text, "nodes that died, and when, as requested", [](const Row& r) -> Value { return r.deaths; }},
    {"compute_model", Type::text, "how computing times differ from compute_ps, as requested",
     [](const Row& r) -> Value { return r.compute_model; }},
    {"workers_left", Type::whole,
     "workers that took no part until the end; this and the next fourteen columns are null for jobs that arrive "
     "over time",
     scheme<&Scheme::left>},
    {"updates", Type::whole,
     "pushes that were applied to the model; this and the next column count until the duration, if there is one",
     scheme<&Scheme::updates>},
    {"updates_dropped", Type::whole, "pushes that arrived too late and were not applied", scheme<&Scheme::dropped>},
    {"steps", Type::whole, "iterations whose pushes were applied; with predictive: local steps",
     scheme<&Scheme::steps>},
    {"iteration_mean_ps", Type::whole, "iteration time, between the ends of two pushes of a worker, mean, ps",
     scheme<&Scheme::iteration_mean>},
    {"iteration_p99_ps", Type::whole, "99 % quantile of the iteration time (nearest rank), ps",
     scheme<&Scheme::iteration_p99>},
    {"iteration_max_ps", Type::whole, "largest iteration time, ps", scheme<&Scheme::iteration_max>},
    {"iteration_last_ps", Type::whole, "last iteration time of the first worker, ps", scheme<&Scheme::iteration_last>},
    {"blocked_mean_ps", Type::whole, "blocked time, from the request at the gate to the grant, mean, ps",
     scheme<&Scheme::blocked_mean>},
    {"blocked_p99_ps", Type::whole, "99 % quantile of the blocked time, ps", scheme<&Scheme::blocked_p99>},
    {"blocked_max_ps", Type::whole, "largest blocked time, ps", scheme<&Scheme::blocked_max>},
    {"staleness_mean", Type::real,
     "staleness: updates of others between the snapshot of a push and its application, mean",
     scheme<&Scheme::staleness_mean>},
    {"staleness_p99", Type::whole, "99 % quantile of the staleness", scheme<&Scheme::staleness_p99>},
    {"staleness_max", Type::whole, "largest staleness", scheme<&Scheme::staleness_max>},
    {"clock_gap_max", Type::whole,
     "largest number of pushes by which a worker was ahead of the slowest one when it was released",
     scheme<&Scheme::clock_gap>},
    {"fusion_bytes", Type::whole,
     "neighbouring tensors crossed together up to this size; 0: they did not, or slice_bytes is 0 and whole "
     "blocks crossed",
     [](const Row& r) -> Value { return r.fusion.n; }},
    {"slice_bytes", Type::whole, "larger tensors were cut at multiples of this size; 0: they were not cut",
     [](const Row& r) -> Value { return r.slice.n; }},
    {"slices", Type::whole,
     "transfers of a worker in one push, all servers together; with a collective the number of legs; null for "
     "jobs that arrive over time",
     [](const Row& r) -> Value { return r.arrivals ? Value{std::monostate{}} : Value{r.slices}; }},
    {"rate_trace", Type::text,
     "file of node rates that change, as requested; empty: none; with a file, lp_bound_ps, pst_pipelined_ps and "
     "pipelined_bound_ps are null",
     [](const Row& r) -> Value { return r.rate_trace; }},
    {"overlap", Type::text, "overlap of pushes and computing, with the share of the backward pass, or none",
     [](const Row& r) -> Value { return r.overlap; }},
    {"priorities", Type::text, "priorities of the slices that are ready: layer or none",
     [](const Row& r) -> Value { return r.priorities; }},
    {"commands", Type::whole,
     "number of commits, starts and stops on a switch that runs by wall clock; this and the next six columns are "
     "null on other switches",
     command<&CommandResults::count>},
    {"commands_late", Type::whole, "commands that reached the switch after their cycle",
     command<&CommandResults::late>},
    {"command_mean_ps", Type::whole, "control latency, from the decision to the switch, mean, ps",
     command<&CommandResults::mean>},
    {"command_median_ps", Type::whole, "median of the control latency (nearest rank), ps",
     command<&CommandResults::median>},
    {"command_p99_ps", Type::whole, "99 % quantile of the control latency, ps; minus the median it is the jitter",
     command<&CommandResults::p99>},
    {"command_max_ps", Type::whole, "largest control latency, ps", command<&CommandResults::max>},
    {"command_histogram", Type::text, "number of commands by powers of two of nanoseconds, without empty classes",
     command<&CommandResults::histogram>},
    {"collective", Type::text,
     "collective that replaced the servers, with its algorithm and, unless a scheduler plans, its policy: "
     "all_reduce/ring/optimal; or none",
     [](const Row& r) -> Value { return r.collective; }},
    {"server_load", Type::text,
     "how the model was spread over the servers: placed, static or adaptive; unless placed, the bounds are null "
     "or 0",
     [](const Row& r) -> Value { return r.server_load; }},
    {"load_settings", Type::text, "settings of adaptive server load",
     [](const Row& r) -> Value { return r.load_settings; }},
    {"load_keys", Type::whole,
     "number of keys that servers owned by a map; this and the next five columns are null with server_load placed",
     load<&LoadResults::keys>},
    {"load_maps", Type::whole, "number of maps after the first one", load<&LoadResults::maps>},
    {"keys_moved", Type::whole, "keys that changed their owner, all maps together", load<&LoadResults::moved>},
    {"moved_bytes", Type::whole, "bytes of the moved keys, in whole words; bytes_delivered includes them",
     load<&LoadResults::bytes_moved>},
    {"migration_ps", Type::whole, "time from the decisions on new maps until their iterations began, in total, ps",
     load<&LoadResults::migrating>},
    {"pushes_refused", Type::whole, "pushes under an old map, which were repeated under the new one",
     load<&LoadResults::refused>},
    {"network", Type::text,
     "circuit: transfers crossed the switch; packet: they shared the rates of the ports, max-min fair",
     [](const Row& r) -> Value { return r.network; }},
    {"gradients", Type::text, "pattern: numbers whose sums were checked; real: gradients of a model that learned",
     [](const Row& r) -> Value { return r.gradients; }},
    {"learning_settings", Type::text,
     "settings of real gradients: model, shards, rate, batch, updates between evaluations, target",
     [](const Row& r) -> Value { return r.learning_settings; }},
    {"accuracy", Type::real,
     "accuracy of the final model on the test pictures, 0 to 1; among peers the least of four models; this and "
     "the next four columns are null without real gradients",
     learned<&LearningResults::accuracy>},
    {"loss", Type::real,
     "loss of the final model on the test pictures: mean cross entropy, natural logarithm; among peers the "
     "largest of four models",
     learned<&LearningResults::loss>},
    {"time_to_accuracy_ps", Type::whole,
     "simulated time of the first point of the curve at or above learning.target, ps; null if there is none",
     learned<&LearningResults::to_target>},
    {"updates_to_accuracy", Type::whole, "number of updates at that point",
     learned<&LearningResults::updates_to_target>},
    {"samples", Type::text,
     "number of pictures that each worker learned from, in the order of the nodes, with those of dropped pushes",
     learned<&LearningResults::samples>},
    {"error", Type::text,
     "why the row failed (run --keep-going); measured columns are then null; null: the row did not fail",
     [](const Row& r) -> Value { return r.error ? Value{*r.error} : Value{}; }},
    {"iteration_ps", Type::whole,
     "iteration time of every kind of row: iteration_mean_ps; of a job with one iteration, its time; of jobs that "
     "arrive over time, the time of a job from its arrival, divided by its iterations, mean (a coflow of a trace "
     "is a job of one iteration); null if nothing was pushed; ps",
     [](const Row& r) -> Value { return whole_or_null(r.iteration()); }},
    {"tuning_requested_ps", Type::whole,
     "tuning_ps before rounding, as requested, ps; this and the next five columns are 0 if the rounded column is "
     "0 because there is no switch; a named switch has the values of its file",
     requested<&RequestedTimes::tuning>},
    {"locking_requested_ps", Type::whole, "locking_ps before rounding, ps", requested<&RequestedTimes::locking>},
    {"guard_requested_ps", Type::whole, "guard_ps before rounding, ps", requested<&RequestedTimes::guard>},
    {"lead_requested_ps", Type::whole, "lead_ps before rounding, ps", requested<&RequestedTimes::lead>},
    {"fibre_requested_ps", Type::whole, "fibre_ps before rounding, ps", requested<&RequestedTimes::fibre>},
    {"clock_spread_requested_ps", Type::whole, "clock_spread_ps before rounding, ps",
     requested<&RequestedTimes::clock_spread>},
};

auto asked_for(const Row& r) {
  return std::tie(r.name, r.device, r.switch_name, r.workload, r.sync, r.payload, r.transport, r.seed, r.workers,
                  r.servers, r.iterations, r.ports, r.rate_bps, r.cycle, r.tuning, r.locking, r.compute, r.time_warp,
                  r.control, r.guard, r.lead, r.fibre, r.control_latency, r.clock_offset, r.clock_spread, r.retransmit,
                  r.colocated, r.all_stop, r.charge_planning, r.fidelity, r.node_rates, r.rate_trace, r.extra_tuning,
                  r.outages, r.planes, r.sync_settings, r.duration, r.deaths, r.compute_model, r.fusion, r.slice,
                  r.overlap, r.priorities, r.collective, r.server_load, r.load_settings, r.network, r.gradients,
                  r.learning_settings);
}

}  // namespace

std::optional<Picos> Row::iteration() const {
  if (arrivals) return arrivals->iteration_mean;
  if (!schemes || schemes->steps == 0) return std::nullopt;
  return schemes->iteration_mean.n > 0 ? schemes->iteration_mean : sim_time;
}

void Row::know_iteration(Picos time) {
  schemes.emplace();
  schemes->steps = 1;
  schemes->iteration_mean = time;
}

double Row::pst_over_bound() const { return ratio(static_cast<double>(pst_mean.n), static_cast<double>(bound.n)); }

double Row::realtime_ratio() const { return ratio(static_cast<double>(sync_time.n) * 1e-12, wall_time_s); }

double Row::dark_share() const {
  const int nodes = arrivals ? ports : workers + (colocated ? 0 : servers);
  const double port_time = static_cast<double>(sync_time.n) * static_cast<double>(nodes) * static_cast<double>(planes);
  return ratio(static_cast<double>(dark_port_cycles) * static_cast<double>(cycle.n), port_time);
}

std::span<const Column> row_columns() { return columns; }

bool differs_each_time(std::string_view column) {
  return column == "wall_time_s" || column == "realtime_ratio" || column == "peak_rss_bytes";
}

std::vector<std::pair<std::string, Value>> to_fields(const Row& row) {
  std::vector<std::pair<std::string, Value>> fields;
  for (const Column& column : columns) fields.emplace_back(column.name, column.value(row));
  return fields;
}

bool same_but_policy(const Row& a, const Row& b) { return asked_for(a) == asked_for(b); }

void compare_with_psscheduler(Row& row, std::span<const Row> earlier) {
  const auto is_reference = [](const Row& each) {
    return each.policy == "psscheduler" && (each.scheduler == "psscheduler" || each.scheduler.empty());
  };
  if (is_reference(row)) row.pst_over_psscheduler = 1;
  for (const Row& other : earlier)
    if (!is_reference(row) && is_reference(other) && other.pst_mean.n > 0 && same_but_policy(row, other))
      row.pst_over_psscheduler = static_cast<double>(row.pst_mean.n) / static_cast<double>(other.pst_mean.n);
}

}  // namespace ocs
