// The keys of an experiment file: name, default, one line of help, and how a value is checked.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "host/core/error.hpp"
#include "host/device/catalogue.hpp"
#include "testbed/experiment/clock_offset.hpp"
#include "testbed/experiment/collective.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/experiment/learning_keys.hpp"
#include "testbed/experiment/load_keys.hpp"
#include "testbed/experiment/node_rates.hpp"
#include "testbed/experiment/outages.hpp"
#include "testbed/experiment/peer_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/experiment/slice_keys.hpp"
#include "testbed/experiment/sync_keys.hpp"
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

const std::string& text(const Scalar& value) {
  const auto* words = std::get_if<std::string>(&value);
  if (words == nullptr) refuse("must be text in quotes");
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

const std::string& choice(const Scalar& value, std::span<const std::string> known) {
  const auto* words = std::get_if<std::string>(&value);
  if (words != nullptr && std::find(known.begin(), known.end(), *words) != known.end()) return *words;
  const std::string like = words == nullptr ? "" : nearest(*words, known);
  refuse("must be one of " + joined(known) + (like.empty() ? "" : "; did you mean " + in_quotes(like) + "?"));
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
  if (stands_somewhere(device) != somewhere)
    refuse(stands_somewhere(device) ? "must say where it is, as in \"" + device + ":/dev/...\""
                                    : "must be \"" + device + "\" alone");
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
    {"name", "\"\"", "what the experiment is called in results; by default the file's name", false,
     [](const Scalar& v, const Names&, Point& p) { p.name = text(v); }},
    {"network", "\"circuit\"",
     "circuit: over the switch, one transfer at a time on a port; packet: all share the ports' rates, max-min fair", true,
     [](const Scalar& v, const Names&, Point& p) { p.packets = choice(v, networks) == "packet"; }},
    {"fabric.device", "\"verilated\"", "implementation of the switch: `lightloop list devices`; \"mapped:PATH\", \"uart:PATH\" for hardware", true,
     [](const Scalar& v, const Names& n, Point& p) { p.fabric.device = device_name(v, n.devices); }},
    {"fabric.ports", "16", "inputs and outputs of the switch, 2 to 256", true,
     [](const Scalar& v, const Names&, Point& p) { p.fabric.ports = small(v, 2, 256); }},
    {"fabric.rate", "\"100 Gbit/s\"", "rate of each port; word / rate must be a whole number of picoseconds; \"device\": rate and word as a mapped or uart "
     "device says them", true,
     [](const Scalar& v, const Names&, Point& p) { p.fabric.rate_of_device = text_is(v, "device");
       if (!p.fabric.rate_of_device) p.fabric.rate_bps = quantity(v, Dimension::rate, 1, largest); }},
    {"fabric.word", "\"64 B\"", "bytes that a port moves in one cycle, 1 to 32768 bytes", true,
     [](const Scalar& v, const Names&, Point& p) { p.fabric.word = {quantity(v, Dimension::size, 1, 32768)}; }},
    {"fabric.switch", "\"\"",
     "preset with the delays of every pair: `lightloop list switches`, or \"file:PATH\", relative to this file",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.switch_name = text(v); }},
    {"fabric.tuning", "\"10 ms\"", "mirrors move, dark; rounded up to cycles", true,
     [](const Scalar& v, const Names&, Point& p) { p.fabric.tuning = {quantity(v, Dimension::time, 0, largest)}; }},
    {"fabric.locking", "\"0 ns\"", "light is there, the receiver acquires it; rounded up to cycles", true,
     [](const Scalar& v, const Names&, Point& p) { p.fabric.locking = {quantity(v, Dimension::time, 0, largest)}; }},
    {"fabric.fibre", "\"0 ns\"", "light takes it from node to switch, and from switch to node; rounded up to cycles",
     true,
     [](const Scalar& v, const Names&, Point& p) { p.fabric.fibre = {quantity(v, Dimension::time, 0, largest)}; }},
    {"fabric.planes", "1", "switches in parallel, 1 to 16; each node has a port on each", true,
     [](const Scalar& v, const Names&, Point& p) { p.fabric.planes = small(v, 1, 16); }},
    {"fabric.split", "\"longest\"",
     "of demand over planes; longest: whole, the longest first, each where its ports are least loaded; equal: cut alike",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.equal_split = choice(v, plane_splits) == "equal"; }},
    {"fabric.all_stop", "false", "true: no word passes while any circuit is set up; for policies that plan for it",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.all_stop = truth(v); }},
    {"fabric.time_warp", "true", "false: every clock edge stands for one cycle; slow, with equal results", true,
     [](const Scalar& v, const Names&, Point& p) { p.fabric.time_warp = truth(v); }},
    {"fabric.fidelity", "\"burst\"",
     "burst: words are counted; word: 512 bits of each really cross and are compared (device verilated_fast, slow)",
     true, [](const Scalar& v, const Names&, Point& p) { p.fabric.words_cross = choice(v, fidelities) == "word"; }},
    {"fabric.outages", "\"\"",
     "ports without light from a time of the run to another: \"3: 2 ms - 5 ms, 7: 1 ms\" (without an end: for good)",
     true,
     [](const Scalar& v, const Names&, Point& p) {
       p.fabric.outages_text = text(v);
       p.fabric.outages = parse_outages(p.fabric.outages_text);
     }},
    {"control.mode", "\"confirmed\"", "confirmed: words wait for light; timetable: blind, by the clock, may lose words",
     true, [](const Scalar& v, const Names&, Point& p) { p.control.mode = choice(v, control_modes); }},
    {"control.guard", "\"0 ns\"", "timetable: a circuit is up this long before its first word and after its last; rounded up",
     true,
     [](const Scalar& v, const Names&, Point& p) { p.control.guard = {quantity(v, Dimension::time, 0, largest)}; }},
    {"control.lead", "\"0 ns\"", "from a decision to its effect at the switch; rounded up to cycles", true,
     [](const Scalar& v, const Names&, Point& p) { p.control.lead = {quantity(v, Dimension::time, 0, largest)}; }},
    {"job.workload", "\"resnet50\"", "a table: `lightloop list workloads`, or \"file:PATH\"; or a trace \"coflow:PATH\"; relative to this file",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.workload_name = text(v); }},
    {"job.workers", "12", "nodes that train, at least 1", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.workers = small(v, 1, 255); }},
    {"job.servers", "4", "parameter servers, at least 1; workers + servers fit the ports, unless job.colocated", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.servers = small(v, 1, 255); }},
    {"job.colocated", "false", "true: servers run on nodes of workers, the first ones by default; at most as many",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.colocated = truth(v); }},
    {"job.sync", "\"bsp_phase\"", "synchronisation scheme: `lightloop list sync`", true,
     [](const Scalar& v, const Names& n, Point& p) { p.job.sync = choice(v, n.sync); }},
    {"job.collective", "\"none\"", "an all-reduce in place of servers and job.sync: `lightloop list collectives`", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.collective = choice(v, collective_names()); }},
    {"job.peers", "\"none\"",
     "workers average their models with one another in place of servers and job.sync; the receivers are chosen by: "
     "`lightloop list selections` (docs/selmcast.md)",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.peers = choice(v, selection_names()); }},
    {"peers.p", "1", "receivers that each peer needs, 0 to job.workers - 1", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.peer_settings.p = count(v, 0, 255); }},
    {"peers.k", "4", "rounds in a row in which a peer may leave another one out, 0 to 1000000; \"any\": any number", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.peer_settings.k.reset();
       if (v != Scalar{std::string("any")}) p.job.peer_settings.k = count(v, 0, 1'000'000);
     }},
    {"peers.layer", "\"L3\"", "L3: the switch multiplies a model, the sender pays once; L7: a circuit to each receiver",
     true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.peer_settings.layer = choice(v, peer_layers) == "L3" ? Layer::network : Layer::application;
     }},
    {"peers.delta", "true", "selection counts the set-up of a circuit with every model; false: as if there were none",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.peer_settings.delta = truth(v); }},
    {"peers.s", "1", "selmcast_ssp: rounds by which a peer may be ahead of the slowest, 0 to 1000000", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.peer_settings.s = count(v, 0, 1'000'000); }},
    {"peers.eta", "\"3/4\"", "selmcast_ssp: a model of which less than this share is left is never aborted: \"0.75\", 0 to 1",
     true, [](const Scalar& v, const Names&, Point& p) { read_eta(text(v), p.job.peer_settings); }},
    {"job.fusion", "\"none\"",
     "neighbours among a server's tensors cross together up to this size, \"4 MB\"; none: one by one, if job.slice is said",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.slicing.fusion = parse_slice(text(v)); }},
    {"job.slice", "\"none\"", "larger tensors are cut at multiples of this size, \"4 MB\"; none: not at all", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.slicing.slice = parse_slice(text(v)); }},
    {"job.overlap", "\"none\"",
     "wait_free_backprop: gradients are pushed while others are still computed, those of the last tensors first", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.overlap.wait_free = choice(v, overlaps) != "none"; }},
    {"job.priorities", "\"none\"", "layer: of slices that are ready, those of earlier tensors go first", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.overlap.by_layer = choice(v, priorities) == "layer"; }},
    {"job.server_load", "\"placed\"",
     "placed: servers have what the policy gives them; static: keys (its blocks, job.slice) spread evenly; adaptive: "
     "these move to where ports are fast (docs/server-load.md)",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.server_load = choice(v, server_loads); }},
    {"load.hysteresis", "\"1.05\"", "adaptive load: keys move if the old time exceeds the new one by this factor: \"1.2\", \"6/5\"",
     true, [](const Scalar& v, const Names&, Point& p) { parse_hysteresis(text(v), p.job.load); }},
    {"load.ema_shift", "0", "adaptive load: a new rate counts 2^-ema_shift in its average, 0 to 16", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.load.ema_shift = count(v, 0, 16); }},
    {"load.budget", "\"none\"", "adaptive load: most bytes that move at once, \"8 MB\"; none: any", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.load.budget = parse_budget(text(v)); }},
    {"job.iterations", "2", "synchronisations of the job, at least 1", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.iterations = small(v, 1, 1'000'000); }},
    {"job.duration", "\"0 s\"",
     "0 s, or a time: a worker that reaches the gate after it has finished; in place of job.iterations, at most 10000 s", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.duration = {quantity(v, Dimension::time, 0, 10'000 * second)};
     }},
    {"job.compute", "\"100 ms\"", "computing time of a worker in each iteration, at most 1000 s", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.compute = {quantity(v, Dimension::time, 0, 1000 * second)}; }},
    {"compute.backward", "\"2/3\"",
     "share of the backward pass in computing, for job.overlap: \"2/3\", \"0.6\"; 0 to 1, a denominator up to 1000", true,
     [](const Scalar& v, const Names&, Point& p) { read_backward(text(v), p.job.overlap); }},
    {"compute.published", "\"\"",
     "in place of job.compute: the workload's published time on \"DEVICE/BATCH\", \"K80/32\" (docs/workloads.md)", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.published = text(v); }},
    {"compute.trace", "\"\"", "in place of job.compute: \"file:PATH\", a table worker,ns used again and again", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.trace = text(v); }},
    {"compute.factors", "\"\"", "workers, from 0, that are always slower or faster: \"0: 3, 4: 0.5\" times as long", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.factors = text(v);
       p.job.compute_model.factors = parse_factors(p.job.factors);
     }},
    {"compute.jitter", "\"\"",
     "of each iteration: \"uniform 10 %\" (half-width), \"normal 10 %\" (deviation), \"exponential 10 %\" (mean added)", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.jitter = text(v);
       parse_jitter(p.job.jitter, p.job.compute_model);
     }},
    {"compute.stragglers", "\"\"", "iterations that take longer now and then: \"5 % x 5\", of all, times as long", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.stragglers = text(v);
       parse_stragglers(p.job.stragglers, p.job.compute_model);
     }},
    {"compute.fixed", "\"0 s\"",
     "of each iteration in addition, whatever its batch (sync.batch), jitter or factor; at most 1000 s", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.compute_fixed = {quantity(v, Dimension::time, 0, 1000 * second)};
     }},
    {"compute.gradients", "\"pattern\"",
     "pattern: numbers whose sums are checked; real: workloads softmax and mlp learn from learning.data (docs/learning.md)",
     true, [](const Scalar& v, const Names&, Point& p) { p.job.real_gradients = choice(v, gradient_kinds) == "real"; }},
    {"learning.data", "\"/usr/share/datasets/fashion-mnist\"",
     "real gradients: folder of the four files of Fashion-MNIST, on each host; relative to the current folder", false,
     [](const Scalar& v, const Names&, Point& p) { p.job.learning.folder = text(v); }},
    {"learning.shards", "\"iid\"", "real gradients: which pictures a worker has; iid: drawn; sorted: by label", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.learning.shards = shard_kind(choice(v, shard_kinds)); }},
    {"learning.rate", "\"0.5\"",
     "real gradients: a push changes the model by -(rate / workers) (samples / batch) gradient, a peer's step its own by "
     "-rate gradient; above 0, up to 1000",
     true, [](const Scalar& v, const Names&, Point& p) { parse_rate(text(v), p.job.learning); }},
    {"learning.batch", "32", "real gradients: samples of a push, or of a peer's step, 1 to 1000000", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.learning.batch = count(v, 1, 1'000'000); }},
    {"learning.every", "0", "real gradients: updates (among peers: means taken) between two evaluations; 0: five of each worker", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.learning.every = count(v, 0, 1'000'000'000); }},
    {"learning.target", "\"0.8\"", "real gradients: accuracy on the test pictures whose time is reported", true,
     [](const Scalar& v, const Names&, Point& p) { parse_target(text(v), p.job); }},
    {"job.payload", "\"full\"", "full: every byte is made, sent, added, checked; digest; none", true,
     [](const Scalar& v, const Names& n, Point& p) { p.job.payload = choice(v, n.payloads); }},
    {"job.retransmit", "true", "false: a run that loses a word ends and says which", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.retransmit = truth(v); }},
    {"sync.s", "1", "ssp: pushes by which a worker may be ahead of the slowest, 0 to 1000000", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.s = count(v, 0, 1'000'000); }},
    {"sync.s_lo", "1", "dssp: pushes by which any worker may be ahead, at most sync.s_up", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.s_lo = count(v, 0, 1'000'000); }},
    {"sync.s_up", "4", "dssp: pushes by which the fastest may be ahead, 0 to 1000000", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.s_up = count(v, 0, 1'000'000); }},
    {"sync.r", "\"0.8\"", "r2sp: gap between grants, as a share of the longest iteration / workers: \"0.8\", \"4/5\"",
     true,
     [](const Scalar& v, const Names&, Point& p) {
       std::tie(p.job.sync_settings.r_num, p.job.sync_settings.r_den) = parse_fraction(text(v));
     }},
    {"sync.strict", "false", "r2sp, true: pushes are applied in the order of the grants", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.strict = truth(v); }},
    {"sync.batch", "0", "r2sp: samples a step at the start, which change with the waits; 0: they don't", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.batch = count(v, 0, 1'000'000); }},
    {"sync.batch_min", "1", "r2sp: least samples a step, at most sync.batch; they only grow from there, so it changes nothing", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.batch_min = count(v, 1, 1'000'000); }},
    {"sync.batch_max", "65536", "r2sp: most samples a step", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.batch_max = count(v, 1, 1'000'000'000); }},
    {"sync.batch_every", "10", "r2sp: grants between two changes of the samples", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.batch_every = count(v, 1, 1'000'000); }},
    {"sync.ema_shift", "2", "r2sp, elastic, predictive: a new time counts 2^-ema_shift in their averages, 0 to 16", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.ema_shift = count(v, 0, 16); }},
    {"sync.p", "1", "p_of_n: workers that a round needs, at most job.workers", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.p = count(v, 1, 255); }},
    {"sync.k", "4", "p_of_n: rounds that a worker may miss in a row, 0 to 1000000; \"any\": any number", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.sync_settings.k.reset();
       if (v != Scalar{std::string("any")}) p.job.sync_settings.k = count(v, 0, 1'000'000);
     }},
    {"sync.quota", "15", "elastic, predictive: most pushes (steps) of a worker in a super-step, 1 to 256", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.most_quota = count(v, 1, 256); }},
    {"sync.objective", "\"range\"", "elastic, predictive: what a super-step's end is chosen by: range, total", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.sync_settings.objective = choice(v, objectives) == "range" ? Objective::range : Objective::total;
     }},
    {"sync.trend", "false", "elastic: true: lengths of iterations are predicted to go on as they change, I + b k", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.trend = truth(v); }},
    {"sync.ahead", "4", "predictive: steps past a push that isn't answered, 1 to 64", true,
     [](const Scalar& v, const Names&, Point& p) { p.job.sync_settings.ahead = count(v, 1, 64); }},
    {"jobs", "\"\"",
     "jobs that arrive over time, as tables [[job]]: keys of [job] and arrival, count, every, gaps, priority, first_node", false,
     [](const Scalar& v, const Names&, Point& p) { p.jobs_text = text(v); }},
    {"nodes.transport", "\"inproc\"",
     "inproc: nodes are threads, or, without payload, called one by one; ipc, tcp: processes", true,
     [](const Scalar& v, const Names& n, Point& p) { p.nodes.transport = choice(v, n.transports); }},
    {"nodes.deaths", "\"\"",
     "nodes that do nothing any more from a time on: \"3: 2 s, 5: 7 s\"; a worker leaves the scheme, a server ends the run",
     true,
     [](const Scalar& v, const Names&, Point& p) {
       p.job.deaths_text = text(v);
       p.job.deaths = parse_deaths(p.job.deaths_text);
     }},
    {"nodes.rates", "\"equal\"",
     "drawn: each node has the rate, a half or a quarter of it; or \"100 Gbit/s, 25 Gbit/s\": of nodes 0, 1, ...", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.nodes.rates = text(v);
       p.nodes.rates_bps = parse_rates(p.nodes.rates);
     }},
    {"nodes.rate_trace", "\"\"",
     "\"file:PATH\", relative to this file: rates of nodes that change, a table ns,node,rate (docs/unequal.md)", true,
     [](const Scalar& v, const Names&, Point& p) { p.nodes.rate_trace = text(v); }},
    {"nodes.extra_tuning", "\"0 ns\"",
     "circuits to a node tune so much longer: to every node, or \"0 ns, 5 us\": to nodes 0, 1, ...; rounded up", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.nodes.extra_tuning_text = text(v);
       p.nodes.extra_tuning = parse_times(p.nodes.extra_tuning_text);
     }},
    {"nodes.listen", "\"\"",
     "where nodes connect: \"tcp://ADDRESS:PORT\" or \"ipc://PATH\"; by default a place that only this host can reach",
     false, [](const Scalar& v, const Names&, Point& p) { p.nodes.listen = text(v); }},
    {"nodes.expect", "0", "number of nodes, the last ones, that are started elsewhere: `lightloop node --help`", false,
     [](const Scalar& v, const Names&, Point& p) { p.nodes.expect = small(v, 0, 255); }},
    {"nodes.keys", "\"\"",
     "key file, relative to this one, that nodes from elsewhere have too (tcp): `lightloop node --new-key`", false,
     [](const Scalar& v, const Names& names, Point& p) {
       const std::string path = text(v);
       p.nodes.keys = path.empty() || !names.path_of ? path : names.path_of(path);
     }},
    {"nodes.insecure", "false", "true: nothing is encrypted over tcp, and nodes come from other hosts without a key", false,
     [](const Scalar& v, const Names&, Point& p) { p.nodes.insecure = truth(v); }},
    {"nodes.timeout", "\"30 s\"", "wall time without an answer that is owed, after which a run fails", false,
     [](const Scalar& v, const Names&, Point& p) {
       p.nodes.timeout = {quantity(v, Dimension::time, second / 1000, 86400 * second)};
     }},
    {"nodes.control_latency", "\"0 ns\"", "of what a node says on the control network, at most 1000 s", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.nodes.control_latency = {quantity(v, Dimension::time, 0, 1000 * second)};
     }},
    {"nodes.clock_offset", "\"0 ns\"",
     "timetable: sends so much late, or early (-): of every node, or \"5 ns, -1 us\": of nodes 0, 1, ...", true,
     [](const Scalar& v, const Names&, Point& p) {
       p.nodes.clock_offset_text = text(v);
       p.nodes.clock_offset = parse_offsets(p.nodes.clock_offset_text);
     }},
    {"nodes.clock_spread", "\"0 ns\"", "timetable: each node's clock is off by a draw from -spread to +spread more",
     true,
     [](const Scalar& v, const Names&, Point& p) {
       p.nodes.clock_spread = {quantity(v, Dimension::time, 0, largest)};
     }},
    {"scheduler", "\"\"",
     "instead of the policy's: `lightloop list schedulers`, \"exec:./mine.py\", a program relative to this file, or "
     "\"plan:FILE\" (docs/plans.md)",
     true,
     [](const Scalar& v, const Names& n, Point& p) {
       p.planning.scheduler = text(v);
       if (!p.planning.scheduler.empty() && !names_outside_scheduler(p.planning.scheduler)) choice(v, n.schedulers);
     }},
    {"charge_planning", "\"none\"",
     "fabric time that a plan begins later: none; a time; measured, as long as planning took; row:ID, as in that row "
     "of the --db",
     true, [](const Scalar& v, const Names&, Point& p) { read_charge(text(v), p.planning); }},
    {"planning_timeout", "\"10 s\"", "wall time that a program of `scheduler` may take for one plan", false,
     [](const Scalar& v, const Names&, Point& p) {
       p.planning.timeout = {quantity(v, Dimension::time, second / 1000, 86400 * second)};
     }},
    {"seed", "1", "of everything drawn at random", true,
     [](const Scalar& v, const Names&,
        Point& p) { p.seed = static_cast<std::uint64_t>(whole(v, 0, std::numeric_limits<std::int64_t>::max())); }},
    {"policy", R"(["psscheduler", "psscheduler_dedicated", "sunflow", "hlf"])",
     "places servers and schedules circuits: `lightloop list policies`", true,
     [](const Scalar& v, const Names& n, Point& p) { p.policy = choice(v, n.policies); }},
};

}  // namespace

std::span<const Key> experiment_keys() { return keys; }

}  // namespace ocs
