// The columns of a result row, each said once.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/rows/row.hpp"

#include <cinttypes>
#include <cstdio>
#include <tuple>

namespace ocs {
namespace {

using Type = ColumnType;

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

constexpr JobKinds over_time = kind_set(JobKind::trace, JobKind::jobs), alone = all_job_kinds & ~over_time;

/// What was asked for, or is known before the run.
template <auto field>
constexpr ColumnValue<Row> asked{{.requested = true}, [](const Row& row) { return column_value(row.*field); }};

/// Times as asked for.
template <auto field>
constexpr ColumnValue<Row> nominal{{.requested = true},
                                   [](const Row& row) { return column_value(row.requested.*field); }};

template <auto field, Presence presence = Presence{}>
constexpr ColumnValue<Row> measured{presence, [](const Row& row) { return column_value(row.*field); }};

constexpr ColumnValue<Row> derived(Value (*take)(const Row&), Presence presence = {}) { return {presence, take}; }

/// Of rows whose job has phases: one that is alone, and whose workers do not continue one by one.
template <auto field>
constexpr ColumnValue<Row> pst{
    {.kinds = kind_set(JobKind::servers), .features = feature_set(RunFeature::phases)},
    [](const Row& row) { return row.arrivals || row.eager ? Value{} : column_value(row.*field); }};

/// The same on one switch, or over packets.
template <auto field>
constexpr ColumnValue<Row> worker_time{
    {.kinds = kind_set(JobKind::servers), .features = feature_set(RunFeature::phases, RunFeature::one_plane)},
    [](const Row& row) { return row.planes > 1 ? Value{} : pst<field>(row); }};

/// Bounds and plans of phases on one switch, with servers that a policy placed.
constexpr RunFeatures of_plans = feature_set(RunFeature::phases, RunFeature::circuits, RunFeature::one_plane,
                                             RunFeature::fixed_rates, RunFeature::placed);

constexpr ColumnValue<Row> placement_bound{
    {.kinds = kind_set(JobKind::servers), .features = of_plans}, [](const Row& row) {
      const bool planned = row.rate_trace.empty() && !row.load && row.network == "circuit";
      return planned ? worker_time<&Row::lp_bound>(row) : Value{};
    }};

template <auto field>
constexpr ColumnValue<Row> pipelined =
    measured<field, Presence{.kinds = kind_set(JobKind::servers), .features = of_plans, .or_null = true}>;

/// Of rows that have such results; null in others.
template <auto results, auto field, Presence presence>
constexpr ColumnValue<Row> of_results{
    presence, [](const Row& row) { return row.*results ? column_value((*(row.*results)).*field) : Value{}; }};

template <auto field>
constexpr ColumnValue<Row> arrival = of_results<&Row::arrivals, field, Presence{.kinds = over_time}>;

/// Where the times of coflows are known.
template <auto field>
constexpr ColumnValue<Row> coflow{
    {.kinds = over_time, .features = feature_set(RunFeature::coflows)},
    [](const Row& row) { return row.arrivals && row.arrivals->by_coflow ? arrival<field>(row) : Value{}; }};

template <auto field>
constexpr ColumnValue<Row> serial =
    of_results<&Row::programming, field,
               Presence{.features = feature_set(RunFeature::circuits, RunFeature::serial), .requested = true}>;

template <auto field>
constexpr ColumnValue<Row> unsteady =
    of_results<&Row::mirrors, field,
               Presence{.features = feature_set(RunFeature::circuits, RunFeature::unsteady), .requested = true}>;

template <auto field>
constexpr ColumnValue<Row> drifting =
    of_results<&Row::clocks, field,
               Presence{.features = feature_set(RunFeature::circuits, RunFeature::timetable, RunFeature::drift),
                        .requested = true}>;

template <auto field>
constexpr ColumnValue<Row> scheme = of_results<&Row::schemes, field, Presence{.kinds = alone}>;

constexpr ColumnValue<Row> slice_count{
    {.kinds = alone}, [](const Row& row) { return row.arrivals ? Value{} : column_value(row.slices); }};

template <auto field>
constexpr ColumnValue<Row> command =
    of_results<&Row::commands, field,
               Presence{.features = feature_set(RunFeature::circuits, RunFeature::wall_clock), .or_null = true}>;

template <auto field>
constexpr ColumnValue<Row> load =
    of_results<&Row::load, field,
               Presence{.kinds = kind_set(JobKind::servers), .features = feature_set(RunFeature::owned_keys)}>;

template <auto field, bool or_null = false>
constexpr ColumnValue<Row> learned =
    of_results<&Row::learning, field,
               Presence{.kinds = kind_set(JobKind::servers, JobKind::collective, JobKind::peers),
                        .features = feature_set(RunFeature::real_gradients),
                        .or_null = or_null}>;

using Came = ArrivalResults;
using Scheme = SchemeResults;

Value hash_text(const Row& row) {
  if (!row.event_log_hash) return std::monostate{};
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, *row.event_log_hash);
  return std::string(text);
}

constexpr Column columns[] = {
    {"policy", Type::text, "", "policy, which places servers and selects the circuit scheduler", asked<&Row::policy>},
    {"scheduler", Type::text, "", "circuit scheduler that planned", asked<&Row::scheduler>},
    {"placer", Type::text, "", "placer of the policy", asked<&Row::placer>},
    {"device", Type::text, "", "implementation of the switch", asked<&Row::device>},
    {"seed", Type::whole, "", "seed of all random draws", asked<&Row::seed>},
    {"workload", Type::text, "", "table of tensors, or trace", asked<&Row::workload>},
    {"workers", Type::whole, "", "number of nodes that train", asked<&Row::workers>},
    {"servers", Type::whole, "", "number of parameter servers; 0 with a collective and with peers",
     asked<&Row::servers>},
    {"delta_ps", Type::whole, "ps", "reconfiguration delay as the device used it: tuning + locking in whole cycles",
     asked<&Row::delta>},
    {"rate_bps", Type::whole, "bit/s", "rate of every port", asked<&Row::rate_bps>},
    {"iterations", Type::whole, "", "number of synchronisations", asked<&Row::iterations>},
    {"payload", Type::text, "", "payload mode: full, digest or none", asked<&Row::payload>},
    {"pst_mean_ps", Type::whole, "ps", "parameter synchronisation time (PST), mean over the iterations",
     pst<&Row::pst_mean>},
    {"pst_min_ps", Type::whole, "ps", "least PST of an iteration", pst<&Row::pst_min>},
    {"pst_max_ps", Type::whole, "ps", "largest PST of an iteration", pst<&Row::pst_max>},
    {"bound_ps", Type::whole, "ps",
     "lower bound of the PST by the port bounds of push and pull, mean over the iterations; 0: there is none",
     measured<&Row::bound>},
    {"reconfigurations", Type::whole, "", "circuits that were set up: sum of the counters TUNINGS of all outputs",
     measured<&Row::reconfigurations>},
    {"dark_port_cycles", Type::whole, "cycles",
     "cycles in which outputs were dark: sum of the counters DARK of all outputs", measured<&Row::dark_port_cycles>},
    {"words_passed", Type::whole, "words", "words that outputs passed: sum of the counters PASSED",
     measured<&Row::words_passed>},
    {"words_lost", Type::whole, "words", "words lost at dark outputs: sum of the counters LOST",
     measured<&Row::words_lost>},
    {"words_unrouted", Type::whole, "words", "words that no output selected: sum of the counters UNROUTED",
     measured<&Row::words_unrouted>},
    {"crc_errors", Type::whole, "", "chunks that arrived with a wrong CRC-32C", measured<&Row::crc_errors>},
    {"cycles", Type::whole, "cycles", "cycles that the device simulated", measured<&Row::cycles>},
    {"sim_time_ps", Type::whole, "ps", "simulated time of the job", measured<&Row::sim_time>},
    {"sync_time_ps", Type::whole, "ps", "part of sim_time_ps spent synchronising: sum of the PSTs",
     measured<&Row::sync_time>},
    {"wall_time_s", Type::real, "s", "wall time of the run, from making the device to the end of the job",
     measured<&Row::wall_time_s>},
    {"realtime_ratio", Type::real, "", "sync_time_ps / wall_time_s; above 1 is faster than real time",
     derived([](const Row& r) -> Value { return r.realtime_ratio(); })},
    {"edges", Type::whole, "", "clock edges of the device that were evaluated", measured<&Row::edges>},
    {"events", Type::whole, "", "number of events in the event log", measured<&Row::events>},
    {"event_log_hash", Type::text, "", "FNV-1a-64 of the event log, 16 hexadecimal digits",
     derived(hash_text, {.features = feature_set(RunFeature::circuits, RunFeature::exact_switch)})},
    {"version", Type::text, "", "version of lightloop", asked<&Row::version>},
    {"name", Type::text, "", "name of the experiment", asked<&Row::name>},
    {"ports", Type::whole, "", "number of inputs, and of outputs, of the switch", asked<&Row::ports>},
    {"cycle_ps", Type::whole, "ps", "length of a cycle", asked<&Row::cycle>},
    {"word_bytes", Type::whole, "B", "bytes that a port passes in a cycle", asked<&Row::word>},
    {"tuning_ps", Type::whole, "ps", "tuning time as the device used it", asked<&Row::tuning>},
    {"locking_ps", Type::whole, "ps", "locking time as the device used it", asked<&Row::locking>},
    {"time_warp", Type::whole, "", "1: idle cycles were skipped; 0: every clock edge was one cycle",
     asked<&Row::time_warp>},
    {"sync", Type::text, "", "synchronisation scheme", asked<&Row::sync>},
    {"compute_ps", Type::whole, "ps", "computing time of a worker in an iteration", asked<&Row::compute>},
    {"transport", Type::text, "", "transport of messages between the nodes", asked<&Row::transport>},
    {"workload_bytes", Type::whole, "B", "bytes of all tensors", asked<&Row::workload_bytes>},
    {"bytes_delivered", Type::whole, "B", "bytes that arrived over the switch, without padding",
     measured<&Row::bytes_delivered>},
    {"bytes_local", Type::whole, "B", "bytes between a worker and the server on its own node",
     measured<&Row::bytes_local>},
    {"sum_errors", Type::whole, "", "parameters that workers received and that were not the sum of the pushes",
     measured<&Row::sum_errors>},
    {"messages", Type::whole, "", "control messages between the coordinator and the nodes", measured<&Row::messages>},
    {"peak_rss_bytes", Type::whole, "B",
     "peak memory (VmHWM) of the coordinator's process in the run, plus that of each node process",
     measured<&Row::peak_rss>},
    {"dark_share", Type::real, "", "share of the nodes' output time while they synchronise in which outputs were dark",
     derived([](const Row& r) -> Value { return r.dark_share(); })},
    {"pst_over_bound", Type::real, "", "pst_mean_ps / bound_ps",
     derived([](const Row& r) -> Value { return r.pst_over_bound(); })},
    {"pst_over_psscheduler", Type::real, "",
     "pst_mean_ps / that of policy psscheduler; null if no such row, equal but for the policy, was run before",
     measured<&Row::pst_over_psscheduler, Presence{.or_null = true}>},
    {"node_compute_ps", Type::whole, "ps", "time in which a worker computes, mean over the workers",
     worker_time<&Row::node_compute>},
    {"node_communication_ps", Type::whole, "ps",
     "exposed communication: time in which words of a worker's transfers are on their way, mean over the workers",
     worker_time<&Row::node_communication>},
    {"node_dark_ps", Type::whole, "ps",
     "time in which the circuit of one of a worker's transfers is being set up, mean over the workers",
     worker_time<&Row::node_dark>},
    {"node_waiting_ps", Type::whole, "ps", "rest of sim_time_ps, in which a worker waits for others",
     worker_time<&Row::node_waiting>},
    {"port_up_cycles", Type::whole, "cycles", "outputs with light, summed over all outputs, as the next four columns",
     measured<&Row::port_up>},
    {"port_tuning_cycles", Type::whole, "cycles", "outputs whose mirrors move", measured<&Row::port_tuning>},
    {"port_locking_cycles", Type::whole, "cycles", "outputs whose receivers lock to the light",
     measured<&Row::port_locking>},
    {"port_held_cycles", Type::whole, "cycles", "outputs that all-stop holds, or that have failed",
     measured<&Row::port_held>},
    {"port_idle_cycles", Type::whole, "cycles", "outputs without a circuit", measured<&Row::port_idle>},
    {"control", Type::text, "", "how plans were executed: confirmed or timetable", asked<&Row::control>},
    {"guard_ps", Type::whole, "ps",
     "timetable: time that a circuit was up before its first word and after its last word, as used",
     asked<&Row::guard>},
    {"lead_ps", Type::whole, "ps", "delay from a decision to its effect, as used", asked<&Row::lead>},
    {"fibre_ps", Type::whole, "ps",
     "propagation delay from a node to the switch, and from the switch to a node, as used", asked<&Row::fibre>},
    {"control_latency_ps", Type::whole, "ps", "delay of messages from the nodes on the control network",
     asked<&Row::control_latency>},
    {"clock_offset", Type::text, "", "clock offsets of the nodes, as requested", asked<&Row::clock_offset>},
    {"clock_spread_ps", Type::whole, "ps", "each clock had an additional offset, drawn from - to + this time, as used",
     asked<&Row::clock_spread>},
    {"retransmit", Type::whole, "", "1: lost words were sent again; 0: a lost word would have ended the run",
     asked<&Row::retransmit>},
    {"words_misrouted", Type::whole, "words", "words that passed to a wrong node and were dropped there",
     measured<&Row::words_misrouted>},
    {"retransmissions", Type::whole, "", "transfers of words that had been lost", measured<&Row::retransmissions>},
    {"words_retransmitted", Type::whole, "words", "words of these transfers; a word that was lost again counts again",
     measured<&Row::words_retransmitted>},
    {"switch", Type::text, "", "source of the delays: a preset or file:PATH; empty: fabric.tuning and fabric.locking",
     asked<&Row::switch_name>},
    {"allocation", Type::text, "", "how the policy cut the parameters into blocks", asked<&Row::allocation>},
    {"colocated", Type::whole, "",
     "1: servers ran on nodes of workers; 0: on their own nodes, or where the policy placed them",
     asked<&Row::colocated>},
    {"all_stop", Type::whole, "", "1: no word passed while any circuit was set up", asked<&Row::all_stop>},
    {"lp_bound_ps", Type::whole, "ps",
     "lower bound of the PST for all placements on the policy's nodes, by linear programming, mean over the iterations",
     placement_bound},
    {"pst_pipelined_ps", Type::whole, "ps",
     "PST if each server answered as soon as its own last push had ended, as planned from a dark switch, not run; null "
     "with all-stop and own schedulers",
     pipelined<&Row::pst_pipelined>},
    {"pipelined_bound_ps", Type::whole, "ps", "lower bound of pst_pipelined_ps; null where that is",
     pipelined<&Row::pipelined_bound>},
    {"fidelity", Type::text, "", "burst: words were counted; word: 512 bits of each word crossed the switch",
     asked<&Row::fidelity>},
    {"words_compared", Type::whole, "words",
     "words that left an output and were compared bit by bit; 0 with fidelity burst", measured<&Row::words_compared>},
    {"node_rates", Type::text, "", "rates of the nodes, as requested: equal, drawn, or those of nodes 0, 1, ...",
     asked<&Row::node_rates>},
    {"extra_tuning", Type::text, "", "additional tuning times of circuits to the nodes, as requested",
     asked<&Row::extra_tuning>},
    {"charge_planning", Type::text, "", "fabric time of planning, as requested: none, a time, measured, row:ID",
     asked<&Row::charge_planning>},
    {"planning_ps", Type::whole, "ps", "time by which planning delayed the plans, in total", measured<&Row::planning>},
    {"planning_charges", Type::text, "ps",
     "time by which each plan was delayed; equal times in succession are TIME*COUNT",
     measured<&Row::planning_charges, Presence{.features = feature_set(RunFeature::circuits, RunFeature::charged)}>},
    {"reproducible", Type::whole, "",
     "0: planning was measured, so another run differs, and only rerun and row:ID repeat it",
     asked<&Row::reproducible>},
    {"planes", Type::whole, "", "number of switches in parallel", asked<&Row::planes>},
    {"jobs", Type::whole, "", "number of jobs that arrived over time, where each coflow of a trace is a job",
     arrival<&Came::jobs>},
    {"coflows", Type::whole, "", "number of coflows that crossed the switch", coflow<&Came::coflows>},
    {"makespan_ps", Type::whole, "ps", "time from the first arrival to the last end", arrival<&Came::makespan>},
    {"cct_mean_ps", Type::whole, "ps",
     "coflow completion time (CCT), from the release of a coflow to its last word, mean", coflow<&Came::cct_mean>},
    {"cct_p95_ps", Type::whole, "ps", "95 % quantile of the CCT (nearest rank)", coflow<&Came::cct_p95>},
    {"cct_p99_ps", Type::whole, "ps", "99 % quantile of the CCT", coflow<&Came::cct_p99>},
    {"cct_max_ps", Type::whole, "ps", "largest CCT", coflow<&Came::cct_max>},
    {"slowdown_mean", Type::real, "", "time of a job / its time when it is alone, as planned on a dark switch, mean",
     arrival<&Came::slowdown_mean>},
    {"slowdown_p95", Type::real, "", "95 % quantile of the slowdown", arrival<&Came::slowdown_p95>},
    {"slowdown_p99", Type::real, "", "99 % quantile of the slowdown", arrival<&Came::slowdown_p99>},
    {"plans", Type::whole, "", "number of plans, all planes together", arrival<&Came::plans>},
    {"late", Type::whole, "", "reservations that were not executed in exactly the planned cycles",
     arrival<&Came::late>},
    {"coflows_off_plan", Type::whole, "", "coflows whose CCT differs from that of the same run on paper",
     coflow<&Came::off_plan>},
    {"outages", Type::text, "", "intervals in which ports had no light, as requested", asked<&Row::outages>},
    {"sync_settings", Type::text, "", "settings that the synchronisation scheme reads", asked<&Row::sync_settings>},
    {"duration_ps", Type::whole, "ps", "time until which workers passed the gate; 0: the iterations ended the job",
     asked<&Row::duration>},
    {"deaths", Type::text, "", "nodes that died, and when, as requested", asked<&Row::deaths>},
    {"compute_model", Type::text, "", "how computing times differ from compute_ps, as requested",
     asked<&Row::compute_model>},
    {"workers_left", Type::whole, "", "workers that took no part until the end", scheme<&Scheme::left>},
    {"updates", Type::whole, "", "pushes that were applied to the model, until the duration, if there is one",
     scheme<&Scheme::updates>},
    {"updates_dropped", Type::whole, "", "pushes that arrived too late and were not applied, until the duration",
     scheme<&Scheme::dropped>},
    {"steps", Type::whole, "", "iterations whose pushes were applied; with predictive: local steps",
     scheme<&Scheme::steps>},
    {"iteration_mean_ps", Type::whole, "ps", "iteration time, between the ends of two pushes of a worker, mean",
     scheme<&Scheme::iteration_mean>},
    {"iteration_p99_ps", Type::whole, "ps", "99 % quantile of the iteration time (nearest rank)",
     scheme<&Scheme::iteration_p99>},
    {"iteration_max_ps", Type::whole, "ps", "largest iteration time", scheme<&Scheme::iteration_max>},
    {"iteration_last_ps", Type::whole, "ps", "last iteration time of the first worker",
     scheme<&Scheme::iteration_last>},
    {"blocked_mean_ps", Type::whole, "ps", "blocked time, from the request at the gate to the grant, mean",
     scheme<&Scheme::blocked_mean>},
    {"blocked_p99_ps", Type::whole, "ps", "99 % quantile of the blocked time", scheme<&Scheme::blocked_p99>},
    {"blocked_max_ps", Type::whole, "ps", "largest blocked time", scheme<&Scheme::blocked_max>},
    {"staleness_mean", Type::real, "",
     "staleness: updates of others between the snapshot of a push and its application, mean",
     scheme<&Scheme::staleness_mean>},
    {"staleness_p99", Type::whole, "", "99 % quantile of the staleness", scheme<&Scheme::staleness_p99>},
    {"staleness_max", Type::whole, "", "largest staleness", scheme<&Scheme::staleness_max>},
    {"clock_gap_max", Type::whole, "",
     "largest number of pushes by which a worker was ahead of the slowest one when it was released",
     scheme<&Scheme::clock_gap>},
    {"fusion_bytes", Type::whole, "B",
     "neighbouring tensors crossed together up to this size; 0: they did not, or slice_bytes is 0",
     asked<&Row::fusion>},
    {"slice_bytes", Type::whole, "B", "larger tensors were cut at multiples of this size; 0: they were not cut",
     asked<&Row::slice>},
    {"slices", Type::whole, "",
     "transfers of a worker in one push, all servers together; with a collective the number of legs", slice_count},
    {"rate_trace", Type::text, "", "file of node rates that change, as requested; empty: none",
     asked<&Row::rate_trace>},
    {"overlap", Type::text, "", "overlap of pushes and computing, with the share of the backward pass, or none",
     asked<&Row::overlap>},
    {"priorities", Type::text, "", "priorities of the slices that are ready: layer or none", asked<&Row::priorities>},
    {"commands", Type::whole, "",
     "number of commits, starts and stops; null if there were none, as the next six columns",
     command<&CommandResults::count>},
    {"commands_late", Type::whole, "", "commands that reached the switch after their cycle",
     command<&CommandResults::late>},
    {"command_mean_ps", Type::whole, "ps", "control latency, from the decision to the switch, mean",
     command<&CommandResults::mean>},
    {"command_median_ps", Type::whole, "ps", "median of the control latency (nearest rank)",
     command<&CommandResults::median>},
    {"command_p99_ps", Type::whole, "ps", "99 % quantile of the control latency; minus the median it is the jitter",
     command<&CommandResults::p99>},
    {"command_max_ps", Type::whole, "ps", "largest control latency", command<&CommandResults::max>},
    {"command_histogram", Type::text, "", "number of commands by powers of two of nanoseconds, without empty classes",
     command<&CommandResults::histogram>},
    {"collective", Type::text, "",
     "collective that replaced the servers, with its algorithm and, unless a scheduler plans, its policy: "
     "all_reduce/ring/optimal; or none",
     asked<&Row::collective>},
    {"server_load", Type::text, "", "how the model was spread over the servers: placed, static or adaptive",
     asked<&Row::server_load>},
    {"load_settings", Type::text, "", "settings of adaptive server load", asked<&Row::load_settings>},
    {"load_keys", Type::whole, "", "number of keys that servers owned by a map", load<&LoadResults::keys>},
    {"load_maps", Type::whole, "", "number of maps after the first one", load<&LoadResults::maps>},
    {"keys_moved", Type::whole, "", "keys that changed their owner, all maps together", load<&LoadResults::moved>},
    {"moved_bytes", Type::whole, "B", "bytes of the moved keys, in whole words; bytes_delivered includes them",
     load<&LoadResults::bytes_moved>},
    {"migration_ps", Type::whole, "ps", "time from the decisions on new maps until their iterations began, in total",
     load<&LoadResults::migrating>},
    {"pushes_refused", Type::whole, "", "pushes under an old map, which were repeated under the new one",
     load<&LoadResults::refused>},
    {"network", Type::text, "",
     "circuit: transfers crossed the switch; packet: they shared the rates of the ports, max-min fair",
     asked<&Row::network>},
    {"gradients", Type::text, "", "pattern: numbers whose sums were checked; real: gradients of a model that learned",
     asked<&Row::gradients>},
    {"learning_settings", Type::text, "",
     "settings of real gradients: model, shards, rate, batch, updates between evaluations, target",
     asked<&Row::learning_settings>},
    {"accuracy", Type::real, "",
     "accuracy of the final model on the test pictures, 0 to 1; among peers the least of four models",
     learned<&LearningResults::accuracy>},
    {"loss", Type::real, "",
     "loss of the final model on the test pictures, mean cross entropy in nats; among peers the largest of four",
     learned<&LearningResults::loss>},
    {"time_to_accuracy_ps", Type::whole, "ps",
     "simulated time of the first point of the curve at or above learning.target; null if there is none",
     learned<&LearningResults::to_target, true>},
    {"updates_to_accuracy", Type::whole, "", "number of updates at that point; null if there is none",
     learned<&LearningResults::updates_to_target, true>},
    {"samples", Type::text, "",
     "number of pictures that each worker learned from, in the order of the nodes, with those of dropped pushes",
     learned<&LearningResults::samples>},
    {"error", Type::text, "", "why the row failed (run --keep-going)",
     measured<&Row::error, Presence{.features = feature_set(RunFeature::failure), .requested = true}>},
    {"iteration_ps", Type::whole, "ps", "iteration time, for every kind of job; null if nothing was pushed",
     derived([](const Row& r) -> Value { return column_value(r.iteration()); }, {.or_null = true})},
    {"tuning_requested_ps", Type::whole, "ps",
     "tuning_ps before rounding; 0 where there is no switch, as the next five columns",
     nominal<&RequestedTimes::tuning>},
    {"locking_requested_ps", Type::whole, "ps", "locking_ps before rounding", nominal<&RequestedTimes::locking>},
    {"guard_requested_ps", Type::whole, "ps", "guard_ps before rounding", nominal<&RequestedTimes::guard>},
    {"lead_requested_ps", Type::whole, "ps", "lead_ps before rounding", nominal<&RequestedTimes::lead>},
    {"fibre_requested_ps", Type::whole, "ps", "fibre_ps before rounding", nominal<&RequestedTimes::fibre>},
    {"clock_spread_requested_ps", Type::whole, "ps", "clock_spread_ps before rounding",
     nominal<&RequestedTimes::clock_spread>},
    {"program_time_ps", Type::whole, "ps",
     "serial programming of mirrors: time by which each further group of a commit tuned longer, as used",
     serial<&SerialProgramming::time>},
    {"program_lanes", Type::whole, "", "mirrors that were programmed at once", serial<&SerialProgramming::lanes>},
    {"jitter_ps", Type::whole, "ps", "time by which each tuning took longer at most, drawn anew, as used",
     unsteady<&UnsteadyMirrors::jitter>},
    {"mirror_faults", Type::text, "", "faults of mirrors, as requested", unsteady<&UnsteadyMirrors::faults>},
    {"receivers", Type::text, "",
     "time that receivers took to lock beyond fabric.locking, by what they last received, as requested",
     unsteady<&UnsteadyMirrors::receivers>},
    {"clock_drift_ppm", Type::whole, "ppm", "clocks were fast or slow by constants, drawn from - to + this",
     drifting<&DriftingClocks::ppm>},
    {"clock_sync_ps", Type::whole, "ps", "time after which all clocks were set right again, as used",
     drifting<&DriftingClocks::sync>},
    {"guard_misses", Type::whole, "", "bursts that began further from their planned cycle than their guard",
     measured<&Row::guard_misses, Presence{.features = feature_set(RunFeature::circuits, RunFeature::timetable)}>},
    {"extra_fibre", Type::text, "", "time by which nodes are farther from the switch than fabric.fibre, as requested",
     measured<&Row::extra_fibre, Presence{.features = feature_set(RunFeature::far), .requested = true}>},
    {"neighbours", Type::text, "",
     "what mirrors that moved did to others, as requested; parking is in tuning_ps, words that were lost are in "
     "words_lost",
     measured<&Row::neighbours,
              Presence{.features = feature_set(RunFeature::circuits, RunFeature::neighbours), .requested = true}>},
    {"light", Type::text, "", "level of light at outputs, and what became of it, as requested",
     measured<&Row::light,
              Presence{.features = feature_set(RunFeature::circuits, RunFeature::light), .requested = true}>},
    {"words_shown", Type::whole, "words",
     "words that stuck mirrors which kept their light showed to outputs that were not to have them; null if none was "
     "so; "
     "each counts besides by what became of it elsewhere",
     measured<&Row::words_shown,
              Presence{.features = feature_set(RunFeature::circuits, RunFeature::unsteady), .or_null = true}>},
};

auto asked_for(const Row& r) {
  return std::tie(r.name, r.device, r.switch_name, r.workload, r.sync, r.payload, r.transport, r.seed, r.workers,
                  r.servers, r.iterations, r.ports, r.rate_bps, r.cycle, r.tuning, r.locking, r.compute, r.time_warp,
                  r.control, r.guard, r.lead, r.fibre, r.control_latency, r.clock_offset, r.clock_spread, r.retransmit,
                  r.colocated, r.all_stop, r.charge_planning, r.fidelity, r.node_rates, r.rate_trace, r.extra_tuning,
                  r.outages, r.planes, r.sync_settings, r.duration, r.deaths, r.compute_model, r.fusion, r.slice,
                  r.overlap, r.priorities, r.collective, r.server_load, r.load_settings, r.network, r.gradients,
                  r.learning_settings, r.programming, r.mirrors, r.clocks, r.extra_fibre, r.neighbours, r.light);
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
