// lightloop check: validates an experiment and prints what it means, to the cycle and the word.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>

#include "testbed/apps/commands.hpp"
#include "testbed/apps/run/experiment_arguments.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/files/light.hpp"
#include "testbed/experiment/files/neighbours.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/experiment/keys/peer_keys.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/results/text/human.hpp"
#include "testbed/run/exact_rows.hpp"

namespace ocs {
namespace {

constexpr std::int64_t warn_ppm = 10'000;

std::string percent(std::int64_t ppm) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %%", static_cast<double>(ppm) / 10'000);
  return text;
}

std::string clock_of(Picos cycle) {
  char text[32];
  std::snprintf(text, sizeof text, "%.7g MHz", 1e6 / static_cast<double>(cycle.n));
  return text;
}

std::string time(Picos length) { return to_text(length.n, Dimension::time); }

void print_keys(const Experiment& experiment) {
  std::vector<Setting> all = experiment.settings;
  all.insert(all.end(), experiment.choice.begin(), experiment.choice.end());
  for (const Setting& setting : all) {
    std::string values;
    for (const Setting::Item& item : setting.items)
      values.append(values.empty() ? "" : ", ").append(to_text(item.value));
    if (setting.list) values.insert(0, "[").append("]");
    std::printf("  %-21s = %-28s # %s\n", setting.key.c_str(), values.c_str(), setting.origin.c_str());
  }
}

std::string delay_line(const char* name, Picos asked, Cycles used, Picos cycle) {
  return std::string("  ") + name + " " + time(asked) + ": " + counted(used.n, "cycle") + " = " +
         time(to_picos(used, cycle)) + ", rounded up by " + percent(rounding_ppm(asked, cycle)) + "\n";
}

/// Mirrors that are programmed in turn.
std::string programming_text(const FabricSettings& fabric) {
  if (fabric.program_cycles.n == 0) return {};
  const Cycles longest = fabric.longest_programming();
  return delay_line("programming", fabric.program_time, fabric.program_cycles, fabric.cycle) +
         "  mirrors of a commit are programmed " + std::to_string(fabric.program_lanes) +
         " at once; the last of all ports waits " + counted(longest.n, "cycle") + " = " +
         time(to_picos(longest, fabric.cycle)) + ", which no plan counts: words wait for light\n";
}

/// Mirrors that shake others, or are parked before they move.
std::string neighbours_text(const FabricSettings& fabric) {
  const NeighbourTimes& times = fabric.neighbour_times;
  if (times.park.n > 0)
    return "  mirrors are parked before they move: " + time(times.park) + " of their tuning; they disturb nobody\n";
  if (times.distances == 0) return {};
  if (!fabric.disturbs()) return "  mirrors disturb nobody: no two outputs are so far apart\n";
  return delay_line("disturbance", times.disturbed, fabric.neighbours.disturbed, fabric.cycle) +
         "  neighbours: " + to_text(times) + "; no plan counts with it, and words that are lost are sent again\n" +
         (fabric.neighbours.disturbed > fabric.tuning_cycles + fabric.locking_cycles
              ? "warning: mirrors are disturbed for longer than circuits take to be set up: of those that are set up "
                "together the first words are lost\n"
              : "");
}

/// The level of light, and how far it is from being lost.
std::string light_text(const FabricSettings& fabric) {
  if (!fabric.light) return {};
  const LightLevels& levels = *fabric.light_levels;
  std::string text = "  light: " + weakest_text(levels) + (levels.by_port() ? ", the weakest pair" : "");
  if (!levels.detected) return text + "; it is there or not, as faults say\n";
  text += ", " + hundredths_text(weakest_pair(levels).power - levels.lost_below) +
          " dB above the level below which it is lost\n";
  if (levels.lost_for.n > 0) text += delay_line("loss", levels.lost_for, fabric.light->lost, fabric.cycle);
  if (levels.back_for.n > 0) text += delay_line("return", levels.back_for, fabric.light->back, fabric.cycle);
  if (!fabric.rings()) return text;
  text += "  a mirror that arrives is without light " + counted(levels.rings, "time") + ", for " + time(levels.ring) +
          " after " + time(levels.ring_after) + " with light; no plan counts with it";
  return text + (fabric.loses_light_late() ? ", and words that are lost are sent again\n" : "\n");
}

/// Mirrors whose light no plan knows.
std::string unsteady_text(const FabricSettings& fabric) {
  std::string text;
  if (fabric.jitter_cycles.n > 0)
    text += delay_line("jitter", fabric.jitter, fabric.jitter_cycles, fabric.cycle) + "  each tuning takes 0 to " +
            counted(fabric.jitter_cycles.n, "cycle") + " more, drawn anew\n";
  if (fabric.receivers)
    text += "  receivers: " + fabric.receivers_text + "; locking takes up to " +
            counted(fabric.receivers->longest().n, "cycle") + " longer\n";
  if (fabric.is_unsteady()) text += "  no plan counts with what mirrors take beyond their time\n";
  return text;
}

std::string fabric_text(const FabricSettings& fabric) {
  std::string text = "fabric: device " + fabric.device + ", " + std::to_string(fabric.ports) + " ports, " +
                     to_text(fabric.rate_bps, Dimension::rate) + (fabric.rate_of_device ? " as it says" : "") +
                     ", word " + to_text(fabric.word.n, Dimension::size) + "\n  cycle " +
                     std::to_string(fabric.cycle.n) + " ps, a clock of " + clock_of(fabric.cycle) + "\n";
  if (fabric.planes > 1)
    text += "  " + std::to_string(fabric.planes) + " planes, demand " +
            (fabric.equal_split ? "cut alike" : "split by flows, the longest first") + "\n";
  if (!fabric.switch_name.empty())
    text += "  switch " + fabric.switch_name + (fabric.delays().uniform() ? "" : "; the slowest of its pairs:") + "\n";
  else if (!fabric.delays().uniform())
    text += "  circuits to some nodes tune longer; the slowest:\n";
  text += delay_line("tuning", fabric.tuning, fabric.tuning_cycles, fabric.cycle);
  text += delay_line("locking", fabric.locking, fabric.locking_cycles, fabric.cycle);
  text += programming_text(fabric) + neighbours_text(fabric) + light_text(fabric) + unsteady_text(fabric);
  const std::int64_t worst =
      std::max(rounding_ppm(fabric.tuning, fabric.cycle), rounding_ppm(fabric.locking, fabric.cycle));
  if (worst <= warn_ppm) return text;
  text += "warning: a delay is rounded up by " + percent(worst) + ", more than 1 %; ";
  const Bytes word = word_for_one_percent(fabric);
  if (word.n == 0) return text + "no clock with words of whole bytes keeps within it at this rate\n";
  const Picos cycle{word.n * 8 * 1'000'000'000'000 / fabric.rate_bps};
  return text + "a clock of " + clock_of(cycle) + " (fabric.word = \"" + to_text(word.n, Dimension::size) +
         "\", a cycle of " + std::to_string(cycle.n) + " ps) would keep within it\n";
}

std::string packets_text(const Point& point) {
  const FabricSettings& fabric = point.fabric;
  const Picos flight = to_picos(fabric.fibre_cycles * 2, fabric.cycle);
  return "network: packets, " + std::to_string(fabric.ports) + " ports, " + to_text(fabric.rate_bps, Dimension::rate) +
         " each way, shared max-min fairly by what is under way\n  a word of " +
         to_text(fabric.word.n, Dimension::size) + " takes " + std::to_string(fabric.cycle.n) + " ps" +
         (flight.n == 0 ? "" : ", and arrives " + time(flight) + " later") + "\n";
}

/// By how much nodes are off at first, and in the end where their clocks drift.
std::string clocks_text(const ControlTimes& times, Picos cycle) {
  std::string text;
  const auto said = [&](Cycles lateness) {
    if (lateness.n == 0) return std::string("on time");
    const Cycles size{std::abs(lateness.n)};
    return counted(size.n, "cycle") + " = " + time(to_picos(size, cycle)) + (lateness.n < 0 ? " early" : " late");
  };
  for (std::size_t v = 0; v < times.clock_offset.size(); ++v) {
    const auto [first, last] = times.lateness_between_syncs(Input{static_cast<std::uint16_t>(v)});
    if (first.n == 0 && last.n == 0) continue;
    text += "  node " + std::to_string(v) + " sends " + said(first);
    if (last != first) text += ", and " + said(last) + " before its clock is set";
    text += std::max(std::abs(first.n), std::abs(last.n)) > times.guard.n ? ", beyond the guard\n" : "\n";
  }
  return text;
}

/// How far nodes are.
std::string fibres_text(const Point& point, const Fibres& fibres) {
  const Picos fibre = point.fabric.fibre, cycle = point.fabric.cycle;
  const auto line = [&](const std::string& whose, std::size_t v) {
    return delay_line(("fibre" + whose).c_str(), fibre + point.nodes.extra_fibre_of(v), fibres.of(v), cycle);
  };
  if (!fibres.differ()) return fibres.longest().n == 0 ? std::string() : line("", 0);
  std::string text;
  for (std::size_t v = 0; v < static_cast<std::size_t>(point.node_count()); ++v)
    text += line(" of node " + std::to_string(v), v);
  return text;
}

std::string control_text(const Point& point) {
  const Picos cycle = point.fabric.cycle;
  const ControlTimes times = control_times(point);
  const bool timetable = times.mode == ControlMode::timetable;
  std::string text = "control: " + point.control.mode + "\n";
  if (timetable) text += delay_line("guard", point.control.guard, times.guard, cycle);
  if (times.lead.n > 0) text += delay_line("lead", point.control.lead, times.lead, cycle);
  text += fibres_text(point, times.fibre);
  text += "  a circuit set up " + std::string(timetable ? "by the clock" : "on an event") + " takes " +
          (point.fabric.delays().uniform() ? "" : "at most ") + counted(times.set_up().n, "cycle") + " = " +
          time(to_picos(times.set_up(), cycle)) + "\n";
  if (!timetable) return text;
  if (times.clocks_drift()) text += delay_line("clocks are set every", point.nodes.clock_sync, times.clock_sync, cycle);
  return text + clocks_text(times, cycle);
}

/// Nodes whose ports are slower than the switch.
std::string rates_text(const Point& point) {
  std::string text;
  const std::vector<Cycles>& cycles = point.nodes.word_cycles;
  for (std::size_t v = 0; v < cycles.size(); ++v)
    if (cycles[v].n > 1)
      text += "  node " + std::to_string(v) + ": " + to_text(point.fabric.rate_bps / cycles[v].n, Dimension::rate) +
              ", a word in " + human_count(cycles[v].n) + " cycles\n";
  return text.empty() ? text : "slow nodes:\n" + text;
}

/// Rates that change, and what keys make of them.
std::string load_text_of(const Point& point) {
  std::string text;
  if (const auto& changes = point.nodes.rate_changes; !changes.empty()) {
    const auto still = std::count_if(changes.begin(), changes.end(), [](const RateChange& c) { return c.word.n == 0; });
    text += "rates that change: " + point.nodes.rate_trace + "\n  " +
            counted(static_cast<std::int64_t>(changes.size()), "change") + ", the first in cycle " +
            human_count(changes.front().at.n) + ", the last in cycle " + human_count(changes.back().at.n) +
            (still > 0 ? ", " + human_count(still) + " of them to no rate" : "") + "\n";
  }
  if (point.job.server_load != "placed")
    text += "server load: " + point.job.server_load + ", keys are " +
            (point.job.slicing == SliceRule{} ? "the policy's blocks"
                                              : "slices of the policy's blocks (job.slice, job.fusion)") +
            "\n";
  if (point.job.server_load == "adaptive") text += "  " + load_text(point.job) + "\n";
  return text;
}

/// What comes over time.
std::string arrivals_text(const Point& point) {
  const std::vector<Work> works = work_of(point);
  std::int64_t coflows = 0, words = 0;
  for (const Work& work : works)
    for (const auto* parts : {&work.push, &work.pull}) {
      if (!parts->empty()) coflows += work.iterations;
      for (const CoflowPart& part : *parts) words += part.words.n * work.iterations;
    }
  const Picos last = to_picos(works.back().arrival, point.fabric.cycle);
  return (point.trace ? "trace: " + point.trace->name : "jobs: " + std::to_string(works.size())) + "\n  " +
         counted(coflows, "coflow") + " through the switch, the last one " + (point.trace ? "" : "of a job ") +
         "from " + human_time(last) + " on\n  " + counted(words, "word") + " = " +
         to_text(words * point.fabric.word.n, Dimension::size) + "\n";
}

std::string text_of_collective(const Point& point) {
  if (graph_of(point)) return "trace: " + point.phased->phases->summary() + "\n";
  const PointCollective one = collective_of(point);
  if (point.phased)
    return "phases: " + point.phased->phases->summary() + "\n  " + counted(one.words, "word") + " = " +
           to_text(one.words * point.fabric.word.n, Dimension::size) + " through the switch in an iteration, in " +
           counted(static_cast<std::int64_t>(one.legs.size()), "leg") + "\n";
  return "collective: " + collective_text(point.job) + ", " + counted(point.job.workers, "worker") + ", workload " +
         point.job.workload_name + "\n  " + counted(one.words, "word") + " in " + counted(one.list.blocks, "block") +
         ", " + counted(static_cast<std::int64_t>(one.list.steps.size()), "step") + ", " +
         (one.list.at_once ? "all at once" : std::to_string(one.legs.size()) + " of them with circuits of their own") +
         "\n";
}

std::string peers_text(const Point& point) {
  const std::int64_t words = to_words(point.job.workload->total, point.fabric.word.n).n;
  return "peers: " + point.job.peers + ", " + peer_text(point.job) + ", " + counted(point.job.workers, "worker") +
         ", workload " + point.job.workload_name + "\n  a model of " + counted(words, "word") + " = " +
         to_text(words * point.fabric.word.n, Dimension::size) + "\n";
}

std::string job_text(const Point& point);

/// Jobs that have nodes of their own, each as if it were the only one; of the copies of a table the first.
std::string jobs_text(const Point& point) {
  std::string text = "jobs: " + std::to_string(point.jobs.size()) + "\n";
  std::set<std::size_t> tables;
  for (std::size_t k = 0; k < point.jobs.size(); ++k) {
    const ArrivingJob& one = point.jobs[k];
    if (!tables.insert(one.table).second) continue;
    const auto copies =
        std::ranges::count_if(point.jobs, [&](const ArrivingJob& other) { return other.table == one.table; });
    text += "table " + std::to_string(one.table) + ": " + counted(copies, "job") + ", the first one at " +
            human_time(one.arrival) + " from node " + std::to_string(one.first_node) + " on\n" +
            job_text(alone_of(point, k));
  }
  return text;
}

std::string job_text(const Point& point) {
  if (point.whole_jobs) return jobs_text(point);
  if (point.arrivals()) return arrivals_text(point);
  if (point.peers()) return peers_text(point);
  if (point.collective()) return text_of_collective(point);
  const JobSettings& job = point.job;
  const std::vector<Block> blocks = job_blocks(job, point.policy);
  const Bytes size = total(blocks), sent = total(padded(blocks, point.fabric.word));
  const std::int64_t ppm = excess_ppm(size.n, sent.n);
  const auto number = [](const auto& things) { return static_cast<std::int64_t>(things.size()); };
  std::string text = "job: " + counted(job.workers, "worker") + ", " + counted(job.servers, "server") + ", workload " +
                     job.workload_name + "\n  " + counted(number(job.workload->tensors), "tensor") + ", " +
                     to_text(size.n, Dimension::size) + ", in " + counted(number(blocks), "block") + "\n  " +
                     counted(sent.n / point.fabric.word.n, "word") + " = " + to_text(sent.n, Dimension::size) +
                     ", rounded up by " + percent(ppm) + "\n";
  if (ppm > warn_ppm)
    text +=
        "warning: the blocks are rounded up by " + percent(ppm) + ", more than 1 %; a smaller fabric.word pads less\n";
  return text;
}

std::string nodes_text(const NodeSettings& nodes, const std::string& payload) {
  if (nodes.transport == "inproc") return payload == "none" ? "nodes: called one by one\n" : "nodes: threads\n";
  std::string text = "nodes: processes over " + nodes.transport + "\n";
  if (nodes.expect > 0)
    text += "  the last " + (nodes.expect == 1 ? "one comes" : std::to_string(nodes.expect) + " come") +
            " from elsewhere: lightloop node --connect " + nodes.listen + " --id N" +
            (nodes.keys.empty() ? nodes.insecure ? " --insecure" : "" : " --key " + nodes.keys) + "\n";
  return text;
}

std::string planning_text(const Point& point) {
  const PlanningSettings& planning = point.planning;
  std::string text;
  if (!planning.scheduler.empty())
    text += "planning: " + (planning.outside ? planning.outside->name : planning.scheduler) + " schedules\n";
  if (planning.charge == PlanningSettings::Charge::fixed)
    text += delay_line("each plan is charged", planning.fixed, to_cycles(planning.fixed, point.fabric.cycle),
                       point.fabric.cycle);
  if (planning.charge == PlanningSettings::Charge::measured)
    text += "  each plan is charged the wall time that it takes: another run differs\n";
  if (planning.replayed)
    text += "  plans are charged as in row " + std::to_string(planning.row) + ", which had " +
            std::to_string(planning.replayed->size()) + "\n";
  return text;
}

void check(const ExperimentArguments& arguments, const std::string& database, const Environment& environment) {
  const Experiment experiment = load(arguments, environment, database);
  check_exact(experiment);
  std::printf("%s: valid, %zu %s\n", arguments.file.c_str(), experiment.points.size(),
              experiment.points.size() == 1 ? "row" : "rows");
  print_keys(experiment);
  std::set<std::string> said;  // rows of an axis mostly have the same fabric and job
  for (const Point& point : experiment.points)
    for (const std::string& text :
         {point.packets ? packets_text(point) : fabric_text(point.fabric), rates_text(point),
          point.packets ? "" : control_text(point), job_text(point), load_text_of(point),
          nodes_text(point.nodes, point.job.payload), point.packets ? "" : planning_text(point)})
      if (said.insert(text).second) std::fputs(text.c_str(), stdout);
  for (const std::string& sentence : without_effect(experiment)) std::printf("warning: %s\n", sentence.c_str());
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("check",
                                         "Validates an experiment and prints it resolved: defaults, units, rounding to "
                                         "cycles and words, and keys that have "
                                         "no effect.");
  const auto arguments = std::make_shared<ExperimentArguments>();
  const auto database = std::make_shared<std::string>();
  arguments->add_to(*command);
  command->add_option("--db", *database, "database with the row that charge_planning = \"row:ID\" names; default: none")
      ->type_name("FILE");
  command->callback([arguments, database, &action] {
    action = [arguments, database](const Environment& given) { check(*arguments, *database, given); };
  });
}

}  // namespace ocs
