// A result row: what one run of one point of an experiment measured, and the table of columns that says what each is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/core/results.hpp"
#include "host/core/units.hpp"
#include "testbed/results/rows/column.hpp"
#include "testbed/results/rows/job_entry.hpp"

namespace ocs {

/// What came out when coflows came over time.
struct ArrivalResults {
  std::int64_t jobs = 0, coflows = 0;  ///< a trace's coflow is a job of its own
  Picos makespan;                      ///< from the first arrival to the last end
  Picos cct_mean, cct_p95, cct_p99,
      cct_max;  ///< from a coflow's release to its end; mean rounded, quantiles by nearest rank
  double slowdown_mean = 0, slowdown_p95 = 0, slowdown_p99 = 0;  ///< of a job: its time / its time alone, on paper
  Picos iteration_mean;  ///< of a job: its time / its iterations; a trace's coflow has one
  std::int64_t plans = 0, late = 0,
               off_plan = 0;  ///< late: reservations; off_plan: coflows whose time isn't that on paper
  bool by_coflow = true;      ///< false: jobs are more than coflows, whose times aren't known then
};

/// What a job's synchronisation scheme came to.
struct SchemeResults {
  std::int64_t updates = 0, dropped = 0, steps = 0;
  Picos iteration_mean, iteration_p99, iteration_max;  ///< between two pushes of a worker
  Picos iteration_last;                                ///< of the first worker, up to its last push
  Picos blocked_mean, blocked_p99, blocked_max;        ///< at the gate
  double staleness_mean = 0;                           ///< updates of others
  std::int64_t staleness_p99 = 0, staleness_max = 0;
  std::int64_t clock_gap = 0, left = 0;
  std::int64_t intervals = 0, waits = 0;  ///< samples of the iteration times, and of the blocked times
};

/// Of commands to a switch whose clock goes on by itself: from the cycle as of which each was decided to the one in
/// which the switch had it.
struct CommandResults {
  std::int64_t count = 0, late = 0;  ///< late: after the cycle that it was for
  Picos mean, median, p99, max;
  std::string histogram;  ///< by powers of two of ns
};

/// What became of keys that servers own by a map.
struct LoadResults {
  std::int64_t keys = 0, maps = 0, moved = 0;  ///< maps: after the first one; moved: keys
  Bytes bytes_moved;
  Picos migrating;
  std::int64_t refused = 0;
};

/// What a job with real gradients learned.
struct LearningResults {
  std::vector<CurveEntry> curve;   ///< no column: sinks keep it in their own way
  double accuracy = 0, loss = 0;   ///< of the last point
  std::optional<Picos> to_target;  ///< time of the first point at or above the target
  std::optional<std::int64_t> updates_to_target;
  std::string samples;  ///< that each worker learned from, separated by blanks
};

/// A key of the experiment as a row of the table shows it.
struct ShownSetting {
  std::string key, value;  ///< dotted; as written
  bool axis = false;       ///< the experiment has several values of it
};

/// Times as asked for, where the device uses whole cycles.
struct RequestedTimes {
  Picos tuning, locking, guard, lead, fibre, clock_spread;
};

/// Mirrors that are programmed in turn, as the device used it.
struct SerialProgramming {
  Picos time;
  int lanes = 1;
  friend bool operator==(const SerialProgramming&, const SerialProgramming&) = default;
};

/// Mirrors whose light no plan knows.
struct UnsteadyMirrors {
  Picos jitter;                   ///< as the device used it
  std::string faults, receivers;  ///< as asked for
  friend bool operator==(const UnsteadyMirrors&, const UnsteadyMirrors&) = default;
};

/// Clocks of nodes that are fast or slow, by timetable.
struct DriftingClocks {
  std::int64_t ppm = 0;  ///< as asked for
  Picos sync;            ///< as used
  friend bool operator==(const DriftingClocks&, const DriftingClocks&) = default;
};

struct Row {
  // what was run
  std::vector<ShownSetting> settings;  ///< no column: the sinks keep every key in their own way
  RequestedTimes requested;
  std::string network = "circuit";
  std::string name, policy, scheduler, placer, device, switch_name, workload, sync, payload, transport, version;
  std::uint64_t seed = 0;
  int workers = 0, servers = 0, iterations = 0, ports = 0;
  std::int64_t rate_bps = 0;
  Picos cycle, tuning, locking, delta, compute;  ///< tuning, locking, delta: as the device used them
  std::optional<SerialProgramming> programming;  ///< none: all mirrors at once
  std::optional<UnsteadyMirrors> mirrors;        ///< none: they take their time, always
  std::optional<DriftingClocks> clocks;          ///< none: each is off by the same, always
  std::optional<std::string> neighbours;         ///< as asked for; none: mirrors disturb nobody
  std::optional<std::string> light;              ///< as asked for; none: light has no level
  std::optional<std::string> extra_fibre;        ///< as asked for; none: fabric.fibre says it of all nodes
  Bytes word, workload_bytes;
  bool time_warp = true;
  std::string fidelity = "burst";
  std::uint64_t words_compared = 0;
  std::string control, clock_offset;                          ///< mode; offsets as asked for
  std::string node_rates, rate_trace, extra_tuning, outages;  ///< as asked for
  Picos guard, lead, fibre, clock_spread, control_latency;    ///< but for the latency, as the device used them
  bool retransmit = true, colocated = false, all_stop = false;
  std::string allocation;
  std::string charge_planning = "none";
  bool reproducible = true;  ///< the same experiment gives the same row again
  // what came out
  Picos pst_mean, pst_min, pst_max, bound;              ///< over the iterations; means rounded to a whole ps
  Picos lp_bound;                                       ///< as bound, whatever the placement
  std::optional<Picos> pst_pipelined, pipelined_bound;  ///< of the overlapped form, as planned from a dark switch
  Picos planning;                                       ///< charged in all
  std::optional<std::string> planning_charges;  ///< of each plan, as charges_text() says them; none: nothing is charged
  std::int64_t reconfigurations = 0, dark_port_cycles = 0;
  std::int64_t words_passed = 0, words_lost = 0, words_unrouted = 0, words_misrouted = 0;
  std::optional<std::int64_t> words_shown;   ///< none: no mirror was stuck that keeps its light
  std::optional<std::int64_t> guard_misses;  ///< none: by confirmation there is no guard
  std::int64_t retransmissions = 0, words_retransmitted = 0;
  std::int64_t crc_errors = 0, sum_errors = 0;
  Bytes bytes_delivered, bytes_local;
  Cycles cycles;
  Picos sim_time, sync_time;
  double wall_time_s = 0;  ///< of the stopwatch; with `realtime_ratio` and `peak_rss`, all that differs from run to run
  Bytes peak_rss;          ///< of the coordinator and of all node processes that it started, each its own peak
  std::uint64_t edges = 0;
  std::int64_t events = 0, messages = 0;
  std::optional<std::uint64_t> event_log_hash;
  Picos node_compute, node_communication, node_dark, node_waiting;  ///< means over the workers; sum: sim_time
  Cycles port_up, port_tuning, port_locking, port_held, port_idle;  ///< port-cycles; sum: ports * cycles
  int planes = 1;
  std::optional<ArrivalResults> arrivals;            ///< then there is no PST
  std::vector<JobEntry> jobs;                        ///< no column: sinks keep them in their own way
  std::string sync_settings, deaths, compute_model;  ///< as asked for
  Picos duration;
  Bytes fusion, slice;  ///< 0: none
  std::string overlap = "none", priorities = "none", collective = "none";
  std::int64_t slices = 0;                               ///< of the model, of one job
  bool eager = false;                                    ///< workers go on one by one: there is no PST
  std::optional<SchemeResults> schemes;                  ///< of one job
  std::optional<CommandResults> commands;                ///< only on a wall-clock device
  std::string gradients = "pattern", learning_settings;  ///< as asked for
  std::optional<LearningResults> learning;               ///< of real gradients
  std::string server_load = "placed", load_settings;     ///< as asked for
  std::optional<LoadResults> load;                       ///< where servers own keys
  std::optional<double> pst_over_psscheduler;            ///< set when that row was run before this one
  std::optional<std::string> error;                      ///< why the row failed: nothing was measured

  /// The number that rows of every kind have. Between two pushes of a worker, mean; of a job with one iteration, its
  /// time; of jobs that came over time, their time / their iterations, mean. None: nothing was pushed.
  std::optional<Picos> iteration() const;
  void know_iteration(Picos time);  ///< of a row of which nothing else is known
  double pst_over_bound() const;
  double realtime_ratio() const;  ///< simulated synchronisation time / wall time
  double dark_share() const;      ///< of the nodes' output time while they synchronise
};

using Column = ColumnOf<Row>;

/// All columns in their order. Names are never taken away or given another meaning.
std::span<const Column> row_columns();

/// Whether the same experiment gives this column another value each time: what the stopwatch and the machine say.
bool differs_each_time(std::string_view column);

/// The row as a ResultSink takes it.
std::vector<std::pair<std::string, Value>> to_fields(const Row& row);

/// Whether two rows differ in nothing that was asked for but the policy (and what follows from it).
bool same_but_policy(const Row& a, const Row& b);

/// Sets `pst_over_psscheduler` if `earlier` has the row to compare with.
void compare_with_psscheduler(Row& row, std::span<const Row> earlier);

}  // namespace ocs
