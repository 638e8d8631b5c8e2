// Kinds, trials and exceptions, a line each.
// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/every_key_table.hpp"

#include <sstream>

namespace ocs::test {
namespace {

const RunKind kinds[] = {
    {"phases", {}},
    {"asp", {"job.sync=asp", "policy=sunflow_fifo", "job.iterations=9", "compute.factors=0: 3"}},
    {"ssp", {"job.sync=ssp", "policy=sunflow_fifo", "job.iterations=9", "compute.factors=0: 3", "job.slice=4 kB"}},
    {"dssp",
     {"job.sync=dssp", "policy=sunflow_fifo", "job.iterations=20", "compute.factors=0: 3, 1: 2", "job.compute=20 us",
      "job.slice=4 kB"}},
    {"r2sp",
     {"job.sync=r2sp", "policy=sunflow_fifo", "job.iterations=20", "compute.factors=0: 3",
      "compute.stragglers=20 % x 9", "sync.r=1/10", "sync.batch=16", "sync.batch_every=2", "sync.batch_max=18",
      R"(nodes.rates="100 Gbit/s, 100 Gbit/s, 10 Gbit/s")", "job.slice=4 kB"}},
    {"p_of_n",
     {"job.sync=p_of_n", "policy=sunflow_fifo", "job.iterations=9", "compute.factors=0: 9", "sync.k=2",
      "job.slice=4 kB"}},
    {"elastic",
     {"job.sync=elastic", "policy=sunflow_fifo", "job.iterations=20", "compute.factors=0: 2.6, 1: 2.2, 2: 1.4",
      "job.workers=4", "job.compute=50 us", "compute.jitter=uniform 25 %", "sync.quota=6", "job.slice=4 kB"}},
    {"predictive",
     {"job.sync=predictive", "policy=sunflow_fifo", "job.iterations=20", "compute.factors=0: 3, 1: 1.7",
      "job.compute=20 us", "compute.jitter=uniform 30 %", "job.slice=4 kB"}},
    {"timetable", {"control.mode=timetable", "control.guard=100 ns", "nodes.clock_spread=300 ns"}},
    {"planes", {"fabric.planes=2"}},
    {"named_switch", {"fabric.switch=mordia"}},
    {"overlap",
     {"job.sync=bsp", "policy=sunflow_fifo", "job.overlap=wait_free_backprop", "job.slice=8 kB", "job.fusion=1 kB",
      "job.priorities=layer", "job.compute=20 us"}},
    {"server_load", {"job.server_load=adaptive", "nodes.rate_trace=file:slower", "job.slice=4 kB", "job.iterations=8"}},
    {"learning",
     {"job.payload=full", "compute.gradients=real", "job.workload=mlp", "job.sync=asp", "policy=sunflow_fifo",
      "learning.every=3", "learning.shards=sorted", "compute.jitter=uniform 30 %"}},
    {"collective", {"job.collective=ring", "job.workers=4"}},
    {"peers",
     {"job.peers=selmcast", "job.workers=5", "peers.p=2", "policy=multicast",
      R"(nodes.rates="100 Gbit/s, 100 Gbit/s, 50 Gbit/s, 25 Gbit/s")", "job.iterations=8"}},
    {"peers_when_ready",
     {"job.peers=selmcast_ssp", "job.workers=5", "peers.p=2", "policy=multicast", "compute.factors=0: 3",
      "job.iterations=12"}},
    {"jobs",
     {"policy=sunflow_inter",
      R"(jobs='[{workers = 2, count = 2, every = "5 us", gaps = "drawn"}, {arrival = "3 us", workers = 3}, {arrival = "4 us"}]')"}},
    {"jobs_that_say_all",
     {"policy=sunflow_inter",
      R"(jobs='[{workload = "tiny", workers = 3, servers = 2, colocated = false, iterations = 2, compute = "1 us", count = 3, every = "5 us"}]')"}},
    {"trace", {"policy=sunflow_inter", "job.workload=coflow:some"}},
    {"packets", {"network=packet"}},
    {"packets_asp", {"network=packet", "job.sync=asp", "job.iterations=9", "compute.factors=0: 3"}},
    {"soc", {"fabric.device=soc", "fabric.ports=4", "job.workers=2", "job.iterations=1"}},
};

constexpr Trial all_trials[] = {
    {"*", "name", "other"},
    {"*", "network", "packet"},
    {"packets packets_asp", "network", "circuit"},
    {"*", "fabric.device", "verilated"},
    {"*", "fabric.ports", "9"},
    {"soc", "fabric.ports", "7"},
    {"*", "fabric.rate", "50 Gbit/s"},
    {"*", "fabric.word", "128 B"},
    {"*", "fabric.switch", "polatis"},
    {"*", "fabric.tuning", "2 us"},
    {"*", "fabric.locking", "200 ns"},
    {"*", "fabric.fibre", "300 ns"},
    {"*", "fabric.planes", "2"},
    {"planes", "fabric.planes", "3"},
    {"*", "fabric.split", "equal"},
    {"*", "fabric.all_stop", "true"},
    {"*", "fabric.time_warp", "false"},
    {"*", "fabric.fidelity", "word"},
    {"*", "fabric.outages", "0: 3 us - 9 us"},
    {"*", "control.mode", "timetable"},
    {"timetable", "control.mode", "confirmed"},
    {"*", "control.guard", "200 ns"},
    {"*", "control.lead", "200 ns"},
    {"*", "job.workload", "other"},
    {"learning", "job.workload", "softmax"},
    {"trace", "job.workload", "coflow:other"},
    {"*", "job.workers", "4"},
    {"collective elastic", "job.workers", "5"},
    {"soc", "job.workers", "1"},
    {"*", "job.servers", "1"},
    {"*", "job.colocated", "true"},
    {"*", "job.sync", "ssp"},
    {"ssp learning packets_asp", "job.sync", "bsp"},
    {"*", "job.collective", "ring"},
    {"collective", "job.collective", "halving_doubling"},
    {"*", "job.peers", "random"},
    {"*", "peers.p", "3"},
    {"*", "peers.k", "1"},
    {"*", "peers.layer", "L7"},
    {"*", "peers.delta", "false"},
    {"*", "peers.s", "2"},
    {"*", "peers.eta", "1/8"},
    {"*", "job.fusion", "4 kB"},
    {"learning", "job.fusion", "40 kB"},
    {"*", "job.slice", "4 kB"},
    {"ssp dssp r2sp p_of_n elastic predictive server_load", "job.slice", "2 kB"},
    {"*", "job.overlap", "wait_free_backprop"},
    {"overlap", "job.overlap", "none"},
    {"*", "job.priorities", "layer"},
    {"overlap", "job.priorities", "none"},
    {"*", "job.server_load", "static"},
    {"*", "load.hysteresis", "3/1"},
    {"*", "load.ema_shift", "3"},
    {"*", "load.budget", "4 kB"},
    {"*", "job.iterations", "5"},
    {"*", "job.duration", "40 us"},
    {"*", "job.compute", "3 us"},
    {"*", "compute.backward", "1/3"},
    {"*", "compute.published", "K80/32"},
    {"*", "compute.trace", "file:times"},
    {"*", "compute.factors", "0: 2"},
    {"*", "compute.jitter", "uniform 20 %"},
    {"*", "compute.stragglers", "50 % x 5"},
    {"*", "compute.fixed", "1 us"},
    {"*", "compute.gradients", "real"},
    {"learning", "compute.gradients", "pattern"},
    {"*", "learning.data", "other"},
    {"*", "learning.shards", "sorted"},
    {"learning", "learning.shards", "iid"},
    {"*", "learning.rate", "1/4"},
    {"*", "learning.batch", "8"},
    {"*", "learning.every", "2"},
    {"*", "learning.target", "3/10"},
    {"*", "job.payload", "digest"},
    {"*", "job.retransmit", "false"},
    {"*", "sync.s", "3"},
    {"*", "sync.s_lo", "0"},
    {"*", "sync.s_up", "2"},
    {"*", "sync.r", "1/2"},
    {"*", "sync.strict", "true"},
    {"*", "sync.batch", "17"},
    {"*", "sync.batch_min", "16"},
    {"*", "sync.batch_max", "17"},
    {"*", "sync.batch_every", "5"},
    {"*", "sync.ema_shift", "5"},
    {"*", "sync.p", "2"},
    {"*", "sync.k", "0"},
    {"*", "sync.quota", "2"},
    {"*", "sync.objective", "total"},
    {"*", "sync.trend", "true"},
    {"*", "sync.ahead", "1"},
    {"*", "jobs", "'[{count = 4}]'"},
    {"*", "nodes.transport", "ipc"},
    {"*", "nodes.deaths", "2: 4 us"},
    {"*", "nodes.rates", "100 Gbit/s, 100 Gbit/s, 25 Gbit/s"},
    {"*", "nodes.rate_trace", "file:slow"},
    {"*", "nodes.extra_tuning", "500 ns"},
    {"*", "nodes.listen", "ipc:///tmp/nowhere"},
    {"*", "nodes.expect", "1"},
    {"*", "nodes.keys", "node.key"},
    {"*", "nodes.insecure", "true"},
    {"*", "nodes.timeout", "20 s"},
    {"*", "nodes.control_latency", "700 ns"},
    {"*", "nodes.clock_offset", "400 ns"},
    {"*", "nodes.clock_spread", "200 ns"},
    {"*", "scheduler", "rotation_list"},
    {"soc", "scheduler", "hlf"},
    {"named_switch collective", "scheduler", "solstice"},
    {"*", "charge_planning", "1 us"},
    {"*", "planning_timeout", "20 s"},
    {"*", "seed", "2"},
    {"*", "policy", "sunflow_equal"},
    {"overlap", "policy", "sunflow_inter"},
    {"collective", "policy", "solstice_allstop"},
};

constexpr Silent all_silent[] = {
    {"*", "name", "it is what results are called"},
    {"*", "nodes.timeout", "wall time, after which a run fails"},
    {"phases asp ssp dssp r2sp p_of_n elastic predictive timetable planes named_switch overlap server_load learning "
     "collective peers peers_when_ready packets packets_asp soc",
     "nodes.transport", "it says where nodes run; what they do is the same (tests/nodes)"},
    {"phases timetable planes named_switch peers peers_when_ready packets soc", "job.payload",
     "digest checks what arrives, and times are those without payload"},
    {"packets packets_asp", "fabric.ports",
     "a port that no node uses carries nothing; there are no idle outputs to count"},
};

constexpr Ending all_endings[] = {
    {"phases timetable named_switch overlap packets planes soc", "nodes.deaths", "node 2 died at 4000000 ps"},
    {"timetable", "job.retransmit", "the switch lost them and nothing sends them again"},
};

}  // namespace

std::vector<std::string> common_settings() {
  return {"fabric.device=model", "fabric.ports=8",   "fabric.tuning=1 us", "fabric.locking=100 ns",
          "job.workload=tiny",   "job.workers=3",    "job.servers=2",      "job.iterations=3",
          "job.compute=2 us",    "job.payload=none", "policy=sunflow"};
}

std::span<const RunKind> run_kinds() { return kinds; }
std::span<const Trial> trials() { return all_trials; }
std::span<const Silent> silent_keys() { return all_silent; }
std::span<const Ending> endings() { return all_endings; }

bool names_kind(std::string_view kinds, std::string_view kind) {
  if (kinds == "*") return true;
  std::istringstream words{std::string(kinds)};
  for (std::string word; words >> word;)
    if (word == kind) return true;
  return false;
}

}  // namespace ocs::test
