// Cycle times, rounded delays, and the limits of the registers.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/fit/fit.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "host/controller/transfers/flow_limit.hpp"
#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "host/device/catalogue.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/placers/allocation.hpp"
#include "host/transport/local_address.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/files/clock_offset.hpp"
#include "testbed/experiment/files/light.hpp"
#include "testbed/experiment/files/mirror_faults.hpp"
#include "testbed/experiment/files/neighbours.hpp"
#include "testbed/experiment/files/node_rates.hpp"
#include "testbed/experiment/files/outages.hpp"
#include "testbed/experiment/files/receivers.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/fit/horizon.hpp"
#include "testbed/experiment/fit/packets.hpp"
#include "testbed/experiment/fit/runnable.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/experiment/keys/peer_keys.hpp"
#include "testbed/experiment/keys/slice_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t ps_per_s = 1'000'000'000'000;
constexpr std::int64_t max_cycle_ps = std::numeric_limits<std::uint32_t>::max();      // register CYCLE_PS
constexpr std::int64_t max_delay_cycles = (std::int64_t{1} << 30) - 1;                // registers BASE and LOCK
constexpr std::int64_t max_timer_cycles = std::numeric_limits<std::uint32_t>::max();  // T of the switch
constexpr std::int64_t max_extra_ps = 1'000'000'000'000'000;                          // 1000 s
constexpr std::int64_t bytes_per_parameter = 4;
constexpr std::int64_t one_percent_ppm = 10'000;

/// word bits * 10^12: the cycle in ps, times the rate in bit/s.
std::int64_t cycle_times_rate(Bytes word) { return word.n * 8 * ps_per_s; }

