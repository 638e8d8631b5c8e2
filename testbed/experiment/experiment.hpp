// A resolved experiment: every key has a value, every value is possible, every axis is written out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/delays.hpp"
#include "host/core/fibres.hpp"
#include "host/core/network.hpp"
#include "host/core/units.hpp"
#include "testbed/collectives/demand.hpp"
#include "testbed/collectives/phased_workload.hpp"
#include "testbed/collectives/port_map.hpp"
#include "testbed/coordinator/model/overlap.hpp"
#include "testbed/coordinator/model/slicing.hpp"
#include "testbed/coordinator/node_death.hpp"
#include "testbed/experiment/files/bandwidth_trace.hpp"
#include "testbed/experiment/own_policies.hpp"
#include "testbed/experiment/row_choice.hpp"
#include "testbed/experiment/settings.hpp"
#include "testbed/learning/learning_job.hpp"
#include "testbed/load/load_balancer.hpp"
#include "testbed/peers/peer_settings.hpp"
#include "testbed/sync/settings.hpp"
#include "testbed/workloads/coflow_trace.hpp"
#include "testbed/workloads/compute_model.hpp"
#include "testbed/workloads/workload.hpp"

namespace ocs {

/// A port without light from `from` until `until`; never<Picos>: for good.
struct PortOutage {
  std::uint16_t port = 0;
  Picos from, until;
  friend bool operator==(const PortOutage&, const PortOutage&) = default;
};

/// A fault of the mirror of an output, as asked for.
struct TimedMirrorFault {
  std::uint16_t output = 0;
  MirrorFault fault{};
  Picos amount;  ///< of slow: that tuning takes more; of flap: between two losses of light
  Picos from, until;
  friend bool operator==(const TimedMirrorFault&, const TimedMirrorFault&) = default;
};

/// What receivers take to lock beyond fabric.locking, as asked for; lists that never fall.
struct ReceiverTimes {
  Picos warm_time;                ///< a receiver is warm if it last received from the input less than this ago
  std::vector<Picos> warm, cold;  ///< 1, 2, 4, 8 or 16 of each, each as likely as the others of its list

  Picos longest() const { return std::max(warm.back(), cold.back()); }
  friend bool operator==(const ReceiverTimes&, const ReceiverTimes&) = default;
};

/// What mirrors that move do to others, as asked for: one of the two, or nothing.
struct NeighbourTimes {
  std::uint32_t distances = 0;  ///< bit k: outputs whose numbers differ by k + 1 are disturbed
  Picos disturbed{};            ///< so long they lose their words
  Picos park{};                 ///< each tuning takes so much longer, and nobody is disturbed
  friend bool operator==(const NeighbourTimes&, const NeighbourTimes&) = default;
};

/// The level of light at outputs, and what becomes of it, as asked for: hundredths of a dBm, and of a dB.
struct LightLevels {
  int laser = 0, loss = 0;          ///< of every port
  std::vector<int> lasers{};        ///< of each input; empty: every input has `laser`
  std::vector<int> losses{};        ///< of each output; empty: every output has `loss`
  bool detected = false;            ///< light is lost below a level
  int lost_below = 0, back_at = 0;  ///< the second is no less
  Picos lost_for, back_for;         ///< so long before it is reported
  int rings = 0;                    ///< times that a mirror that arrives loses its light, 0 to 255
  Picos ring_after, ring;

