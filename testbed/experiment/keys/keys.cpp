// The keys of an experiment file: name, default, one line of help, and how a value is checked.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <tuple>

#include "host/core/error.hpp"
#include "host/device/catalogue.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/experiment/files/clock_offset.hpp"
#include "testbed/experiment/files/light.hpp"
#include "testbed/experiment/files/mirror_faults.hpp"
#include "testbed/experiment/files/neighbours.hpp"
#include "testbed/experiment/files/node_rates.hpp"
#include "testbed/experiment/files/outages.hpp"
#include "testbed/experiment/files/receivers.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/learning_keys.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/experiment/keys/peer_keys.hpp"
#include "testbed/experiment/keys/slice_keys.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

std::int64_t whole(const Scalar& value, std::int64_t least, std::int64_t most) {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || *number < least || *number > most)
    refuse("must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return *number;
}

int small(const Scalar& value, int least, int most) { return static_cast<int>(whole(value, least, most)); }

std::uint32_t count(const Scalar& value, std::int64_t least, std::int64_t most) {
  return static_cast<std::uint32_t>(whole(value, least, most));
}

bool truth(const Scalar& value) {
  const auto* flag = std::get_if<bool>(&value);
  if (flag == nullptr) refuse("must be true or false, without quotes");
  return *flag;
}

/// @param example of what is allowed; empty: any text.
const std::string& text(const Scalar& value, std::string_view example = {}) {
  const auto* words = std::get_if<std::string>(&value);
  if (words == nullptr) refuse("must be text in quotes" + (example.empty() ? "" : ", such as " + in_quotes(example)));
  return *words;
}

/// A quantity within [least, most] of the dimension's unit.
std::int64_t quantity(const Scalar& value, Dimension dimension, std::int64_t least, std::int64_t most) {
  const auto* words = std::get_if<std::string>(&value);
  const std::int64_t amount = parse_quantity(words == nullptr ? "" : *words, dimension);
  if (amount < least || amount > most)
    refuse("must be from " + to_text(least, dimension) + " to " + to_text(most, dimension));
  return amount;
}

/// @param file what was probably meant if the name is that of a file; else empty
const std::string& choice(const Scalar& value, std::span<const std::string> known, const std::string& file = {}) {
  const auto* words = std::get_if<std::string>(&value);
  if (words != nullptr && std::find(known.begin(), known.end(), *words) != known.end()) return *words;
  const std::string like = !file.empty() ? file : words == nullptr ? "" : nearest(*words, known);
  refuse("must be one of " + joined(known) + (like.empty() ? "" : "; did you mean " + in_quotes(like) + "?"));
}

/// One of a catalogue, or a function of the program that runs the experiment: this is put into `own` then.
template <class Entry>
const std::string& policy_name(const Scalar& value, std::span<const std::string> known,
                               const OwnEntries<Entry>& functions, std::shared_ptr<const Entry>& own) {
  own.reset();
  const auto* words = std::get_if<std::string>(&value);
  if (words == nullptr || !words->starts_with(python_prefix)) return choice(value, known);
  const auto function = functions.find(*words);
  if (function == functions.end())
    refuse("must be one of " + joined(known) +
           ": what begins with \"python:\" is a function of a Python program, which alone can run it (docs/python.md)");
  own = function->second;
  return *words;
}

/// Names of the placers.
std::vector<std::string> placer_names() {
  std::vector<std::string> names;
  for (const PlacerEntry& entry : placers()) names.emplace_back(entry.name);
  return names;
}

/// The scheduler that is meant by the name of a file; empty: there is no such file.
std::string scheduler_of_file(const std::string& name, const Names& names) {
  std::error_code failure;
  if (!names.path_of || !std::filesystem::is_regular_file(names.path_of(name), failure)) return {};
  if (name.ends_with(".json")) return "plan:" + name;
  return (name.find('/') == std::string::npos ? "exec:./" : "exec:") + name;
}

bool text_is(const Scalar& value, std::string_view text) {
  const auto* words = std::get_if<std::string>(&value);
  return words != nullptr && *words == text;
}

/// A device that stands somewhere is followed by a colon and where.
std::string device_name(const Scalar& value, std::span<const std::string> known) {
  const auto* words = std::get_if<std::string>(&value);
  const std::size_t colon = words == nullptr ? std::string::npos : words->find(':');
  // A copy: what `choice` returns is part of its argument, which is gone after this line.
  const std::string device = colon == std::string::npos ? choice(value, known) : choice(words->substr(0, colon), known);
  const bool somewhere = colon != std::string::npos && colon + 1 < words->size();
  const bool stands = device_traits(device).somewhere;
  if (stands != somewhere)
    refuse(stands ? "must have a path, as in \"" + device + ":/dev/...\""
                  : "must be \"" + device + "\", without a colon and a path");
  return *words;
}