/// Whole cycle times for which the rate is whole too, ascending: the divisors of cycle_times_rate()
/// that CYCLE_PS holds.
std::vector<std::int64_t> whole_cycles(Bytes word) {
  const std::int64_t product = cycle_times_rate(word);
  std::vector<std::int64_t> result;
  for (std::int64_t part = 1; part <= word.n; ++part) {  // divisors: part * 2^a * 5^b
    if (word.n % part != 0) continue;
    std::int64_t twos = part;
    for (int a = 0; a <= 15 && twos <= max_cycle_ps; ++a, twos *= 2)
      for (std::int64_t cycle = twos, b = 0; b <= 12 && cycle <= max_cycle_ps; ++b, cycle *= 5)
        if (product % cycle == 0) result.push_back(cycle);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Cycles delay_cycles(Picos delay, Picos cycle, const char* key, const Origins& origins) {
  const Cycles cycles = to_cycles(delay, cycle);
  if (cycles.n > max_delay_cycles)
    refuse(origin_of(origins, {"fabric.switch", key, "fabric.rate", "fabric.word"}),
           std::string(key) + " is " + to_text(delay.n, Dimension::time) + ", but must be at most " +
               to_text(max_delay_cycles * cycle.n, Dimension::time) + " (2^30 - 1 cycles of " +
               to_text(cycle.n, Dimension::time) + ")");
  return cycles;
}

/// T of the last output of the largest commit must fit the timer of an output; a device would cut it off.
void check_longest_tuning(const FabricSettings& fabric, const Origins& origins) {
  const Cycles longest = fabric.tuning_cycles + fabric.longest_programming();
  if (!fabric.programs_in_turn() || longest.n <= max_timer_cycles) return;
  refuse(origin_of(origins, {"fabric.switch", "fabric.program_time", "fabric.program_lanes", "fabric.ports"}),
         "fabric.program_time is " + to_text(fabric.program_time.n, Dimension::time) +
             ", but must be so short that the last of " + std::to_string(fabric.ports) + " outputs, programmed " +
             std::to_string(fabric.program_lanes) + " at once, tunes within 2^32 - 1 = " +
             std::to_string(max_timer_cycles) + " cycles; it would take " + std::to_string(longest.n));
}

}  // namespace

std::string origin_of(const Origins& origins, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (const auto said = origins.find(key); said != origins.end() && said->second != "default") return said->second;
  return "default";
}

std::vector<std::int64_t> nearest_rates(std::int64_t rate_bps, Bytes word) {
  const std::int64_t product = cycle_times_rate(word);
  std::int64_t below = 0, above = 0;
  for (const std::int64_t cycle : whole_cycles(word)) {  // rates fall
    const std::int64_t rate = product / cycle;
    if (rate >= rate_bps) above = rate;
    if (rate <= rate_bps && below == 0) below = rate;
  }
  std::vector<std::int64_t> rates;
  if (below != 0) rates.push_back(below);
  if (above != 0 && above != below) rates.push_back(above);
  return rates;
}

void adopt_rate(FabricSettings& fabric, const DeviceConfig& device, const Origins& origins) {
  fabric.word = {device.word_bytes};
  const std::int64_t product = cycle_times_rate(fabric.word);
  if (product % device.cycle.n != 0)
    refuse(origin_of(origins, {"fabric.rate"}),
           "fabric.rate is \"device\", but words of " + to_text(fabric.word.n, Dimension::size) + " in cycles of " +
               to_text(device.cycle.n, Dimension::time) + " must be a whole number of bit/s");
  fabric.rate_bps = product / device.cycle.n;
}

namespace {

/// Receivers' times in cycles.
void fit_receivers(FabricSettings& fabric, const Origins& origins) {
  fabric.receivers.reset();
  if (!fabric.receiver_times) return;
  try {
    fabric.receivers = receivers_in_cycles(*fabric.receiver_times, fabric.cycle);
  } catch (const Error& error) {
    refuse(origin_of(origins, {"fabric.receivers", "fabric.rate", "fabric.word"}),
           "fabric.receivers is " + in_quotes(fabric.receivers_text) + ", but " + error.what());
  }
}

/// Mirrors that are parked before they move may tune for no longer than others.
void check_parking(const FabricSettings& fabric, const Origins& origins) {
  if (fabric.neighbour_times.park.n == 0 || to_cycles(fabric.tuning, fabric.cycle).n <= max_delay_cycles) return;
  refuse(origin_of(origins, {"fabric.neighbours", "fabric.switch", "fabric.tuning"}),
         "fabric.neighbours is " + in_quotes(fabric.neighbours_text) +
             ", but tuning and parking together must be at most " +
             to_text(max_delay_cycles * fabric.cycle.n, Dimension::time) + " (2^30 - 1 cycles of " +
             to_text(fabric.cycle.n, Dimension::time) + "); they take " + to_text(fabric.tuning.n, Dimension::time));
}

/// Mirrors that disturb others, in cycles.
void fit_neighbours(FabricSettings& fabric, const Origins& origins) {
  try {
    fabric.neighbours = neighbours_in_cycles(fabric.neighbour_times, fabric.ports, fabric.cycle);
  } catch (const Error& error) {
    refuse(origin_of(origins, {"fabric.neighbours", "fabric.rate", "fabric.word"}),
           "fabric.neighbours is " + in_quotes(fabric.neighbours_text) + ", but " + error.what());
  }
}

/// The level of light, and what detectors and mirrors make of it, in cycles.
void fit_light(FabricSettings& fabric, const Origins& origins) {
  fabric.light.reset();
  if (!fabric.light_levels) return;
  try {
    fabric.light = light_in_cycles(*fabric.light_levels, fabric.cycle);
  } catch (const Error& error) {
    refuse(origin_of(origins, {"fabric.light", "fabric.switch", "fabric.rate", "fabric.word"}),
           "fabric.light is " + in_quotes(fabric.light_text) + ", but " + error.what());
  }
}

}  // namespace

void add_parking(FabricSettings& fabric, const Origins& origins) {
  const Picos park = fabric.neighbour_times.park;
  if (park.n > max_extra_ps)
    refuse(origin_of(origins, {"fabric.neighbours"}), "fabric.neighbours is " + in_quotes(fabric.neighbours_text) +
                                                          ", but must park for at most " +
                                                          to_text(max_extra_ps, Dimension::time));
  fabric.tuning += park;
  for (Picos& tuning : fabric.pair_tuning) tuning += park;
}

void fit_fabric(FabricSettings& fabric, const Origins& origins) {
  const std::int64_t product = cycle_times_rate(fabric.word);
  if (product % fabric.rate_bps != 0 || product / fabric.rate_bps > max_cycle_ps) {
    std::string choices;
    for (const std::int64_t rate : nearest_rates(fabric.rate_bps, fabric.word))
      choices += (choices.empty() ? "" : " or ") + to_text(rate, Dimension::rate);
    refuse(origin_of(origins, {"fabric.rate", "fabric.word"}),
           "fabric.rate is " + to_text(fabric.rate_bps, Dimension::rate) + ", but a word of " +
               to_text(fabric.word.n, Dimension::size) +
               " must take a whole number of picoseconds up to 2^32 - 1: " + choices);
  }
  fabric.cycle = {product / fabric.rate_bps};
  check_parking(fabric, origins);
  fabric.tuning_cycles = delay_cycles(fabric.tuning, fabric.cycle, "fabric.tuning", origins);
  fabric.locking_cycles = delay_cycles(fabric.locking, fabric.cycle, "fabric.locking", origins);
  fabric.pair_tuning_cycles.clear();
  fabric.output_locking_cycles.clear();
  for (const Picos tuning : fabric.pair_tuning) fabric.pair_tuning_cycles.push_back(to_cycles(tuning, fabric.cycle));
  for (const Picos lock : fabric.output_locking) fabric.output_locking_cycles.push_back(to_cycles(lock, fabric.cycle));
  fabric.program_cycles = delay_cycles(fabric.program_time, fabric.cycle, "fabric.program_time", origins);
  check_longest_tuning(fabric, origins);
  fabric.fibre_cycles = delay_cycles(fabric.fibre, fabric.cycle, "fabric.fibre", origins);
  fabric.fibres = fabric.fibre_cycles;
  fit_receivers(fabric, origins);
  fit_neighbours(fabric, origins);
  fit_light(fabric, origins);
}

namespace {

/// Nodes that settings may name. Of coflows that come over time every port is a node; neither jobs
/// nor traces are read yet.
int node_ports(const Point& point) {
  const bool over_time = !point.jobs_text.empty() || names_trace(point.job.workload_name);
  return over_time ? point.fabric.ports : point.node_count();
}

}  // namespace

/// Rates of nodes, as what a word takes.
void fit_rates(Point& point, const Origins& origins) {
  NodeSettings& nodes = point.nodes;
  const int count = node_ports(point);
  try {
    nodes.word_cycles = word_cycles(nodes.rates_bps, nodes.rates == "drawn", point.fabric.rate_bps, count, point.seed);
  } catch (const Error& error) {
    refuse(origin_of(origins, {"nodes.rates", "fabric.rate", "job.workers", "job.servers"}),
           "nodes.rates " + std::string(error.what()));
  }
  nodes.rate_changes.clear();
  if (!nodes.changes) return;
  try {
    nodes.rate_changes = rate_changes(*nodes.changes, point.fabric.rate_bps, count, point.fabric.cycle);
  } catch (const Error& error) {
    refuse(origin_of(origins, {"nodes.rate_trace", "fabric.rate", "job.workers", "job.servers"}),
           "nodes.rate_trace is " + in_quotes(nodes.rate_trace) + ", but " + std::string(error.what()));
  }
}

namespace {

/// Times of nodes 0, 1, ...
void check_count(const char* key, std::size_t values, std::size_t nodes, const Origins& origins) {
  if (values > nodes)
    refuse(origin_of(origins, {key, "job.workers", "job.servers"}),
           std::string(key) + " has " + std::to_string(values) + " values, but must have at most one for each of the " +
               std::to_string(nodes) + " nodes");
}

void check_extra(const char* key, const std::vector<Picos>& extra, std::size_t nodes, const Origins& origins) {
  check_count(key, extra.size(), nodes, origins);
  for (const Picos time : extra)
    if (time.n > max_extra_ps)
      refuse(origin_of(origins, {key}), std::string(key) + " is " + to_text(time.n, Dimension::time) +
                                            ", but must be at most " + to_text(max_extra_ps, Dimension::time));
}

}  // namespace

void fit_fibres(Point& point, const Origins& origins) {
  const auto nodes = static_cast<std::size_t>(node_ports(point));
  check_extra("nodes.extra_fibre", point.nodes.extra_fibre, nodes, origins);
  FabricSettings& fabric = point.fabric;
  std::vector<Cycles> all(nodes);
  for (std::size_t v = 0; v < nodes; ++v)
    all[v] = delay_cycles(fabric.fibre + point.nodes.extra_fibre_of(v), fabric.cycle, "nodes.extra_fibre", origins);
  if (nodes > 0) fabric.fibres = Fibres(std::move(all));
  fabric.fibre_cycles = fabric.fibres.longest();
}

void fit_outages(FabricSettings& fabric, const Origins& origins) {
  try {
    fabric.outages_cycles = outage_cycles(fabric.outages, fabric.ports, fabric.cycle);
  } catch (const Error& error) {
    refuse(origin_of(origins, {"fabric.outages", "fabric.ports"}),
           "fabric.outages is " + in_quotes(fabric.outages_text) + ", but " + error.what());
  }
}

void fit_mirrors(FabricSettings& fabric, const Origins& origins) {
  fabric.jitter_cycles = delay_cycles(fabric.jitter, fabric.cycle, "fabric.jitter", origins);
  if (const std::int64_t most = fabric.jitter_cycles.n; (most & (most + 1)) != 0) {
    std::int64_t above = 1;
    while (above < most) above = 2 * above + 1;
    const auto text = [&](std::int64_t cycles) { return to_text(cycles * fabric.cycle.n, Dimension::time); };
    refuse(origin_of(origins, {"fabric.jitter", "fabric.rate", "fabric.word"}),
           "fabric.jitter is " + to_text(fabric.jitter.n, Dimension::time) + " = " + std::to_string(most) +
               " cycles, but must be 2^m - 1 cycles: " + text(above / 2) + " or " + text(above));
  }
  try {
    fabric.mirror_changes = mirror_changes(fabric.mirror_faults, fabric.ports, fabric.cycle);
  } catch (const Error& error) {
    refuse(origin_of(origins, {"fabric.mirror_faults", "fabric.ports"}),
           "fabric.mirror_faults is " + in_quotes(fabric.mirror_faults_text) + ", but " + error.what());
  }
}

void add_extra_tuning(Point& point, const Origins& origins) {
  const std::vector<Picos>& extra = point.nodes.extra_tuning;
  const auto nodes = static_cast<std::size_t>(node_ports(point));
  check_extra("nodes.extra_tuning", extra, nodes, origins);
  if (std::all_of(extra.begin(), extra.end(), [](Picos time) { return time.n == 0; })) return;
  FabricSettings& fabric = point.fabric;
  const auto ports = static_cast<std::size_t>(fabric.ports);
  if (fabric.pair_tuning.empty()) fabric.pair_tuning.assign(ports * ports, fabric.tuning);
  const bool all = extra.size() == 1;
  for (std::size_t in = 0; in < ports; ++in)
    for (std::size_t out = 0; out < std::min(ports, all ? nodes : extra.size()); ++out)
      fabric.pair_tuning[in * ports + out] += extra[all ? 0 : out];
  fabric.tuning = *std::max_element(fabric.pair_tuning.begin(), fabric.pair_tuning.end());
}

void fit_control(Point& point, const Origins& origins) {
  const Picos cycle = point.fabric.cycle;
  ControlSettings& control = point.control;
  if (point.fabric.control_latency) control.lead = *point.fabric.control_latency;
  control.guard_cycles = delay_cycles(control.guard, cycle, "control.guard", origins);
  control.lead_cycles = delay_cycles(control.lead, cycle, "control.lead", origins);
  const NodeSettings& nodes = point.nodes;
  check_count("nodes.clock_offset", nodes.clock_offset.size(), static_cast<std::size_t>(point.node_count()), origins);
  std::vector<Cycles> offsets;
  for (const Picos offset : nodes.clock_offset) {
    delay_cycles(Picos{std::abs(offset.n)}, cycle, "nodes.clock_offset", origins);
    offsets.push_back(offset_cycles(offset, cycle));
  }
  point.nodes.clock_offset_cycles = clock_offsets(
      offsets, delay_cycles(nodes.clock_spread, cycle, "nodes.clock_spread", origins), point.node_count(), point.seed);
  point.nodes.clock_drift = clock_drifts(nodes.clock_drift_ppm, point.node_count(), point.seed);
  point.nodes.clock_sync_cycles = delay_cycles(nodes.clock_sync, cycle, "nodes.clock_sync", origins);
}

namespace {

/// Without a key only this host's nodes may come, unless the user says otherwise.
void check_keys(const NodeSettings& nodes, const Origins& origins) {
  if (nodes.insecure && !nodes.keys.empty())
    refuse(origin_of(origins, {"nodes.insecure", "nodes.keys"}),
           "nodes.insecure is true, but must be false with nodes.keys");
  if (nodes.expect == 0 || !nodes.keys.empty() || nodes.insecure || stays_on_this_host(nodes.listen)) return;
  refuse(
      origin_of(origins, {"nodes.listen", "nodes.keys"}),
      "nodes.listen is " + in_quotes(nodes.listen) +
          ", which other hosts can reach, but nodes.keys names no key file; `lightloop node --new-key FILE` makes one, "
          "and nodes.insecure = true goes without");
}

/// Nodes from elsewhere must be able to find the coordinator.
void check_nodes(const Point& point, const Origins& origins, int count) {
  const NodeSettings& nodes = point.nodes;
  const std::string expect = "nodes.expect is " + std::to_string(nodes.expect) + ", but must be ";
  if (nodes.expect > 0 && nodes.transport == "inproc")
    refuse(origin_of(origins, {"nodes.expect", "nodes.transport"}),
           expect + "0 with nodes.transport \"inproc\", whose nodes are threads");
  if (nodes.expect > count)
    refuse(origin_of(origins, {"nodes.expect", "job.workers", "job.servers"}),
           expect + "at most " + std::to_string(count) + ", the number of nodes");
  if (nodes.transport == "inproc") return;
  const std::string begin = nodes.transport + "://";
  const std::string right = nodes.transport == "tcp" ? "\"tcp://ADDRESS:PORT\"" : "\"ipc://PATH\"";
  if (nodes.expect > 0 && nodes.listen.empty())
    refuse(origin_of(origins, {"nodes.expect"}),
           expect + "0 without nodes.listen; where do they connect? nodes.listen must be " + right);
  const bool anywhere = nodes.listen.starts_with("tcp://*:") || nodes.listen.starts_with("tcp://0.0.0.0:");
  if (nodes.listen.empty()) return;
  if (nodes.listen.starts_with(begin) && nodes.listen.size() > begin.size() && !anywhere)
    return check_keys(nodes, origins);
  refuse(origin_of(origins, {"nodes.listen", "nodes.transport"}),
         "nodes.listen is " + in_quotes(nodes.listen) + ", but must be " + right + " with nodes.transport " +
             in_quotes(nodes.transport) + (anywhere ? ", where ADDRESS is the one that the nodes connect to" : ""));
}

/// What words, planes and the device ask of each other.
void check_fabric(const Point& point, const Origins& origins) {
  const FabricSettings& fabric = point.fabric;
  const std::string payload = point.arrivals() ? arriving_payload(point) : point.job.payload;
  if (fabric.word.n % bytes_per_parameter != 0 && payload != "none")
    refuse(origin_of(origins, {"fabric.word", "job.payload"}),
           "fabric.word is " + to_text(fabric.word.n, Dimension::size) +
               ", but must be a multiple of 4 B, the size of a parameter, unless job.payload is \"none\"");
  if (fabric.words_cross && !device_traits(fabric.device).words_cross)
    refuse(origin_of(origins, {"fabric.device", "fabric.fidelity"}),
           "fabric.device is " + in_quotes(fabric.device) +
               ", but must be \"verilated\" with fabric.fidelity = \"word\": the others count words only");
  if (fabric.planes > 1 && device_traits(fabric.device).one_in_a_process)
    refuse(origin_of(origins, {"fabric.planes", "fabric.device"}),
           "fabric.planes is " + std::to_string(fabric.planes) + ", but must be 1 with device " +
               in_quotes(fabric.device) + ": a process holds one SystemC simulation, and that one switch");
  if (fabric.planes > 1 && device_traits(fabric.device).somewhere && !names_each_plane(fabric.device))
    refuse(origin_of(origins, {"fabric.planes", "fabric.device"}),
           "fabric.planes is " + std::to_string(fabric.planes) + ", but must be 1 with device " +
               in_quotes(fabric.device) + ", which is one switch: %d in its path stands for the number of the plane");
  if (fabric.words_cross && fabric.word.n != 64)
    refuse(origin_of(origins, {"fabric.word", "fabric.fidelity"}),
           "fabric.word is " + to_text(fabric.word.n, Dimension::size) +
               ", but must be 64 B with fabric.fidelity = \"word\"");
}

/// A job with servers.
void check_servers(const Point& point, const Origins& origins) {
  const JobSettings& job = point.job;
  const FabricSettings& fabric = point.fabric;
  check_sync(point, origins);
  const std::string job_origin = origin_of(origins, {"job.workload", "job.servers", "fabric.word"});
  const std::string workload = "job.workload is " + in_quotes(job.workload_name) + ", but ";
  std::vector<Block> blocks;
  try {
    blocks = job_blocks(job, point.policy);
  } catch (const Error& failure) {
    refuse(job_origin, workload + "can't be cut into blocks: " + failure.what());
  }
  if (blocks.size() < static_cast<std::size_t>(job.servers))
    refuse(origin_of(origins, {"job.servers", "job.workload"}),
           "job.servers is " + std::to_string(job.servers) + ", but must be at most " + std::to_string(blocks.size()) +
               ", the number of blocks of the workload");
  check_slices(point, origins);
  check_overlap(point, origins);
  check_load(point, origins);
  const std::int64_t words = total(padded(blocks, fabric.word)).n / fabric.word.n;
  if (words > max_flow_words)
    refuse(job_origin, workload + "must have at most 2^32 - 1 words of " + to_text(fabric.word.n, Dimension::size) +
                           "; it has " + std::to_string(words));
  // One circuit after another, each once for push and once for pull, is slower than any plan.
  const ControlSettings& control = point.control;
  const Cycles waits = fabric.fibre_cycles * 4 + control.guard_cycles * 2 + control.lead_cycles * 2;
  const Cycles dark = fabric.tuning_cycles + fabric.locking_cycles + fabric.longest_programming();
  const Wide circuit = Wide{words} * fabric.cycle.n + Wide{dark.n + waits.n + 1} * fabric.cycle.n;
  const Wide talk = Wide{point.nodes.control_latency.n} * 4;  // offers, word that they are in; for push and pull
  const Wide plans = Wide{2} * (is_eager(job) ? job.workers * job.servers : 1);
  check_horizon(point, circuit * 2 * job.workers * job.servers + job.compute.n + talk + plans * point.planning.fixed.n,
                origins);
}

/// The key that puts nodes away from the switch, and what it says.
std::pair<const char*, std::string> fibre_setting(const Point& point) {
  if (point.fabric.fibre.n == 0 && point.fabric.fibre_cycles.n > 0)
    return {"nodes.extra_fibre", in_quotes(point.nodes.extra_fibre_text)};
  return {"fabric.fibre", to_text(point.fabric.fibre.n, Dimension::time)};
}

/// How long an output waits depends on all others that the same commit changes. By confirmation words wait with it; what
/// counts on the cycle before there is a commit can't have it.
void check_programming(const Point& point, const Origins& origins) {
  if (!point.fabric.programs_in_turn() || point.packets) return;
  const auto must = [&](bool holds, const char* key, const std::string& what, const char* why) {
    if (!holds)
      refuse(origin_of(origins, {"fabric.switch", "fabric.program_time", key}),
             "fabric.program_time is " + to_text(point.fabric.program_time.n, Dimension::time) +
                 ", but must be 0 s with " + key + " " + what + ": " + why);
  };
  must(point.control.mode == "confirmed", "control.mode", in_quotes(point.control.mode),
       "words are sent by the clock, and no timetable says for which others a mirror waits");
  must(!point.sets_maps(), "collective.reconfigure", in_quotes(point.job.reconfigure),
       "its maps are planned by what each takes, without what mirrors wait for others");
  const auto [key, fibre] = fibre_setting(point);
  must(!point.fabric.all_stop || point.fabric.fibre_cycles.n == 0, key, fibre + " and fabric.all_stop",
       "no node far away knows in time when the last mirror of all has ended the stop");
}

/// Whether plans are made while what was planned before is under way: of all kinds of job but those in phases and
/// collectives.
bool plans_while_words_cross(const Point& point) {
  return point.arrivals() || point.peers() || (!point.collective() && is_eager(point.job));
}

/// The first key by which light is drawn, and the beginning of a sentence that refuses it.
std::pair<const char*, std::string> drawn_light_cause(const FabricSettings& fabric) {
  if (fabric.jitter_cycles.n > 0)
    return {"fabric.jitter", "fabric.jitter is " + to_text(fabric.jitter.n, Dimension::time) + ", but must be 0 s"};
  if (!fabric.mirror_changes.empty())
    return {"fabric.mirror_faults",
            "fabric.mirror_faults is " + in_quotes(fabric.mirror_faults_text) + ", but must be \"\""};
  if (fabric.receivers)
    return {"fabric.receivers", "fabric.receivers is " + in_quotes(fabric.receivers_text) + ", but must be \"\""};
  return {"fabric.light", "fabric.light is " + in_quotes(fabric.light_text) + ", but must " +
                              (fabric.rings() ? "not ring" : "report at once what fabric.outages take")};
}

/// Words wait at the switch until there is light; what is planned or told beforehand can't know when that is.
void check_drawn_light(const Point& point, const Origins& origins) {
  if (!point.fabric.has_drawn_light() || point.packets) return;
  const std::pair<const char*, std::string> cause = drawn_light_cause(point.fabric);
  const auto must = [&](bool holds, const char* key, const std::string& what, const char* why) {
    if (!holds) refuse(origin_of(origins, {cause.first, key}), cause.second + " with " + key + " " + what + ": " + why);
  };
  must(!point.sets_maps(), "collective.reconfigure", in_quotes(point.job.reconfigure),
       "its maps are planned by what each takes, without what mirrors take beyond that");
  must(point.control.mode != "timetable" || !plans_while_words_cross(point), "control.mode", "\"timetable\"",
       "what is planned while other words cross takes a circuit for established from its planned time on");
  const auto [key, fibre] = fibre_setting(point);
  must(point.fabric.fibre_cycles.n == 0, key, fibre, "no node far away knows in time when there is light");
}

/// Words are lost where nobody waits for them. Nodes send them again, but not where each circuit is of one transfer.
void check_neighbours(const Point& point, const Origins& origins) {
  if (!point.fabric.disturbs() || point.packets || !point.sets_maps()) return;
  refuse(origin_of(origins, {"fabric.neighbours", "collective.reconfigure"}),
         "fabric.neighbours is " + in_quotes(point.fabric.neighbours_text) +
             ", but must disturb nobody with collective.reconfigure " + in_quotes(point.job.reconfigure) +
             ": words that are lost have no circuit any more on which they could be sent again");
}

/// The slowest that a port may be, in cycles of a word.
Cycles slowest_word(const NodeSettings& nodes) {
  Cycles slowest{1};
  for (const Cycles word : nodes.word_cycles) slowest = std::max(slowest, word);
  for (const RateChange& change : nodes.rate_changes) slowest = std::max(slowest, change.word);
  return slowest;
}

/// The shortest time in which any receiver locks.
Cycles shortest_locking(const FabricSettings& fabric) {
  const std::vector<Cycles>& all = fabric.output_locking_cycles;
  return all.empty() ? fabric.locking_cycles : *std::ranges::min_element(all);
}

/// Words are lost while a loss of light is not reported. Each attempt must have its first word delivered, or what is sent
/// again would ring again, for ever: it passes before the first ring, or no receiver locks until the last one is over.
void check_light(const Point& point, const Origins& origins) {
  const FabricSettings& fabric = point.fabric;
  if (!fabric.light || point.packets) return;
  const auto must = [&](bool holds, const char* key, const std::string& sentence) {
    if (!holds)
      refuse(origin_of(origins, {"fabric.light", key}),
             "fabric.light is " + in_quotes(fabric.light_text) + ", but " + sentence);
  };
  const auto text = [&](Cycles cycles) { return to_text(to_picos(cycles, fabric.cycle).n, Dimension::time); };
  const Cycles longest = fabric.locking_cycles + (fabric.receivers ? fabric.receivers->longest() : Cycles{0});
  const Cycles first_word = longest + slowest_word(point.nodes) - Cycles{1};
  const Cycles ring_after = fabric.light->ring_after;
  must(
      !fabric.loses_light_late() || ring_after >= first_word ||
          shortest_locking(fabric) > ring_after + fabric.light->lost,
      "fabric.locking",
      "must ring no earlier than " + text(first_word) +
          " after a mirror arrives, when the first word has passed, or be reported before a receiver locks: words that "
          "are lost before a loss of light is reported would be lost each time again");
  for (const PortOutage& outage : fabric.outages)
    must(to_cycles(outage.until, fabric.cycle) - to_cycles(outage.from, fabric.cycle) > fabric.light->lost ||
             outage.until == never<Picos>,
         "fabric.outages",
         "must report a loss of light before an outage ends; port " + std::to_string(outage.port) +
             " is without light for " + to_text((outage.until - outage.from).n, Dimension::time));
}

/// What is worked out beforehand for other kinds of job counts with one fibre.
void check_fibres(const Point& point, const Origins& origins) {
  if (!point.fabric.fibres.differ()) return;
  const auto must = [&](bool holds, const char* key, const std::string& value, const char* what) {
    if (!holds)
      refuse(origin_of(origins, {"nodes.extra_fibre", key}),
             "nodes.extra_fibre is " + in_quotes(point.nodes.extra_fibre_text) +
                 ", but must be one time for all nodes with " + key + value + ": what " + what +
                 " takes is worked out with one fibre");
  };
  must(!point.packets, "network", " \"packet\"", "a packet");
  must(!point.phased && !point.trace, "job.workload", " " + in_quotes(point.job.workload_name), "a coflow");
  must(point.jobs.empty(), "jobs", "", "each of them");
  must(!point.peers(), "job.peers", " " + in_quotes(point.job.peers), "a round");
  must(!point.collective(), "job.collective", " " + in_quotes(point.job.collective), "a leg");
}

void check_between_keys(const Point& point, const Origins& origins) {
  check_fibres(point, origins);
  check_programming(point, origins);
  check_drawn_light(point, origins);
  check_neighbours(point, origins);
  check_light(point, origins);
  if (point.packets) check_packets(point, origins);
  if (point.arrivals()) {
    check_arrivals(point, origins);
    check_fabric(point, origins);
    return check_nodes(point, origins, point.nodes.expect > 0 ? arriving_nodes(point) : 0);
  }
  if (point.fabric.planes > 1 && point.planning.outside && point.planning.outside->plan &&
      point.planning.outside->plan->order.empty())
    refuse(origin_of(origins, {"fabric.planes"}),
           "fabric.planes is " + std::to_string(point.fabric.planes) +
               ", but must be 1 with a plan of pushes and pulls, which is for one switch");
  check_fabric(point, origins);
  check_nodes(point, origins, point.node_count());
  check_job(point, origins);
}

}  // namespace

void check_job(const Point& point, const Origins& origins) {
  const JobSettings& job = point.job;
  const FabricSettings& fabric = point.fabric;
  if (job.colocated && !point.collective() && !point.peers() && job.servers > job.workers)
    refuse(origin_of(origins, {"job.servers", "job.workers", "job.colocated"}),
           "job.servers is " + std::to_string(job.servers) + ", but must be at most job.workers, which is " +
               std::to_string(job.workers) + ", when job.colocated is true");
  if (point.node_count() > fabric.ports) {
    const bool alone = point.node_count() == job.workers;  // a collective and peers have no servers
    refuse(alone ? origin_of(origins, {"job.workers", "fabric.ports"})
                 : origin_of(origins, {"job.workers", "job.servers", "fabric.ports"}),
           "job.workers is " + std::to_string(job.workers) +
               (alone ? ", but" : " and job.servers is " + std::to_string(job.servers) + ", but together they") +
               " must be at most fabric.ports, which is " + std::to_string(fabric.ports));
  }
  if (point.peers()) return check_peers(point, origins);
  if (point.collective()) return check_collective(point, origins);
  check_servers(point, origins);
}

void check_fit(const Point& point, const Origins& origins) {
  check_between_keys(point, origins);
  check_runnable(point, origins);
}

std::int64_t excess_ppm(std::int64_t before, std::int64_t after) {
  if (before == 0) return 0;
  return static_cast<std::int64_t>((Wide{after - before} * 1'000'000 + before - 1) / before);
}

std::int64_t rounding_ppm(Picos length, Picos cycle) {
  return excess_ppm(length.n, to_picos(to_cycles(length, cycle), cycle).n);
}

Bytes word_for_one_percent(const FabricSettings& fabric) {
  const Bytes step{fabric.word.n % bytes_per_parameter == 0 ? bytes_per_parameter : 1};
  for (Bytes word = fabric.word; word.n > 0; word -= step) {
    const std::int64_t product = cycle_times_rate(word);
    if (product % fabric.rate_bps != 0) continue;
    const Picos cycle{product / fabric.rate_bps};
    if (std::max(rounding_ppm(fabric.tuning, cycle), rounding_ppm(fabric.locking, cycle)) <= one_percent_ppm)
      return word;
  }
  return {};
}

std::vector<Block> job_blocks(const JobSettings& job, std::string_view policy) {
  const std::string_view allocation = find(policies(), policy, "policy").allocation;
  std::vector<std::int64_t> elements;
  for (const Tensor& tensor : job.workload->tensors) elements.push_back(tensor.elements);
  return find(allocations(), allocation, "allocation")
      .cut(elements, static_cast<std::size_t>(job.servers), bytes_per_parameter);
}

std::vector<Block> padded(std::vector<Block> blocks, Bytes word) {
  for (Block& block : blocks) block.size = {to_words(block.size, word.n).n * word.n};
  return blocks;
}

Bytes total(const std::vector<Block>& blocks) {
  Bytes sum;
  for (const Block& block : blocks) sum += block.size;
  return sum;
}

}  // namespace ocs