  /// Whether ports differ.
  bool by_port() const { return !lasers.empty() || !losses.empty(); }
  friend bool operator==(const LightLevels&, const LightLevels&) = default;
};

/// The switch: what was asked for, and what a device makes of it.
struct FabricSettings {
  std::string device;
  int ports = 0;                         ///< 2 to 256
  std::int64_t rate_bps = 0;             ///< of every port
  bool rate_of_device = false;           ///< rate and word were asked of the device
  Bytes word;                            ///< 1 to 32768
  Picos tuning, locking;                 ///< as asked for; of a named switch the longest of its pairs and outputs
  std::string switch_name, switch_hash;  ///< the switch that says the delays, and its text's hash; empty: none does
  std::vector<Picos> pair_tuning;        ///< of the named switch, at in * ports + out; empty: every pair has `tuning`
  std::vector<Picos> output_locking;     ///< of the named switch; empty: every output has `locking`
  std::optional<Picos> control_latency;  ///< of the named switch: replaces control.lead
  Picos program_time;                    ///< serial programming of mirrors, of each further group; 0: all at once
  int program_lanes = 1;                 ///< mirrors of a group, 1 to 256
  Picos cycle;                           ///< word bits / rate, whole
  Cycles tuning_cycles, locking_cycles;  ///< rounded up, each on its own; below 2^30
  std::vector<Cycles> pair_tuning_cycles, output_locking_cycles;
  Cycles program_cycles{0};  ///< rounded up; below 2^30
  Picos jitter;              ///< each tuning takes up to so much more, drawn anew; as asked for
  Cycles jitter_cycles{0};   ///< rounded up: 2^m - 1
  Picos fibre;               ///< from a node to the switch, and from the switch to a node; as asked for
  Cycles fibre_cycles;       ///< of the node that is farthest, rounded up; below 2^30
  Fibres fibres;             ///< of each node, rounded up
  bool time_warp = true;
  bool all_stop = false;     ///< circuits that are set up stop all others meanwhile
  bool words_cross = false;  ///< fidelity "word"
  int planes = 1;            ///< switches in parallel
  bool equal_split = false;  ///< of demand over planes; else whole flows, the longest first
  std::string outages_text;
  std::vector<PortOutage> outages;     ///< as asked for
  std::vector<Outage> outages_cycles;  ///< the same, ascending: rounded up
  std::string mirror_faults_text;
  std::vector<TimedMirrorFault> mirror_faults;  ///< as asked for
  std::vector<MirrorChange> mirror_changes;     ///< the same, ascending: rounded up
  std::string receivers_text;
  std::optional<ReceiverTimes> receiver_times;  ///< as asked for; none: all receivers lock alike
  std::optional<Receivers> receivers;           ///< the same in cycles, rounded up
  std::string neighbours_text;
  NeighbourTimes neighbour_times;  ///< as asked for
  Neighbours neighbours;           ///< the same in cycles, rounded up; parking is in the tuning times
  std::string light_text;
  std::optional<LightLevels> light_levels;  ///< as asked for; none: light has no level
  std::optional<LightLevel> light;          ///< the same in cycles, rounded up