constexpr std::int64_t second = 1'000'000'000'000;
constexpr std::int64_t largest = std::int64_t{1} << 62;

const std::vector<std::string> networks = {"circuit", "packet"};
const std::vector<std::string> fidelities = {"burst", "word"};
const std::vector<std::string> plane_splits = {"longest", "equal"};
const std::vector<std::string> objectives = {"range", "total"};
const std::vector<std::string> overlaps = {"none", "wait_free_backprop"};
const std::vector<std::string> priorities = {"none", "layer"};
const std::vector<std::string> control_modes = {"confirmed", "timetable"};

// `name` comes first and `policy` last because the first axis varies slowest.
constexpr Key keys[] = {
    {"name", "\"\"",
     "name of the experiment in the results; default: the name of the file",
     false, [](const Scalar& v, const Names&, Point& p) { p.name = text(v); }},
    {"network", "\"circuit\"",
     "how transfers share the ports; circuit: the switch sets up circuits, one transfer at a time on a port; packet: "
     "all transfers share the rates of the ports, max-min fair",
     true, [](const Scalar& v, const Names&, Point& p) { p.packets = choice(v, networks) == "packet"; }},
    {"fabric.device", "\"verilated\"",
     "implementation of the switch: `lightloop list devices`; hardware: \"mapped:PATH\" or \"uart:PATH\", "
     "with several planes %d in PATH stands for the number of the plane",
     true, [](const Scalar& v, const Names& n, Point& p) { p.fabric.device = device_name(v, n.devices); }},
    {"fabric.ports", "16",
     "number of inputs, and of outputs, of the switch, 2 to 256",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.ports = small(v, 2, 256); }},
    {"fabric.rate", "\"100 Gbit/s\"",
     "rate of each port; fabric.word / fabric.rate must be a whole number of picoseconds; \"device\": a mapped or "
     "uart device reports its rate and its word",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.rate_of_device = text_is(v, "device");
       if (!p.fabric.rate_of_device) p.fabric.rate_bps = quantity(v, Dimension::rate, 1, largest); }},
    {"fabric.word", "\"64 B\"",
     "bytes that a port passes in one cycle, 1 B to 32768 B",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.word = {quantity(v, Dimension::size, 1, 32768)}; }},
    {"fabric.switch", "\"\"",
     "delays of every pair of ports: a preset of `lightloop list switches`, or \"file:PATH\", relative to this file; "
     "empty: fabric.tuning and fabric.locking apply",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.switch_name = text(v); }},
    {"fabric.tuning", "\"10 ms\"",
     "time in which the mirrors move and the output is dark; rounded up to cycles",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.tuning = {quantity(v, Dimension::time, 0, largest)}; }},
    {"fabric.locking", "\"0 ns\"",
     "time in which the receiver locks to the light, after the tuning; rounded up to cycles",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.locking = {quantity(v, Dimension::time, 0, largest)}; }},
    {"fabric.program_time", "\"0 ns\"",
     "serial programming: the mirrors that a commit moves are programmed fabric.program_lanes at once, and each further "
     "group tunes so much longer; rounded up to cycles; 0: all at once",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.fabric.program_time = {quantity(v, Dimension::time, 0, largest)}; }},
    {"fabric.program_lanes", "1",
     "number of mirrors that are programmed at once, 1 to 256",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.program_lanes = small(v, 1, 256); }},
    {"fabric.jitter", "\"0 ns\"",
     "each tuning takes 0 to this much longer, drawn anew by the output from the seed: 2^m - 1 cycles; no plan counts "
     "with it, words wait for light",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.jitter = {quantity(v, Dimension::time, 0, largest)}; }},
    {"fabric.fibre", "\"0 ns\"",
     "propagation delay from a node to the switch, and from the switch to a node; rounded up to cycles",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.fibre = {quantity(v, Dimension::time, 0, largest)}; }},
    {"fabric.planes", "1",
     "number of switches in parallel, 1 to 16; each node has one port on each",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.planes = small(v, 1, 16); }},
    {"fabric.split", "\"longest\"",
     "how demand is split over the planes; longest: whole flows, the longest first, each to the plane whose ports are "
     "least loaded; equal: every flow is cut into equal parts",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.equal_split = choice(v, plane_splits) == "equal"; }},
    {"fabric.all_stop", "false",
     "true: no word passes while any circuit is set up; the policy must plan for that",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.all_stop = truth(v); }},
    {"fabric.time_warp", "true",
     "true: the device skips idle cycles; false: it evaluates every clock edge, which is slow and gives equal results",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.time_warp = truth(v); }},
    {"fabric.fidelity", "\"burst\"",
     "burst: words are counted; word: 512 bits of each word cross the switch and are compared, which is slow and "
     "needs device verilated",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.words_cross = choice(v, fidelities) == "word"; }},
    {"fabric.outages", "\"\"",
     "intervals in which ports have no light: \"3: 2 ms - 5 ms, 7: 1 ms\"; an interval without an end lasts for good",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.fabric.outages_text = text(v, "3: 2 ms - 5 ms");
       p.fabric.outages = parse_outages(p.fabric.outages_text);
     }},
    {"fabric.mirror_faults", "\"\"",
     "faults of the mirrors of outputs, on every plane: \"3: stuck 2 us - 9 us, 5: slow(700 ns) 4 us - 60 us, 1: flap(500 "
     "ns) 4 us\"; stuck: tuning ends without light, and is repeated until the end; slow: tuning takes longer; flap: "
     "light is lost after each such time, and locks again; kept: as stuck, but the mirror goes on to show the input at "
     "which it stands, whose words are counted; an interval without an end lasts for good",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.fabric.mirror_faults_text = text(v, "3: stuck 2 us - 9 us");
       p.fabric.mirror_faults = parse_mirror_faults(p.fabric.mirror_faults_text);
     }},
    {"fabric.receivers", "\"\"",
     "time that receivers take to lock beyond fabric.locking, drawn anew from the seed at each tuning: \"warm for 20 us: 0 "
     "ns, 40 ns; cold: 1 us, 2 us, 4 us, 9 us\"; warm: less than 20 us after the output last received from this input; "
     "1, 2, 4, 8 or 16 times that don't fall, each as likely as the others; no plan counts with it, words wait for light",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.fabric.receivers_text = text(v, "warm for 20 us; cold: 1 us, 4 us");
       p.fabric.receiver_times = parse_receivers(p.fabric.receivers_text);
     }},
    {"fabric.neighbours", "\"\"",
     "what mirrors that move do to others: \"disturb at 1, 8 for 2 us\": outputs whose numbers differ by 1 or 8 lose their "
     "words for 2 us, which are sent again; distances from 1 to 32; \"park for 500 us\": mirrors are parked before they "
     "move, each tuning takes so much longer, and nobody is disturbed; empty: nobody is disturbed",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.fabric.neighbours_text = text(v, "disturb at 1 for 2 us");
       p.fabric.neighbour_times = parse_neighbours(p.fabric.neighbours_text);
     }},
    {"fabric.light", "\"\"",
     "level of light at outputs: \"-3 dBm less 2.5 dB, lost below -14 dBm for 2 us, back at -13.5 dBm for 10 us; rings 2 "
     "times for 1 us after 5 us\"; lasers send -3 dBm, of which 2.5 dB are lost on the way; a loss of light is reported 2 "
     "us after it fell below -14 dBm, its return 10 us after it has reached -13.5 dBm; a mirror that arrives has light for "
     "5 us and none for 1 us, twice; every clause but the first level may be left out; empty: light is there or not",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.fabric.light_text = text(v, "-3 dBm less 2.5 dB, lost below -14 dBm");
       p.fabric.light_levels = parse_light(p.fabric.light_text);
     }},
    {"control.mode", "\"confirmed\"",
     "confirmed: words wait until the switch reports light; timetable: words are sent by the clock, without a report, "
     "and can be lost",
     true, [](const Scalar& v, const Names&, Point& p) { p.control.mode = choice(v, control_modes); }},
    {"control.guard", "\"0 ns\"",
     "timetable: time that a circuit is up before its first word and after its last word; rounded up to cycles",
     true, [](const Scalar& v, const Names&, Point& p) { p.control.guard = {quantity(v, Dimension::time, 0, largest)}; }},
    {"control.lead", "\"0 ns\"",
     "delay from a decision to its effect at the switch; rounded up to cycles",
     true, [](const Scalar& v, const Names&, Point& p) { p.control.lead = {quantity(v, Dimension::time, 0, largest)}; }},
    {"job.workload", "\"resnet50\"",
     "table of tensors: `lightloop list workloads`, or \"file:PATH\"; one tensor of a size: \"4 MB\"; a trace of "
     "coflows: \"coflow:PATH\"; an iteration of a language model: \"llm:MODEL?...\" (docs/llm.md); traces of Chakra: \"chakra:FILE.%d.et\" (docs/chakra.md); phases of "
     "collectives: \"phases:FILE\" (docs/collectives.md); paths are relative to this file",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.workload_name = text(v); }},
    {"job.workers", "12",
     "number of nodes that train, 1 to 255",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.workers = small(v, 1, 255); }},
    {"job.servers", "4",
     "number of parameter servers, 1 to 255; without job.colocated, workers and servers together must fit the ports",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.servers = small(v, 1, 255); }},
    {"job.colocated", "false",
     "true: servers run on nodes of workers, by default the first ones; job.servers is then at most job.workers",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.colocated = truth(v); }},
    {"job.sync", "\"bsp_phase\"",
     "synchronisation scheme: `lightloop list sync`",
     true, [](const Scalar& v, const Names& n, Point& p) {
       p.job.sync = policy_name(v, n.sync, n.own.schemes, p.job.own_sync);
     }},
    {"job.collective", "\"none\"",
     "collective that replaces servers and job.sync: `lightloop list collectives`",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.collective = choice(v, collective_names()); }},
    {"job.algorithm", "\"default\"",
     "list of steps of the collective: `lightloop list collectives`; default: the first one in that list",
     true, [](const Scalar& v, const Names& n, Point& p) {
       p.job.algorithm = policy_name(v, algorithm_names(), n.own.collectives, p.job.own_algorithm);
     }},
    {"collective.chunks", "1",
     "number of parts in which a broadcast passes along a chain, 1 to 65536",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.chunks = count(v, 1, 65536); }},
    {"collective.reconfigure", "\"scheduler\"",
     "scheduler: the policy's scheduler sets up the circuits of each leg; always, never, best_static, threshold, "
     "optimal: when circuits change, with ranks that relay; together, alternate, overlap, copies: on several planes "
     "(docs/collectives.md)",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.reconfigure = choice(v, reconfigure_names()); }},
    {"collective.demand", "\"equal\"",
     "who sends how much in an all_to_all; equal: the same to all; zipf:A, gini:G: all senders prefer the same ranks, "
     "which are drawn, such as \"zipf:1\" or \"gini:0.3\"; top_k:K: each sends to K others, which are drawn; "
     "flows:L,S,SHARE: L large and S small permutations, which are drawn, the large ones with this share; \"file:PATH\", "
     "relative to this file: bytes, one line a sender",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.demand_text = text(v, "zipf:1");
       p.job.demand = parse_demand(p.job.demand_text);
     }},
    {"collective.candidates", "\"ring, steps\"",
     "maps that never, best_static and optimal may choose: ring, back, shifts, steps, all, and maps such as (1 2 0) with "
     "the receiver of each node, -1 for none (docs/collectives.md)",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.candidates_text = text(v, "ring, steps");
       p.job.candidates = parse_candidates(p.job.candidates_text);
     }},
    {"collective.preset", "true",
     "true: a policy changes circuits before the computing that precedes their leg; false: after it",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.preset = truth(v); }},
    {"job.peers", "\"none\"",
     "workers average their models with one another, without servers and job.sync; the value selects the receivers: "
     "`lightloop list selections` (docs/selmcast.md)",
     true, [](const Scalar& v, const Names& n, Point& p) {
       p.job.peers = policy_name(v, selection_names(), n.own.selections, p.job.own_peers);
     }},
    {"peers.p", "1",
     "number of receivers that each peer needs, 0 to job.workers - 1",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.peer_settings.p = count(v, 0, 255); }},
    {"peers.k", "4",
     "consecutive rounds in which a peer may leave out another one, 0 to 1000000; \"any\": any number",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.peer_settings.k.reset();
       if (v != Scalar{std::string("any")}) p.job.peer_settings.k = count(v, 0, 1'000'000);
     }},
    {"peers.layer", "\"L3\"",
     "L3: the switch multicasts a model, which the sender sends once; L7: the sender uses one circuit to each receiver",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.peer_settings.layer = choice(v, peer_layers) == "L3" ? Layer::network : Layer::application;
     }},
    {"peers.delta", "true",
     "true: the selection adds the set-up time of a circuit to every model; false: it ignores set-up times",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.peer_settings.delta = truth(v); }},
    {"peers.s", "1",
     "selmcast_ssp: number of rounds by which a peer may be ahead of the slowest one, 0 to 1000000",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.peer_settings.s = count(v, 0, 1'000'000); }},
    {"peers.eta", "\"3/4\"",
     "selmcast_ssp: share of a model, 0 to 1, such as \"0.75\"; a transfer with less than this share left is never "
     "aborted",
     true, [](const Scalar& v, const Names&, Point& p) { read_eta(text(v, "0.75"), p.job.peer_settings); }},
    {"job.fusion", "\"none\"",
     "neighbouring tensors of a server cross together up to this size, such as \"4 MB\"; none: each tensor crosses "
     "alone if job.slice is set",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.slicing.fusion = parse_slice(text(v, "4 MB")); }},
    {"job.slice", "\"none\"",
     "larger tensors are cut at multiples of this size, such as \"4 MB\"; none: tensors are not cut",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.slicing.slice = parse_slice(text(v, "4 MB")); }},
    {"job.overlap", "\"none\"",
     "wait_free_backprop: gradients are pushed while others are still computed, those of the last tensors first; "
     "none: a push starts after the computing",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.overlap.wait_free = choice(v, overlaps) != "none"; }},
    {"job.priorities", "\"none\"",
     "layer: of the slices that are ready, those of earlier tensors are sent first; none: slices have no priorities",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.overlap.by_layer = choice(v, priorities) == "layer"; }},
    {"job.server_load", "\"placed\"",
     "how the model is spread over the servers; placed: as the policy places it; static: keys (blocks of the policy, "
     "cut by job.slice) are spread evenly; adaptive: keys move to servers whose ports are fast (docs/server-load.md)",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.server_load = choice(v, server_loads); }},
    {"load.hysteresis", "\"1.05\"",
     "adaptive load: keys move only if the old time exceeds the new time by this factor, 1 to 1000, such as \"1.2\" "
     "or \"6/5\"",
     true, [](const Scalar& v, const Names&, Point& p) { parse_hysteresis(text(v, "1.2"), p.job.load); }},
    {"load.ema_shift", "0",
     "adaptive load: a new rate has the weight 2^-ema_shift in its moving average, 0 to 16",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.load.ema_shift = count(v, 0, 16); }},
    {"load.budget", "\"none\"",
     "adaptive load: most bytes that move at once, such as \"8 MB\"; none: no limit",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.load.budget = parse_budget(text(v, "8 MB")); }},
    {"job.iterations", "2",
     "number of synchronisations of the job, 1 to 1000000",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.iterations = small(v, 1, 1'000'000); }},
    {"job.duration", "\"0 s\"",
     "a worker that reaches the gate after this time has finished, at most 10000 s; replaces job.iterations; 0 s: "
     "job.iterations applies",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.duration = {quantity(v, Dimension::time, 0, 10'000 * second)};
     }},
    {"job.compute", "\"100 ms\"",
     "computing time of a worker in each iteration, at most 1000 s",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.compute = {quantity(v, Dimension::time, 0, 1000 * second)}; }},
    {"compute.backward", "\"2/3\"",
     "job.overlap: share of the backward pass in the computing time, 0 to 1, such as \"2/3\" or \"0.6\"; its "
     "denominator is at most 1000",
     true, [](const Scalar& v, const Names&, Point& p) { read_backward(text(v, "2/3"), p.job.overlap); }},
    {"compute.published", "\"\"",
     "replaces job.compute by the published time of the workload on \"DEVICE/BATCH\", such as \"K80/32\" "
     "(docs/workloads.md)",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.published = text(v); }},
    {"compute.trace", "\"\"",
     "replaces job.compute by the times of \"file:PATH\", relative to this file: a table worker,ns that is used again "
     "from its start at its end",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.trace = text(v); }},
    {"compute.factors", "\"\"",
     "factors of the computing time of single workers, numbered from 0: \"0: 3, 4: 0.5\"",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.factors = text(v, "0: 3, 4: 0.5");
       p.job.compute_model.factors = parse_factors(p.job.factors);
     }},
    {"compute.jitter", "\"\"",
     "random variation of each iteration: \"uniform 10 %\" (half-width), \"normal 10 %\" (standard deviation) or "
     "\"exponential 10 %\" (mean of what is added)",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.jitter = text(v, "uniform 10 %");
       parse_jitter(p.job.jitter, p.job.compute_model);
     }},
    {"compute.stragglers", "\"\"",
     "random slow iterations: with \"5 % x 5\", 5 % of all iterations take 5 times as long",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.stragglers = text(v, "5 % x 5");
       parse_stragglers(p.job.stragglers, p.job.compute_model);
     }},
    {"compute.fixed", "\"0 s\"",
     "time that is added to each iteration, whatever its batch (sync.batch), jitter or factor, at most 1000 s",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.compute_fixed = {quantity(v, Dimension::time, 0, 1000 * second)};
     }},
    {"compute.gradients", "\"pattern\"",
     "pattern: numbers whose sums are checked; real: the workloads softmax and mlp learn from learning.data "
     "(docs/learning.md)",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.real_gradients = choice(v, gradient_kinds) == "real"; }},
    {"learning.data", "\"/usr/share/datasets/fashion-mnist\"",
     "real gradients: folder with the four files of Fashion-MNIST on each host, relative to the current folder",
     false, [](const Scalar& v, const Names&, Point& p) { p.job.learning.folder = text(v); }},
    {"learning.shards", "\"iid\"",
     "real gradients: pictures that each worker has; iid: drawn at random; sorted: by label",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.learning.shards = shard_kind(choice(v, shard_kinds)); }},
    {"learning.rate", "\"0.5\"",
     "real gradients: learning rate, above 0, at most 1000; a push changes the model by -(rate / workers) (samples / "
     "batch) gradient, a step of a peer changes its own model by -rate gradient",
     true, [](const Scalar& v, const Names&, Point& p) { parse_rate(text(v, "0.5"), p.job.learning); }},
    {"learning.batch", "32",
     "real gradients: samples of one push, or of one step of a peer, 1 to 1000000",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.learning.batch = count(v, 1, 1'000'000); }},
    {"learning.every", "0",
     "real gradients: number of updates (of peers: averages) between two evaluations, 0 to 1000000000; 0: five "
     "updates of each worker",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.learning.every = count(v, 0, 1'000'000'000); }},
    {"learning.target", "\"0.8\"",
     "real gradients: accuracy on the test pictures whose time is reported, above 0, at most 1",
     true, [](const Scalar& v, const Names&, Point& p) { parse_target(text(v, "0.8"), p.job); }},
    {"job.payload", "\"full\"",
     "full: every byte is made, sent, added and checked; digest: only the fate of every word is checked, without "
     "bytes; none: words are only counted",
     true, [](const Scalar& v, const Names& n, Point& p) { p.job.payload = choice(v, n.payloads); }},
    {"job.retransmit", "true",
     "true: lost words are sent again; false: a run that loses a word ends and names it",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.retransmit = truth(v); }},
    {"sync.s", "1",
     "ssp: number of pushes by which a worker may be ahead of the slowest one, 0 to 1000000",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.s = count(v, 0, 1'000'000); }},
    {"sync.s_lo", "1",
     "dssp: number of pushes by which any worker may be ahead, 0 to sync.s_up",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.s_lo = count(v, 0, 1'000'000); }},
    {"sync.s_up", "4",
     "dssp: number of pushes by which the fastest worker may be ahead, 0 to 1000000",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.s_up = count(v, 0, 1'000'000); }},
    {"sync.r", "\"0.8\"",
     "r2sp: gap between two grants, as a share of (longest iteration / workers), such as \"0.8\" or \"4/5\"",
     true, [](const Scalar& v, const Names&, Point& p) {
       std::tie(p.job.sync_settings.r_num, p.job.sync_settings.r_den) = parse_fraction(text(v, "0.8"));
     }},
    {"sync.strict", "false",
     "r2sp; true: pushes are applied in the order of the grants; false: in the order of their arrival",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.strict = truth(v); }},
    {"sync.batch", "0",
     "r2sp: samples of one step at the start, which the scheme then changes with the waits, 0 to 1000000; 0: samples "
     "do not change",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.batch = count(v, 0, 1'000'000); }},
    {"sync.batch_min", "1",
     "r2sp: least samples of one step, 1 to sync.batch; samples only grow from sync.batch, so this key has no effect",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.batch_min = count(v, 1, 1'000'000); }},
    {"sync.batch_max", "65536",
     "r2sp: most samples of one step, 1 to 1000000000",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.batch_max = count(v, 1, 1'000'000'000); }},
    {"sync.batch_every", "10",
     "r2sp: number of grants between two changes of the samples, 1 to 1000000",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.batch_every = count(v, 1, 1'000'000); }},
    {"sync.ema_shift", "2",
     "r2sp, elastic, predictive: a new time has the weight 2^-ema_shift in its moving average, 0 to 16",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.ema_shift = count(v, 0, 16); }},
    {"sync.p", "1",
     "p_of_n: number of workers that a round needs, 1 to job.workers",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.p = count(v, 1, 255); }},
    {"sync.k", "4",
     "p_of_n: consecutive rounds that a worker may miss, 0 to 1000000; \"any\": any number",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.sync_settings.k.reset();
       if (v != Scalar{std::string("any")}) p.job.sync_settings.k = count(v, 0, 1'000'000);
     }},
    {"sync.quota", "15",
     "elastic, predictive: most pushes (predictive: steps) of a worker in one super-step, 1 to 256",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.most_quota = count(v, 1, 256); }},
    {"sync.objective", "\"range\"",
     "elastic, predictive: measure that selects the end of a super-step: range or total",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.sync_settings.objective = choice(v, objectives) == "range" ? Objective::range : Objective::total;
     }},
    {"sync.trend", "false",
     "elastic; true: iteration times are predicted to continue their trend, I + b k; false: to stay as they are",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.trend = truth(v); }},
    {"sync.ahead", "4",
     "predictive: number of steps that a worker may take past a push without an answer, 1 to 64",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.ahead = count(v, 1, 64); }},
    {"jobs", "\"\"",
     "jobs that arrive over time, as tables [[job]] with keys of [job] and arrival, count, every, gaps, priority, "
     "first_node (docs/results.md)",
     false, [](const Scalar& v, const Names&, Point& p) { p.jobs_text = text(v); }},
    {"nodes.transport", "\"inproc\"",
     "inproc: nodes are threads, or without payload plain calls; ipc, tcp: nodes are processes",
     true, [](const Scalar& v, const Names& n, Point& p) { p.nodes.transport = choice(v, n.transports); }},
    {"nodes.deaths", "\"\"",
     "times at which nodes stop for good: \"3: 2 s, 5: 7 s\"; a worker then leaves the scheme, a dead server ends the "
     "run",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.job.deaths_text = text(v, "3: 2 s, 5: 7 s");
       p.job.deaths = parse_deaths(p.job.deaths_text);
     }},
    {"nodes.rates", "\"equal\"",
     "rates of the nodes; equal: fabric.rate; drawn: each node has fabric.rate, a half or a quarter of it; \"100 "
     "Gbit/s, 25 Gbit/s\": rates of nodes 0, 1, ...",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.nodes.rates = text(v, "100 Gbit/s, 25 Gbit/s");
       p.nodes.rates_bps = parse_rates(p.nodes.rates);
     }},
    {"nodes.rate_trace", "\"\"",
     "rates of nodes that change over time: \"file:PATH\", relative to this file, a table ns,node,rate "
     "(docs/unequal.md)",
     true, [](const Scalar& v, const Names&, Point& p) { p.nodes.rate_trace = text(v); }},
    {"nodes.extra_fibre", "\"0 ns\"",
     "time by which light takes longer than fabric.fibre between nodes and the switch; one time for all nodes, or "
     "\"0 ns, 5 us\" for nodes 0, 1, ...",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.nodes.extra_fibre_text = text(v, "5 us");
       p.nodes.extra_fibre = parse_times(p.nodes.extra_fibre_text);
     }},
    {"nodes.extra_tuning", "\"0 ns\"",
     "additional tuning time of circuits to a node; rounded up to cycles; one time for all nodes, or \"0 ns, 5 us\" "
     "for nodes 0, 1, ...",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.nodes.extra_tuning_text = text(v, "5 us");
       p.nodes.extra_tuning = parse_times(p.nodes.extra_tuning_text);
     }},
    {"nodes.listen", "\"\"",
     "address to which nodes connect: \"tcp://ADDRESS:PORT\" or \"ipc://PATH\"; default: an address that only this "
     "host can reach",
     false, [](const Scalar& v, const Names&, Point& p) { p.nodes.listen = text(v); }},
    {"nodes.expect", "0",
     "number of nodes, the last ones, that are started elsewhere, 0 to 255: `lightloop node --help`",
     false, [](const Scalar& v, const Names&, Point& p) { p.nodes.expect = small(v, 0, 255); }},
    {"nodes.keys", "\"\"",
     "key file, relative to this file, that the nodes elsewhere have too (tcp): `lightloop node --new-key`",
     false, [](const Scalar& v, const Names& names, Point& p) {
       const std::string path = text(v);
       p.nodes.keys = path.empty() || !names.path_of ? path : names.path_of(path);
     }},
    {"nodes.insecure", "false",
     "true: tcp connections are not encrypted, and nodes on other hosts need no key",
     false, [](const Scalar& v, const Names&, Point& p) { p.nodes.insecure = truth(v); }},
    {"nodes.timeout", "\"30 s\"",
     "longest wall time without an expected answer, 1 ms to 86400 s; the run then fails",
     false, [](const Scalar& v, const Names&, Point& p) {
       p.nodes.timeout = {quantity(v, Dimension::time, second / 1000, 86400 * second)};
     }},
    {"nodes.control_latency", "\"0 ns\"",
     "delay of messages from the nodes on the control network, at most 1000 s",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.nodes.control_latency = {quantity(v, Dimension::time, 0, 1000 * second)};
     }},
    {"nodes.clock_offset", "\"0 ns\"",
     "timetable: time by which nodes send late, or early if it is negative; one time for all nodes, or \"5 ns, -1 "
     "us\" for nodes 0, 1, ...",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.nodes.clock_offset_text = text(v, "5 ns");
       p.nodes.clock_offset = parse_offsets(p.nodes.clock_offset_text);
     }},
    {"nodes.clock_spread", "\"0 ns\"",
     "timetable: each clock has an additional offset, drawn from -spread to +spread",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.nodes.clock_spread = {quantity(v, Dimension::time, 0, largest)};
     }},
    {"nodes.clock_drift", "0",
     "timetable: each clock is fast or slow by a constant, drawn from -drift to +drift, in parts per million; 0 to 1000",
     true, [](const Scalar& v, const Names&, Point& p) { p.nodes.clock_drift_ppm = whole(v, 0, 1000); }},
    {"nodes.clock_sync", "\"1 ms\"",
     "with a clock drift: time after which all clocks are set right again, above 0",
     true, [](const Scalar& v, const Names&, Point& p) {
       p.nodes.clock_sync = {quantity(v, Dimension::time, 1, largest)};
     }},
    {"scheduler", "\"\"",
     "replaces the scheduler of the policy: a name of `lightloop list schedulers`, a program such as "
     "\"exec:./mine.py\", relative to this file, or \"plan:FILE\" (docs/plans.md)",
     true, [](const Scalar& v, const Names& n, Point& p) {
       const std::string& name = p.planning.scheduler = text(v);
       if (!name.empty() && !names_outside_scheduler(name)) choice(v, n.schedulers, scheduler_of_file(name, n));
     }},
    {"placer", "\"\"",
     "replaces the placer of the policy: a name of `lightloop list placers`; the policy still says how the model is "
     "cut, and which nodes may have servers",
     true, [](const Scalar& v, const Names& n, Point& p) {
       p.own_placer.reset();
       p.placer = text_is(v, "") ? "" : policy_name(v, placer_names(), n.own.placers, p.own_placer);
     }},
    {"charge_planning", "\"none\"",
     "fabric time by which each plan starts later; none; a time; measured: the wall time of the planning; row:ID: as "
     "in that row of --db",
     true, [](const Scalar& v, const Names&, Point& p) { read_charge(text(v, "250 us"), p.planning); }},
    {"planning_timeout", "\"10 s\"",
     "longest wall time of one plan of the program that `scheduler` names, or of one call of a function of Python, 1 ms "
     "to 86400 s",
     false, [](const Scalar& v, const Names&, Point& p) {
       p.planning.timeout = {quantity(v, Dimension::time, second / 1000, 86400 * second)};
     }},
    {"seed", "1",
     "seed of all random draws, 0 to 2^63 - 1",
     true, [](const Scalar& v, const Names&,
        Point& p) { p.seed = static_cast<std::uint64_t>(whole(v, 0, std::numeric_limits<std::int64_t>::max())); }},
    {"policy", R"(["psscheduler", "psscheduler_dedicated", "sunflow", "hlf"])",
     "places the servers and selects the circuit scheduler: `lightloop list policies`",
     true, [](const Scalar& v, const Names& n, Point& p) { p.policy = choice(v, n.policies); }},
};

}  // namespace

std::span<const Key> experiment_keys() { return keys; }

}  // namespace ocs
