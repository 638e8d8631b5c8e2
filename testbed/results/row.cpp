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
    {"policy", Type::text, "who placed servers and scheduled circuits", [](const Row& r) -> Value { return r.policy; }},
    {"scheduler", Type::text, "circuit scheduler of the policy", [](const Row& r) -> Value { return r.scheduler; }},
    {"placer", Type::text, "placer of the policy", [](const Row& r) -> Value { return r.placer; }},
    {"device", Type::text, "body of the switch", [](const Row& r) -> Value { return r.device; }},
    {"seed", Type::whole, "of everything drawn at random", [](const Row& r) -> Value { return whole(r.seed); }},
    {"workload", Type::text, "table of tensors", [](const Row& r) -> Value { return r.workload; }},
    {"workers", Type::whole, "nodes that train", [](const Row& r) -> Value { return std::int64_t{r.workers}; }},
    {"servers", Type::whole, "parameter servers", [](const Row& r) -> Value { return std::int64_t{r.servers}; }},
    {"delta_ps", Type::whole, "reconfiguration delay as the device used it: tuning + locking in whole cycles, ps",
     [](const Row& r) -> Value { return r.delta.n; }},
    {"rate_bps", Type::whole, "of every port, bit/s", [](const Row& r) -> Value { return r.rate_bps; }},
    {"iterations", Type::whole, "synchronisations", [](const Row& r) -> Value { return std::int64_t{r.iterations}; }},
    {"payload", Type::text, "full, digest or none", [](const Row& r) -> Value { return r.payload; }},
    {"pst_mean_ps", Type::whole, "parameter synchronisation time, mean over the iterations, ps",
     [](const Row& r) -> Value { return pst_or_null(r, r.pst_mean); }},
    {"pst_min_ps", Type::whole, "its minimum, ps", [](const Row& r) -> Value { return pst_or_null(r, r.pst_min); }},
    {"pst_max_ps", Type::whole, "its maximum, ps", [](const Row& r) -> Value { return pst_or_null(r, r.pst_max); }},
    {"bound_ps", Type::whole,
     "lower bound of the PST by the port bounds of push and pull, mean over the iterations, ps",
     [](const Row& r) -> Value { return r.bound.n; }},
    {"reconfigurations", Type::whole, "circuits set up: sum of the outputs' counters TUNINGS",
     [](const Row& r) -> Value { return r.reconfigurations; }},
    {"dark_port_cycles", Type::whole, "cycles that outputs spent dark: sum of the counters DARK",
     [](const Row& r) -> Value { return r.dark_port_cycles; }},
    {"words_passed", Type::whole, "words that outputs passed: sum of the counters PASSED",
     [](const Row& r) -> Value { return r.words_passed; }},
    {"words_lost", Type::whole, "words lost at dark outputs: sum of the counters LOST",
     [](const Row& r) -> Value { return r.words_lost; }},
    {"words_unrouted", Type::whole, "words that no output selected: sum of the counters UNROUTED",
     [](const Row& r) -> Value { return r.words_unrouted; }},
    {"crc_errors", Type::whole, "chunks that arrived with a wrong CRC-32C",
     [](const Row& r) -> Value { return r.crc_errors; }},
    {"cycles", Type::whole, "cycles that the device lived through", [](const Row& r) -> Value { return r.cycles.n; }},
    {"sim_time_ps", Type::whole, "simulated time of the job, ps", [](const Row& r) -> Value { return r.sim_time.n; }},
    {"sync_time_ps", Type::whole, "the part of it spent synchronising: sum of the PSTs, ps",
     [](const Row& r) -> Value { return r.sync_time.n; }},
    {"wall_time_s", Type::real, "wall time of the run, from making the device to the end of the job, s",
     [](const Row& r) -> Value { return r.wall_time_s; }},
    {"realtime_ratio", Type::real, "sync_time / wall_time: above 1 is faster than real time",
     [](const Row& r) -> Value { return r.realtime_ratio(); }},
    {"edges", Type::whole, "clock edges of the device that were evaluated",
     [](const Row& r) -> Value { return whole(r.edges); }},
    {"events", Type::whole, "events in the event log", [](const Row& r) -> Value { return r.events; }},
    {"event_log_hash", Type::text, "FNV-1a-64 of the event log, 16 hexadecimal digits; null if it has no meaning",
     hash_text},
    {"version", Type::text, "of lightloop", [](const Row& r) -> Value { return r.version; }},
    {"name", Type::text, "of the experiment", [](const Row& r) -> Value { return r.name; }},
    {"ports", Type::whole, "inputs and outputs of the switch",
     [](const Row& r) -> Value { return std::int64_t{r.ports}; }},
    {"cycle_ps", Type::whole, "length of a cycle, ps", [](const Row& r) -> Value { return r.cycle.n; }},
    {"word_bytes", Type::whole, "what a port moves in a cycle", [](const Row& r) -> Value { return r.word.n; }},
    {"tuning_ps", Type::whole, "as the device used it, ps", [](const Row& r) -> Value { return r.tuning.n; }},
    {"locking_ps", Type::whole, "as the device used it, ps", [](const Row& r) -> Value { return r.locking.n; }},
    {"time_warp", Type::whole, "1: idle cycles were skipped; 0: every edge was one cycle",
     [](const Row& r) -> Value { return std::int64_t{r.time_warp}; }},
    {"sync", Type::text, "synchronisation scheme", [](const Row& r) -> Value { return r.sync; }},
    {"compute_ps", Type::whole, "computing time of a worker in an iteration, ps",
     [](const Row& r) -> Value { return r.compute.n; }},
    {"transport", Type::text, "what carried messages between the nodes",
     [](const Row& r) -> Value { return r.transport; }},
    {"workload_bytes", Type::whole, "bytes of all tensors", [](const Row& r) -> Value { return r.workload_bytes.n; }},
    {"bytes_delivered", Type::whole, "bytes that arrived over the switch, without padding",
     [](const Row& r) -> Value { return r.bytes_delivered.n; }},
    {"bytes_local", Type::whole, "bytes between a worker and the server on its own node",
     [](const Row& r) -> Value { return r.bytes_local.n; }},
    {"sum_errors", Type::whole, "parameters that workers received and that weren't the sum of the pushes",
     [](const Row& r) -> Value { return r.sum_errors; }},
    {"messages", Type::whole, "control messages between the coordinator and the nodes",
     [](const Row& r) -> Value { return r.messages; }},
    {"peak_rss_bytes", Type::whole,
     "memory: the most that the coordinator's process had in the run (VmHWM), plus the same of each node process",
     [](const Row& r) -> Value { return r.peak_rss.n; }},
    {"dark_share", Type::real, "dark_port_cycles / (cycles of sync_time * nodes)",
     [](const Row& r) -> Value { return r.dark_share(); }},
    {"pst_over_bound", Type::real, "pst_mean / bound", [](const Row& r) -> Value { return r.pst_over_bound(); }},
    {"pst_over_psscheduler", Type::real,
     "pst_mean / that of policy psscheduler; null if no such row, equal but for the policy, was run before",
     [](const Row& r) -> Value {
       return r.pst_over_psscheduler ? Value{*r.pst_over_psscheduler} : Value{std::monostate{}};
     }},
    {"node_compute_ps", Type::whole, "a worker computes; this and the next three: mean over the workers, ps",
     [](const Row& r) -> Value { return alone_or_null(r, r.node_compute); }},
    {"node_communication_ps", Type::whole, "exposed communication: words of its transfers are on their way, ps",
     [](const Row& r) -> Value { return alone_or_null(r, r.node_communication); }},
    {"node_dark_ps", Type::whole, "the circuit of one of its transfers is being set up, ps",
     [](const Row& r) -> Value { return alone_or_null(r, r.node_dark); }},
    {"node_waiting_ps", Type::whole, "the rest: it waits for others, ps",
     [](const Row& r) -> Value { return alone_or_null(r, r.node_waiting); }},
    {"port_up_cycles", Type::whole, "outputs with light; this and the next four: port-cycles, summed over all outputs",
     [](const Row& r) -> Value { return r.port_up.n; }},
    {"port_tuning_cycles", Type::whole, "outputs whose mirrors move",
     [](const Row& r) -> Value { return r.port_tuning.n; }},
    {"port_locking_cycles", Type::whole, "outputs whose receivers acquire the light",
     [](const Row& r) -> Value { return r.port_locking.n; }},
    {"port_held_cycles", Type::whole, "outputs held by all-stop or failed",
     [](const Row& r) -> Value { return r.port_held.n; }},
    {"port_idle_cycles", Type::whole, "outputs without a circuit", [](const Row& r) -> Value { return r.port_idle.n; }},
    {"control", Type::text, "how plans were carried out: confirmed or timetable",
     [](const Row& r) -> Value { return r.control; }},
    {"guard_ps", Type::whole, "timetable: how long a circuit was up before and after its words, as used, ps",
     [](const Row& r) -> Value { return r.guard.n; }},
    {"lead_ps", Type::whole, "from a decision to its effect, as used, ps",
     [](const Row& r) -> Value { return r.lead.n; }},
    {"fibre_ps", Type::whole, "from a node to the switch, and from the switch to a node, as used, ps",
     [](const Row& r) -> Value { return r.fibre.n; }},
    {"control_latency_ps", Type::whole, "of what a node said on the control network, ps",
     [](const Row& r) -> Value { return r.control_latency.n; }},
    {"clock_offset", Type::text, "of the nodes' clocks, as asked for",
     [](const Row& r) -> Value { return r.clock_offset; }},
    {"clock_spread_ps", Type::whole, "each clock was off by a draw from - to + so much more, as used, ps",
     [](const Row& r) -> Value { return r.clock_spread.n; }},
    {"retransmit", Type::whole, "1: lost words were sent again; 0: they would have ended the run",
     [](const Row& r) -> Value { return std::int64_t{r.retransmit}; }},
    {"words_misrouted", Type::whole, "words that passed to a node that they weren't for, and were dropped there",
     [](const Row& r) -> Value { return r.words_misrouted; }},
    {"retransmissions", Type::whole, "offers of words that had been lost",
     [](const Row& r) -> Value { return r.retransmissions; }},
    {"words_retransmitted", Type::whole, "words in these offers; one that was lost again counts again",
     [](const Row& r) -> Value { return r.words_retransmitted; }},
    {"switch", Type::text, "that said the delays: a preset or file:PATH; empty: fabric.tuning and fabric.locking did",
     [](const Row& r) -> Value { return r.switch_name; }},
    {"allocation", Type::text, "how the policy cut the parameters into blocks",
     [](const Row& r) -> Value { return r.allocation; }},
    {"colocated", Type::whole,
     "1: servers ran on nodes of workers; 0: on nodes of their own, or where the policy put them",
     [](const Row& r) -> Value { return std::int64_t{r.colocated}; }},
    {"all_stop", Type::whole, "1: no word passed while any circuit was set up",
     [](const Row& r) -> Value { return std::int64_t{r.all_stop}; }},
    {"lp_bound_ps", Type::whole,
     "lower bound of the PST for all placements on the policy's nodes, by linear programme, mean over the iterations, "
     "ps",
     [](const Row& r) -> Value {
       return r.rate_trace.empty() && !r.load && r.network == "circuit" ? alone_or_null(r, r.lp_bound) : Value{};
     }},
    {"pst_pipelined_ps", Type::whole,
     "PST if each server answered as soon as its own last push has ended: as planned from a dark switch, not run, ps; "
     "null with all-stop",
     [](const Row& r) -> Value { return whole_or_null(r.pst_pipelined); }},
    {"pipelined_bound_ps", Type::whole, "lower bound of the PST in that form, ps",
     [](const Row& r) -> Value { return whole_or_null(r.pipelined_bound); }},
    {"fidelity", Type::text, "burst: words were counted; word: 512 bits of each crossed the switch",
     [](const Row& r) -> Value { return r.fidelity; }},
    {"words_compared", Type::whole, "words that left an output and were compared bit by bit; 0 with fidelity burst",
     [](const Row& r) -> Value { return whole(r.words_compared); }},
    {"node_rates", Type::text, "of the nodes, as asked for: equal, drawn, or those of nodes 0, 1, ...",
     [](const Row& r) -> Value { return r.node_rates; }},
    {"extra_tuning", Type::text, "of circuits to the nodes, as asked for",
     [](const Row& r) -> Value { return r.extra_tuning; }},
    {"charge_planning", Type::text, "fabric time of planning, as asked for: none, a time, measured, row:ID",
     [](const Row& r) -> Value { return r.charge_planning; }},
    {"planning_ps", Type::whole, "by how much plans were delayed by their planning, all together, ps",
     [](const Row& r) -> Value { return r.planning.n; }},
    {"planning_charges", Type::text, "of each plan, ps; several equal ones as LENGTH*COUNT; null if none are charged",
     [](const Row& r) -> Value { return r.planning_charges ? Value{*r.planning_charges} : Value{std::monostate{}}; }},
    {"reproducible", Type::whole, "0: planning was measured, so that another run differs; `rerun` and row:ID replay it",
     [](const Row& r) -> Value { return std::int64_t{r.reproducible}; }},
    {"planes", Type::whole, "switches in parallel", [](const Row& r) -> Value { return std::int64_t{r.planes}; }},
    {"jobs", Type::whole,
     "that came over time, a trace's coflow being one; this and the next twelve: null in rows of one job",
     arrival<&Came::jobs>},
    {"coflows", Type::whole, "that crossed the switch", arrival<&Came::coflows>},
    {"makespan_ps", Type::whole, "from the first arrival to the last end, ps", arrival<&Came::makespan>},
    {"cct_mean_ps", Type::whole, "coflow completion time, from its release to its last word, mean, ps",
     arrival<&Came::cct_mean>},
    {"cct_p95_ps", Type::whole, "its 95 % quantile (nearest rank), ps", arrival<&Came::cct_p95>},
    {"cct_p99_ps", Type::whole, "its 99 % quantile, ps", arrival<&Came::cct_p99>},
    {"cct_max_ps", Type::whole, "its maximum, ps", arrival<&Came::cct_max>},
    {"slowdown_mean", Type::real, "time of a job / its time when it is alone, as planned on a dark switch; mean",
     arrival<&Came::slowdown_mean>},
    {"slowdown_p95", Type::real, "its 95 % quantile", arrival<&Came::slowdown_p95>},
    {"slowdown_p99", Type::real, "its 99 % quantile", arrival<&Came::slowdown_p99>},
    {"plans", Type::whole, "how often it was planned, all planes together", arrival<&Came::plans>},
    {"late", Type::whole, "reservations that weren't carried out in exactly the planned cycles", arrival<&Came::late>},
    {"coflows_off_plan", Type::whole, "coflows whose completion time isn't that of the same run on paper",
     arrival<&Came::off_plan>},
    {"outages", Type::text, "ports without light, and when, as asked for",
     [](const Row& r) -> Value { return r.outages; }},
    {"sync_settings", Type::text, "of the synchronisation scheme, those that it reads",
     [](const Row& r) -> Value { return r.sync_settings; }},
    {"duration_ps", Type::whole, "until when workers were let through the gate, ps; 0: the iterations ended the job",
     [](const Row& r) -> Value { return r.duration.n; }},
    {"deaths", Type::text, "nodes that died, and when, as asked for", [](const Row& r) -> Value { return r.deaths; }},
    {"compute_model", Type::text, "how compute times differ from compute_ps, as asked for",
     [](const Row& r) -> Value { return r.compute_model; }},
    {"workers_left", Type::whole, "workers that took no part until the end", scheme<&Scheme::left>},
    {"updates", Type::whole,
     "pushes that were applied to the model; this and the next: until the duration, if there is one",
     scheme<&Scheme::updates>},
    {"updates_dropped", Type::whole, "pushes that came too late and weren't applied", scheme<&Scheme::dropped>},
    {"steps", Type::whole, "iterations whose pushes were applied; with predictive: local steps",
     scheme<&Scheme::steps>},
    {"iteration_mean_ps", Type::whole, "iteration time: between two pushes of a worker that are in, mean, ps",
     scheme<&Scheme::iteration_mean>},
    {"iteration_p99_ps", Type::whole, "its 99 % quantile (nearest rank), ps", scheme<&Scheme::iteration_p99>},
    {"iteration_max_ps", Type::whole, "its maximum, ps", scheme<&Scheme::iteration_max>},
    {"iteration_last_ps", Type::whole, "the first worker's last one: what it settled to, ps",
     scheme<&Scheme::iteration_last>},
    {"blocked_mean_ps", Type::whole, "blocked time: from asking at the gate to the grant, mean, ps",
     scheme<&Scheme::blocked_mean>},
    {"blocked_p99_ps", Type::whole, "its 99 % quantile, ps", scheme<&Scheme::blocked_p99>},
    {"blocked_max_ps", Type::whole, "its maximum, ps", scheme<&Scheme::blocked_max>},
    {"staleness_mean", Type::real, "updates of others between a push's snapshot and its application, mean",
     scheme<&Scheme::staleness_mean>},
    {"staleness_p99", Type::whole, "its 99 % quantile", scheme<&Scheme::staleness_p99>},
    {"staleness_max", Type::whole, "its maximum", scheme<&Scheme::staleness_max>},
    {"clock_gap_max", Type::whole, "most pushes by which a worker was ahead of the slowest when it was released",
     scheme<&Scheme::clock_gap>},
    {"fusion_bytes", Type::whole, "neighbouring tensors crossed together up to this size; 0: as slice_bytes 0, or not",
     [](const Row& r) -> Value { return r.fusion.n; }},
    {"slice_bytes", Type::whole, "larger tensors were cut at multiples of this size; 0: not",
     [](const Row& r) -> Value { return r.slice.n; }},
    {"slices", Type::whole, "transfers of a worker in one push, all servers together; null when coflows came over time",
     [](const Row& r) -> Value { return r.arrivals ? Value{std::monostate{}} : Value{r.slices}; }},
    {"rate_trace", Type::text, "file of rates of nodes that changed, as asked for; empty: they didn't",
     [](const Row& r) -> Value { return r.rate_trace; }},
    {"overlap", Type::text, "of pushes and computing, with the share of the backward pass, or none",
     [](const Row& r) -> Value { return r.overlap; }},
    {"priorities", Type::text, "of slices that are ready: layer, or none",
     [](const Row& r) -> Value { return r.priorities; }},
    {"commands", Type::whole,
     "commits, starts and stops on a switch whose clock goes on by itself; this and the next six: null on the others",
     command<&CommandResults::count>},
    {"commands_late", Type::whole, "that reached the switch after the cycle that they were for",
     command<&CommandResults::late>},
    {"command_mean_ps", Type::whole, "control latency: from the decision to the switch, mean, ps",
     command<&CommandResults::mean>},
    {"command_median_ps", Type::whole, "its median (nearest rank), ps", command<&CommandResults::median>},
    {"command_p99_ps", Type::whole, "its 99 % quantile, ps; less the median it is the jitter",
     command<&CommandResults::p99>},
    {"command_max_ps", Type::whole, "its maximum, ps", command<&CommandResults::max>},
    {"command_histogram", Type::text, "commands by powers of two of nanoseconds, empty classes left out",
     command<&CommandResults::histogram>},
    {"collective", Type::text, "in place of servers, or none", [](const Row& r) -> Value { return r.collective; }},
    {"server_load", Type::text, "how the model was spread over the servers: placed, static, adaptive",
     [](const Row& r) -> Value { return r.server_load; }},
    {"load_settings", Type::text, "of adaptive server load", [](const Row& r) -> Value { return r.load_settings; }},
    {"load_keys", Type::whole, "keys that servers owned by a map; this and the next five: null with server_load placed",
     load<&LoadResults::keys>},
    {"load_maps", Type::whole, "maps after the first one", load<&LoadResults::maps>},
    {"keys_moved", Type::whole, "keys that changed their owner, all maps together", load<&LoadResults::moved>},
    {"moved_bytes", Type::whole, "bytes of these, in whole words", load<&LoadResults::bytes_moved>},
    {"migration_ps", Type::whole, "from decisions on new maps until their iterations began, all together, ps",
     load<&LoadResults::migrating>},
    {"pushes_refused", Type::whole, "pushes under an old map, which came again under the new one",
     load<&LoadResults::refused>},
    {"network", Type::text, "circuit: transfers over the switch; packet: they shared the ports' rates, max-min fair",
     [](const Row& r) -> Value { return r.network; }},
    {"gradients", Type::text, "pattern: numbers that can be checked; real: of a model that learns",
     [](const Row& r) -> Value { return r.gradients; }},
    {"learning_settings", Type::text, "of real gradients", [](const Row& r) -> Value { return r.learning_settings; }},
    {"accuracy", Type::real,
     "of the final model on the test pictures; this and the next four: null without real gradients",
     learned<&LearningResults::accuracy>},
    {"loss", Type::real, "of the final model there, mean cross entropy (natural logarithm)",
     learned<&LearningResults::loss>},
    {"time_to_accuracy_ps", Type::whole,
     "of the first point of the curve at or above learning.target; null: none was, ps",
     learned<&LearningResults::to_target>},
    {"updates_to_accuracy", Type::whole, "updates of that point", learned<&LearningResults::updates_to_target>},
    {"samples", Type::text, "pictures that each worker learned from, one number a worker",
     learned<&LearningResults::samples>},
    {"error", Type::text,
     "why the row failed (run --keep-going): columns of what is measured are null then; null: it did not",
     [](const Row& r) -> Value { return r.error ? Value{*r.error} : Value{}; }},
    {"iteration_ps", Type::whole,
     "iteration time of every kind of row: iteration_mean_ps; sim_time_ps of one iteration; of jobs that came over "
     "time, their time / their iterations, mean, ps",
     [](const Row& r) -> Value { return whole_or_null(r.iteration()); }},
    {"tuning_requested_ps", Type::whole, "tuning_ps before it was rounded; this and the next five: as asked for, ps",
     requested<&RequestedTimes::tuning>},
    {"locking_requested_ps", Type::whole, "locking_ps before it was rounded, ps", requested<&RequestedTimes::locking>},
    {"guard_requested_ps", Type::whole, "guard_ps before it was rounded, ps", requested<&RequestedTimes::guard>},
    {"lead_requested_ps", Type::whole, "lead_ps before it was rounded, ps", requested<&RequestedTimes::lead>},
    {"fibre_requested_ps", Type::whole, "fibre_ps before it was rounded, ps", requested<&RequestedTimes::fibre>},
    {"clock_spread_requested_ps", Type::whole, "clock_spread_ps before it was rounded, ps",
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
  const double port_time = static_cast<double>(sync_time.n) * static_cast<double>(workers + (colocated ? 0 : servers));
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