  /// What the device really uses between a commit and light, at most: tuning + locking.
  Picos delta() const { return to_picos(tuning_cycles + locking_cycles, cycle); }
  /// What the last output of a commit of all waits for its programming; 0: none ever waits.
  Cycles longest_programming() const { return program_cycles * ((ports - 1) / program_lanes); }
  bool programs_in_turn() const { return longest_programming().n > 0; }
  /// Whether mirrors or receivers may take longer than plans count with.
  bool is_unsteady() const { return jitter_cycles.n > 0 || !mirror_changes.empty() || receivers; }
  /// Whether mirrors that arrive lose their light again for a while.
  bool rings() const { return light && light->any_ring(); }
  /// Whether a port that lives again is without light for longer than its outage.
  bool reports_late() const { return light && light->lost.n + light->back.n > 0 && !outages_cycles.empty(); }
  /// Whether circuits may be up later than plans count with, by times that the controller doesn't know.
  bool has_drawn_light() const { return is_unsteady() || rings() || reports_late(); }
  /// Whether a mirror that is stuck goes on to show the input at which it stands.
  bool keeps_light() const {
    return std::ranges::any_of(mirror_changes, [](const MirrorChange& one) { return one.fault == MirrorFault::kept; });
  }
  /// Whether words that a plan counts with may be lost: those of outputs that others disturb.
  bool disturbs() const { return neighbours.any(); }
  /// The same of outputs whose light is missing before its loss is reported.
  bool loses_light_late() const { return rings() && light->lost.n > 0; }
  /// The delays of every pair, in cycles.
  SwitchDelays delays() const {
    return {.tuning = tuning_cycles,
            .locking = locking_cycles,
            .pair_tuning = pair_tuning_cycles,
            .output_locking = output_locking_cycles,
            .programming = program_cycles,
            .lanes = program_lanes,
            .jitter = jitter_cycles,
            .receivers = receivers,
            .neighbours = neighbours,
            .light = light};
  }
  friend bool operator==(const FabricSettings&, const FabricSettings&) = default;
};

/// How plans are executed.
struct ControlSettings {
  std::string mode;                  ///< confirmed, timetable
  Picos guard, lead;                 ///< as asked for
  Cycles guard_cycles, lead_cycles;  ///< rounded up; below 2^30
  friend bool operator==(const ControlSettings&, const ControlSettings&) = default;
};

/// The training job.
struct JobSettings {
  std::string workload_name;
  std::shared_ptr<const Workload> workload;
  int workers = 0, servers = 0;  ///< each at least 1; as many nodes as node_count()
  bool colocated = false;        ///< servers run on nodes of workers, not on nodes of their own
  std::string sync;
  std::shared_ptr<const SyncEntry> own_sync;  ///< of a function; none: `sync` is of the catalogue
  SyncSettings sync_settings;
  std::string collective = "none";                       ///< in place of servers
  std::string algorithm = "default";                     ///< of the collective
  std::shared_ptr<const CollectiveEntry> own_algorithm;  ///< of a function; none: of the catalogue
  std::uint32_t chunks = 1;                              ///< of a broadcast in a chain
  bool preset = true;                                    ///< maps change before the computing of a leg
  std::string candidates_text, demand_text;
  std::vector<CandidateChoice> candidates;             ///< maps that a policy may choose
  DemandRule demand;                                   ///< of an all_to_all
  std::shared_ptr<const DemandMatrix> demand_in_file;  ///< bytes; of DemandRule::Kind::file
  std::string reconfigure = "scheduler";               ///< who sets circuits up for a collective: also a policy
  std::string peers = "none";                          ///< also: who chooses receivers
  std::shared_ptr<const SelectionEntry> own_peers;     ///< of a function; none: of the catalogue
  PeerSettings peer_settings;
  SliceRule slicing;
  OverlapRule overlap;
  std::string server_load;                                    ///< placed, static, adaptive
  LoadSettings load;                                          ///< of adaptive
  int iterations = 0;                                         ///< at least 1
  Picos duration;                                             ///< 0: the job ends with its iterations
  Picos compute;                                              ///< of a worker, each iteration
  std::string published, factors, jitter, stragglers, trace;  ///< of compute times, as asked for
  ComputeModel compute_model;                                 ///< what all of these come to
  Picos compute_fixed;                                        ///< of each iteration in addition, whatever the batch
  bool real_gradients = false;
  LearningJob learning;                          ///< of real gradients
  std::uint32_t target_num = 4, target_den = 5;  ///< accuracy, of time to accuracy
  std::string deaths_text;
  std::vector<NodeDeath> deaths;  ///< as asked for
  std::string payload;
  bool retransmit = true;  ///< what the switch lost is sent again
  friend bool operator==(const JobSettings&, const JobSettings&) = default;
};

/// The number of nodes; a collective and peers have workers alone.
int node_count(const JobSettings& job);

/// One of several jobs.
struct ArrivingJob {
  Picos arrival;
  std::int32_t priority = 0;  ///< smaller goes first
  int first_node = 0;         ///< its node v is node (first_node + v) mod ports of the switch
  std::size_t table = 0;      ///< that says it, counted from 1
  JobSettings job;
  friend bool operator==(const ArrivingJob&, const ArrivingJob&) = default;
};

struct SwitchProfile;
struct OutsideScheduler;

/// A workload with phases, and the tensors that a row calls its workload.
struct PhasedInput {
  std::shared_ptr<const PhasedWorkload> phases;
  std::shared_ptr<const Workload> table;
};

/// Who plans circuits, and what time that takes on the fabric.
struct PlanningSettings {
  std::string scheduler;                            ///< as written; empty: the policy's
  std::shared_ptr<const OutsideScheduler> outside;  ///< of "exec:" and "plan:"
  Picos timeout;                                    ///< wall time of a program for one plan
  enum class Charge : std::uint8_t { none, fixed, measured, row } charge = Charge::none;
  std::string charge_text;                             ///< as written
  Picos fixed;                                         ///< of each plan
  std::int64_t row = 0;                                ///< whose charges are taken again
  std::shared_ptr<const std::vector<Picos>> replayed;  ///< these, plan by plan
  friend bool operator==(const PlanningSettings&, const PlanningSettings&) = default;
};

struct NodeSettings {
  std::string transport;
  std::string rates;                    ///< equal, drawn, or rates, as asked for
  std::vector<std::int64_t> rates_bps;  ///< one: of every node; several: of nodes 0, 1, ...; none: equal or drawn
  std::vector<Cycles> word_cycles;      ///< that a word takes from or to each node; empty: one cycle
  std::string rate_trace;               ///< file of changing rates, as asked for; empty: none
  std::shared_ptr<const std::vector<BandwidthChange>> changes;  ///< what it says; none: rates stay
  std::vector<RateChange> rate_changes;                         ///< the same in cycles
  std::string extra_tuning_text;
  std::string extra_fibre_text;
  std::vector<Picos> extra_fibre;  ///< nodes are so much farther than fabric.fibre: one: every node; several: 0, 1, ...
  std::vector<Picos> extra_tuning;  ///< circuits to a node tune so much longer: one: of every node; several: 0, 1, ...
  std::string listen;               ///< endpoint of the coordinator; empty: chosen by the program
  std::string keys;                 ///< key file of nodes from elsewhere; empty: none
  bool insecure = false;            ///< they may come from other hosts without a key
  int expect = 0;                   ///< so many nodes come from elsewhere; 0 with "inproc"
  Picos timeout;                    ///< wall time without an answer that is owed
  Picos control_latency;            ///< of a node's message on the control network
  std::string clock_offset_text;
  std::vector<Picos> clock_offset;          ///< one: of every node; several: of nodes 0, 1, ...; as asked for
  Picos clock_spread;                       ///< of a draw that is added for each node
  std::vector<Cycles> clock_offset_cycles;  ///< of each node, rounded away from 0; below 2^31
  std::int64_t clock_drift_ppm = 0;         ///< of a draw for each node
  std::vector<std::int64_t> clock_drift;    ///< of each node, in 10^-9, slow above 0; empty: none drifts
  Picos clock_sync;                         ///< from one instant in which all clocks are set to the next
  Cycles clock_sync_cycles{0};              ///< the same, rounded up
  /// By how much light takes longer than fabric.fibre between node v and the switch.
  Picos extra_fibre_of(std::size_t v) const {
    if (extra_fibre.size() == 1) return extra_fibre[0];
    return v < extra_fibre.size() ? extra_fibre[v] : Picos{0};
  }
  /// Whether some nodes are farther from the switch than fabric.fibre.
  bool farther() const {
    return std::any_of(extra_fibre.begin(), extra_fibre.end(), [](Picos more) { return more.n > 0; });
  }
  friend bool operator==(const NodeSettings&, const NodeSettings&) = default;
};

/// One run, one result row.
struct Point {
  std::string name, policy;
  bool packets = false;  ///< network "packet": ports are shared, nothing is switched
  std::uint64_t seed = 0;
  FabricSettings fabric;
  ControlSettings control;
  JobSettings job;
  NodeSettings nodes;
  PlanningSettings planning;
  std::string placer;                             ///< as written; empty: the policy's
  std::shared_ptr<const PlacerEntry> own_placer;  ///< of a function; none: of the catalogue
  std::string jobs_text;                          ///< as written; empty: there is one job, or a trace
  std::vector<ArrivingJob> jobs;                  ///< by arrival
  bool whole_jobs = false;  ///< some of them is more than coflows: each runs with its scheme, nodes and sums of its own
  bool beside_others = false;                 ///< it is one of several jobs on the network
  std::vector<std::string> said_by_all_jobs;  ///< keys of [job] that every table says itself
  bool gaps_drawn = false;                    ///< of some table, from the seed
  std::shared_ptr<const CoflowTrace> trace;   ///< of a workload "coflow:PATH"
  std::shared_ptr<const PhasedInput> phased;  ///< of a workload "llm:MODEL?..."

  /// Coflows come over time, from a trace or from several jobs.
  bool arrivals() const { return trace != nullptr || !jobs.empty(); }
  bool collective() const { return job.collective != "none"; }
  /// A policy says which circuits there are, not a scheduler.
  bool sets_maps() const { return collective() && job.reconfigure != "scheduler"; }
  bool peers() const { return job.peers != "none"; }
  int node_count() const { return ocs::node_count(job); }
  friend bool operator==(const Point&, const Point&) = default;
};

/// What can be named in an experiment file, from the catalogues, and where tables are found.
struct Names {
  std::vector<std::string> devices, policies, schedulers, sync, payloads, transports;
  std::function<Workload(std::string_view name)> load_workload;     ///< throws Error (input)
  std::function<CoflowTrace(std::string_view name)> load_trace;     ///< "coflow:PATH"; throws Error (input)
  std::function<SwitchProfile(std::string_view name)> load_switch;  ///< throws Error (input)
  /// "llm:MODEL?...". May be left out: there are none then. Throws Error (input).
  std::function<PhasedInput(std::string_view name)> load_phases;
  /// Where a file is that an experiment names. May be left out: relative to the current folder then.
  std::function<std::string(std::string_view path)> path_of;
  /// A trace of compute times "file:PATH". May be left out: there are none then.
  std::function<std::vector<std::vector<Picos>>(std::string_view name)> load_compute_trace;
  /// A matrix of demand in a file, relative to the experiment's. May be left out: there are none then. Throws Error
  /// (input).
  std::function<DemandMatrix(std::string_view path)> load_demand;
  /// A trace of bandwidth "file:PATH". May be left out: there are none then. Throws Error (input).
  std::function<std::vector<BandwidthChange>(std::string_view name)> load_bandwidth_trace;
  /// A data set of pictures in a folder. May be left out: there is none then. Throws Error (input).
  std::function<Dataset(std::string_view folder)> load_dataset;
  /// The published time of an iteration of a model on "DEVICE/BATCH". May be left out. Both throw Error (input).
  std::function<Picos(std::string_view model, std::string_view device)> published_time;
  /// Functions of the program that runs the experiment. None: keys name entries of the catalogues only.
  OwnPolicies own{};
  /// A scheduler from elsewhere ("exec:", "plan:"). May be left out: there are none then.
  std::function<OutsideScheduler(std::string_view name)> load_scheduler;
  /// What the plans of a row of the results database were charged. May be left out: there is no database then.
  std::function<std::vector<Picos>(std::int64_t row)> load_charges;
  /// Parameters of a device that is somewhere. May be left out: none can be asked then. Throws Error.
  std::function<DeviceConfig(std::string_view device)> look_at_device;
  /// Empty, or why this device can't have so many ports, with words that cross or without: half a sentence, "must ...".
  /// May be left out.
  std::function<std::string(std::string_view device, int ports, bool words_cross)> refuse_ports;
};

struct Experiment {
  std::vector<Setting> settings;      ///< one a key, in the order of the keys; what was not said has origin "default"
  std::vector<Setting> choice;        ///< zip, [[only]] and [[skip]] as they were said
  std::vector<std::string> left_out;  ///< sentences: values that were said, and why they make no rows of their own
  RowChoice rows;             ///< of the cross product of all axes: the first key varies slowest, the last one fastest
  std::vector<Point> points;  ///< one a row
};

/// The value of key number `key` in row number `row`.
const Setting::Item& item_of(const Experiment& experiment, std::size_t row, std::size_t key);

/// A key of the experiment file.
struct Key {
  std::string_view name;      ///< dotted
  std::string_view fallback;  ///< its default, as TOML
  std::string_view summary;
  bool axis;                                           ///< a list in place of the value is allowed
  void (*apply)(const Scalar&, const Names&, Point&);  ///< throws Error with half a sentence: "must ..."
};

/// All keys, in the order in which axes nest. `policy` is the last: rows that are to be compared stand together.
std::span<const Key> experiment_keys();

/// More rows are a mistake as a rule: they have to be asked for.
inline constexpr std::size_t usual_rows = 10'000;

/// Resolves what a file and the command line said.
/// @param origin the file's name: the default of `name` is its stem.
/// @param most_rows more are refused, with the option that allows them.
/// @throws Error (input) that names the place, the key, the wrong value and what would be right.
Experiment resolve(std::span<const Setting> settings, const Names& names, const std::filesystem::path& origin,
                   std::size_t most_rows = usual_rows);

/// Reads and resolves the file with `overrides` ("key=value") on top.
Experiment load_experiment(const std::filesystem::path& file, std::span<const std::string> overrides,
                           const Names& names, std::size_t most_rows = usual_rows);

}  // namespace ocs
