// Draws what one simulation does, and writes it on one line.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/scenario.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/sim/draw.hpp"

namespace ocs::sim {
namespace {

std::string text_of(std::uint64_t number) { return std::to_string(number); }

[[noreturn]] void refuse_part(std::string_view part, const std::string& why) {
  throw Error(ErrorKind::input, "--scenario has \"" + printable(std::string(part)) + "\", but " + why);
}

std::string_view next_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

std::uint64_t number_of(std::string_view& rest, std::string_view part) {
  const std::string_view word = next_word(rest);
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (failure != std::errc{} || end != word.data() + word.size() || word.empty())
    refuse_part(part, "\"" + printable(std::string(word)) + "\" must be a whole number from 0");
  return number;
}

Fault fault_of(std::string_view rest, std::string_view part) {
  const std::string_view name = next_word(rest);
  const auto found = std::ranges::find(fault_names, name);
  if (found == fault_names.end()) refuse_part(part, "there is no fault \"" + printable(std::string(name)) + "\"");
  Fault fault{static_cast<FaultKind>(found - fault_names.begin())};
  const std::uint64_t start = number_of(rest, part);
  if (start > 8) refuse_part(part, "a run starts at most 9 times");
  fault.start = static_cast<std::uint32_t>(start);
  fault.at = number_of(rest, part);
  fault.arg = number_of(rest, part);
  if (rest.find_first_not_of(' ') != std::string_view::npos) refuse_part(part, "a fault has a name and three numbers");
  return fault;
}

/// One of some texts.
template <std::size_t N>
std::string one_of(Draw& draw, const std::array<const char*, N>& texts) {
  return texts[draw.below(N)];
}

/// @returns how many nodes there are
std::uint64_t draw_servers(Draw& draw, std::vector<std::string>& set) {
  const std::uint64_t workers = 1 + draw.below(4), servers = 1 + draw.below(2);
  set.push_back("job.workers=" + text_of(workers));
  set.push_back("job.servers=" + text_of(servers));
  if (draw.one_in(2)) set.push_back("job.sync=" + one_of(draw, std::array{"bsp", "asp", "ssp", "r2sp", "predictive"}));
  if (draw.one_in(6)) set.emplace_back("job.slice=4 kB");
  if (draw.one_in(8)) set.emplace_back("job.server_load=static");
  if (draw.one_in(5)) set.emplace_back("compute.jitter=uniform 30 %");
  return workers + servers;
}

/// @returns how many nodes there are
std::uint64_t draw_job(Draw& draw, std::vector<std::string>& set) {
  switch (draw.below(8)) {
    case 0: {
      const std::uint64_t ranks = 2 + draw.below(3);
      set.push_back("job.workers=" + text_of(ranks));
      set.emplace_back("job.collective=all_reduce");
      return ranks;
    }
    case 1: {
      const std::uint64_t peers = 3 + draw.below(2);
      set.push_back("job.workers=" + text_of(peers));
      set.emplace_back("job.peers=random");
      set.emplace_back("peers.layer=L7");
      return peers;
    }
    case 2:
      set.emplace_back(R"(jobs='[{workers = 2, servers = 1}, {workers = 2, servers = 1, arrival = "2 us"}]')");
      return 6;
    default:
      return draw_servers(draw, set);
  }
}

/// The network, and what goes wrong in the switch.
void draw_switch(Draw& draw, std::vector<std::string>& set) {
  if (draw.one_in(5))
    set.emplace_back("network=packet");
  else if (draw.one_in(6))
    set.emplace_back("fabric.planes=2");
  if (draw.one_in(5)) set.emplace_back("fabric.outages=0: 3 us - 9 us");
  if (draw.one_in(6)) set.emplace_back("fabric.outages=1: 1 us - 40 us, 2: 7 us - 8 us");
  if (draw.one_in(6)) set.emplace_back("fabric.fibre=300 ns");
  if (draw.one_in(8)) set.emplace_back("control.mode=timetable");
  if (draw.one_in(6)) set.emplace_back("fabric.tuning=30 us");
  if (draw.one_in(6)) set.emplace_back("nodes.control_latency=700 ns");
  if (draw.one_in(8)) set.emplace_back("control.lead=1 us");
}

std::string nanoseconds(std::uint64_t n) { return text_of(n) + " ns"; }

/// Of every port once or twice or not at all, some for good; one after the other at each port.
std::string drawn_outages(Draw& draw, std::uint64_t nodes) {
  std::string all;
  for (std::uint64_t port = 0; port < nodes; ++port) {
    if (draw.one_in(2)) continue;
    std::uint64_t lives_from = 0;
    for (std::uint64_t left = 1 + draw.below(2); left > 0; --left) {
      const std::uint64_t from = lives_from + 100 + draw.below(30'000);
      all += (all.empty() ? "" : ", ") + text_of(port) + ": " + nanoseconds(from);
      if (draw.one_in(12)) break;
      lives_from = from + 100 + draw.below(40'000);
      all += " - " + nanoseconds(lives_from);
    }
  }
  return all;
}

/// One text for all nodes, or one for each of the first ones.
template <class Text>
std::string list_for_nodes(Draw& draw, std::uint64_t nodes, Text&& text) {
  std::string all = text();
  for (std::uint64_t left = draw.below(nodes); left > 0; --left) all += ", " + text();
  return all;
}

constexpr std::uint64_t of_jobs = 0x6a6f6273;

/// What one of several jobs is, and when and where it comes.
std::string drawn_job(Draw& draw) {
  std::string job = "workers = ";
  switch (draw.below(4)) {
    case 0:
      job += text_of(2 + draw.below(3)) + R"(, collective = "all_reduce")";
      break;
    case 1:
      job += text_of(3 + draw.below(2)) + R"(, peers = "random", "peers.layer" = "L7")";
      break;
    default:
      job += text_of(1 + draw.below(3)) + ", servers = " + text_of(1 + draw.below(2));
      job += R"(, sync = ")" + one_of(draw, std::array{"bsp", "bsp_phase", "asp", "ssp", "r2sp", "predictive"}) + '"';
      if (draw.one_in(5)) job += R"(, slice = "4 kB")";
  }
  if (draw.one_in(2)) job += R"(, arrival = ")" + text_of(draw.below(40'000)) + R"( ns")";
  if (draw.one_in(2)) job += ", first_node = " + text_of(draw.below(8));
  if (draw.one_in(3)) job += ", priority = " + text_of(draw.below(3));
  if (draw.one_in(3)) job += ", iterations = " + text_of(1 + draw.below(3));
  return "{" + job + "}";
}

/// Jobs of several kinds that come over time, in the place of the two that are alike. A draw of its own: what the others
/// give stays.
void draw_jobs(Draw draw, std::vector<std::string>& set) {
  const auto jobs = std::ranges::find_if(set, [](const auto& one) { return one.starts_with("jobs="); });
  if (jobs == set.end() || draw.one_in(4)) return;
  std::string all = drawn_job(draw);
  for (std::uint64_t left = 1 + draw.below(3); left > 0; --left) all += ", " + drawn_job(draw);
  *jobs = "jobs='[" + all + "]'";
}

constexpr std::uint64_t of_unequal = 0x756e657175616c;  // parts its numbers from those of other draws

/// Nodes that are slower, further away or gone, and outages of any place and length. A draw of its own, as above.
void draw_unequal(Draw draw, std::uint64_t nodes, std::vector<std::string>& set) {
  if (draw.one_in(6)) set.emplace_back("nodes.rates=drawn");
  if (draw.one_in(8))
    set.push_back("nodes.rates=" + list_for_nodes(draw, nodes, [&] {
                    return one_of(draw, std::array{"100 Gbit/s", "50 Gbit/s", "25 Gbit/s", "10 Gbit/s", "2.5 Gbit/s"});
                  }));
  if (draw.one_in(8)) set.emplace_back("nodes.rate_trace=file:tiny_rates.csv");
  if (draw.one_in(6))
    set.push_back("nodes.extra_tuning=" + list_for_nodes(draw, nodes, [&] { return nanoseconds(draw.below(9'000)); }));
  if (draw.one_in(5))
    if (const std::string outages = drawn_outages(draw, nodes); !outages.empty())
      set.push_back("fabric.outages=" + outages);
  if (draw.one_in(8))
    set.push_back("nodes.deaths=" + text_of(draw.below(nodes)) + ": " + nanoseconds(draw.below(60'000)));
}

constexpr std::uint64_t of_load = 0x6c6f6164;

/// Keys that move away from a slow server, whose node may also be a worker's. A draw of its own, as above.
void draw_load(Draw draw, std::vector<std::string>& set) {
  const bool has_servers = std::ranges::any_of(set, [](const auto& one) { return one.starts_with("job.servers="); });
  if (!has_servers || !draw.one_in(5)) return;
  set.insert(set.end(), {"job.server_load=adaptive", "job.servers=2", "job.iterations=4", "job.slice=4 kB"});
  if (draw.one_in(2)) set.emplace_back("nodes.rates=10 Gbit/s, 100 Gbit/s");
  if (draw.one_in(3)) set.emplace_back("job.colocated=true");
}

constexpr std::uint64_t of_programming = 0x70726f67;

/// Mirrors that are programmed one group after the other. A draw of its own, as above.
void draw_programming(Draw draw, std::vector<std::string>& set) {
  if (!draw.one_in(5)) return;
  set.push_back("fabric.program_time=" + nanoseconds(1 + draw.below(4'000)));
  if (draw.one_in(2)) set.push_back("fabric.program_lanes=" + text_of(1 + draw.below(4)));
}

constexpr std::uint64_t of_mirrors = 0x6d6972726f7273;
constexpr std::uint64_t of_receivers = 0x72656376;
constexpr std::uint64_t of_neighbours = 0x6e656967;
constexpr std::uint64_t of_light = 0x6c69676874;

/// "2: stuck 300 ns - 7100 ns" and the like.
std::string drawn_mirror_fault(Draw& draw, std::uint64_t output) {
  const std::uint64_t from = draw.below(30'000), until = from + 100 + draw.below(60'000);
  const std::string amount = "(" + nanoseconds(6 + draw.below(5'000)) + ") " + nanoseconds(from);
  switch (draw.below(3)) {
    case 0:
      return text_of(output) + (until % 3 == 0 ? ": kept " : ": stuck ") + nanoseconds(from) + " - " +
             nanoseconds(until);
    case 1:
      return text_of(output) + ": slow" + amount + (draw.one_in(3) ? "" : " - " + nanoseconds(until));
    default:
      return text_of(output) + ": flap" + amount + (draw.one_in(3) ? "" : " - " + nanoseconds(until));
  }
}

/// Mirrors that draw their times, are stuck, slow, or lose their light. A draw of its own, as above.
void draw_mirrors(Draw draw, std::uint64_t nodes, std::vector<std::string>& set) {
  constexpr std::uint64_t cycle_ps = 5'120;  // of experiments/tiny.toml
  if (draw.one_in(6))
    set.push_back("fabric.jitter=" + text_of(cycle_ps * ((std::uint64_t{2} << draw.below(10)) - 1)) + " ps");
  if (!draw.one_in(5)) return;
  std::string faults;
  for (std::uint64_t output = 0; output < nodes; ++output)
    if (draw.one_in(2)) faults += (faults.empty() ? "" : ", ") + drawn_mirror_fault(draw, output);
  if (!faults.empty()) set.push_back("fabric.mirror_faults=" + faults);
}

/// Receivers that lock by what they last received: two times of a warm one, four of a cold one. A draw of its own, as
/// above.
void draw_receivers(Draw draw, std::vector<std::string>& set) {
  if (!draw.one_in(6)) return;
  const auto times = [&](std::uint64_t count, std::uint64_t most) {
    std::string text;
    std::uint64_t time = 0;
    for (std::uint64_t k = 0; k < count; ++k) text += (k == 0 ? " " : ", ") + nanoseconds(time += draw.below(most));
    return text;
  };
  const std::string warm = nanoseconds(draw.below(40'000)) + ":" + times(2, 300);
  set.push_back("fabric.receivers=warm for " + warm + "; cold:" + times(4, 2'000));
}

/// Mirrors that disturb others at one or two distances, or are parked before they move. A draw of its own, as above.
void draw_neighbours(Draw draw, std::vector<std::string>& set) {
  if (!draw.one_in(6)) return;
  if (draw.one_in(4)) return set.push_back("fabric.neighbours=park for " + nanoseconds(1 + draw.below(4'000)));
  const std::uint64_t distance = 1 + draw.below(3);
  const std::string second = draw.one_in(2) ? ", " + text_of(distance + 1 + draw.below(4)) : "";
  set.push_back("fabric.neighbours=disturb at " + text_of(distance) + second + " for " +
                nanoseconds(1 + draw.below(4'000)));
}

/// Light that is lost late or at once, and mirrors that ring up to three times; where words are lost, later than most receivers
/// have locked. A draw of its own, as above.
void draw_light(Draw draw, std::vector<std::string>& set) {
  if (!draw.one_in(6)) return;
  const std::uint64_t lost = draw.one_in(2) ? 0 : 1 + draw.below(300);
  std::string light = "fabric.light=-3 dBm less 2.5 dB, lost below -14 dBm for " + nanoseconds(lost) +
                      ", back at -13.5 dBm for " + nanoseconds(draw.below(1'000));
  if (draw.one_in(4)) return set.push_back(light);
  light += "; rings " + text_of(1 + draw.below(3)) + " times for " + nanoseconds(lost + 10 + draw.below(500));
  set.push_back(light + " after " + nanoseconds((lost > 0 ? 9'000 : 0) + draw.below(3'000)));
}

std::uint64_t argument_of(FaultKind kind, Draw& draw) {
  switch (kind) {
    case FaultKind::late:
    case FaultKind::stop_node:
    case FaultKind::stop_coordinator:
    case FaultKind::partition:
    case FaultKind::jump: {
      constexpr std::array<std::uint64_t, 5> ms = {1, 90, 1'500, 20'000, 70'000};
      return ms[draw.below(ms.size())];
    }
    case FaultKind::slow_node:
      return draw.below(50'000);
    case FaultKind::corrupt:
    case FaultKind::flip:
      return draw.below(std::uint64_t{1} << 40);
    case FaultKind::truncate:
    case FaultKind::stranger:
    case FaultKind::torn:
      return draw.below(4'096);
    default:
      return 0;
  }
}

/// Where the part ends with which a scenario begins. The value of a setting may hold semicolons of its own: it ends
/// where the next part begins.
std::size_t end_of_part(std::string_view text) {
  std::string_view first = text;
  const bool setting = next_word(first) == "set";
  std::size_t end = text.find(';');
  for (; end != std::string_view::npos; end = text.find(';', end + 1)) {
    std::string_view rest = text.substr(end + 1);
    const std::string_view word = next_word(rest);
    if (!setting || word == "seed" || word == "serve" || word == "set" || word == "fault") return end;
  }
  return text.size();
}

}  // namespace

std::string to_text(const Scenario& scenario) {
  std::string text = "seed " + text_of(scenario.seed) + (scenario.serve ? "; serve" : "");
  for (const std::string& setting : scenario.settings) text += "; set " + setting;
  for (const Fault& fault : scenario.faults)
    text += "; fault " + std::string(fault_names[static_cast<std::size_t>(fault.kind)]) + " " + text_of(fault.start) +
            " " + text_of(fault.at) + " " + text_of(fault.arg);
  return text;
}

Scenario parse_scenario(std::string_view text) {
  Scenario scenario;
  while (!text.empty()) {
    const std::size_t end = end_of_part(text);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string_view rest = part;
    const std::string_view what = next_word(rest);
    if (what == "seed")
      scenario.seed = number_of(rest, part);
    else if (what == "set" && rest.find('=') != std::string_view::npos)
      scenario.settings.emplace_back(rest.substr(1));
    else if (what == "fault")
      scenario.faults.push_back(fault_of(rest, part));
    else if (what == "serve" && rest.find_first_not_of(' ') == std::string_view::npos)
      scenario.serve = true;
    else
      refuse_part(part, "a part must be \"seed N\", \"serve\", \"set KEY=VALUE\" or \"fault NAME START PLACE NUMBER\"");
  }
  for (const Fault& fault : scenario.faults)
    if (!(scenario.serve ? is_of_serve(fault.kind) : is_of_run(fault.kind)))
      throw Error(ErrorKind::input, "--scenario has the fault \"" +
                                        std::string(fault_names[static_cast<std::size_t>(fault.kind)]) +
                                        "\", but there is none such " + (scenario.serve ? "of a server" : "of a run"));
  return scenario;
}

std::vector<std::string> draw_settings(std::uint64_t seed, std::uint64_t attempt) {
  constexpr std::uint64_t seeds_of_one = 16;  // neighbours share an experiment: it also has to run without faults
  const std::uint64_t number = seed / seeds_of_one * 1'000 + attempt;
  Draw draw(number);
  std::vector<std::string> set = {"nodes.transport=tcp", "fabric.ports=8"};
  set.push_back("policy=" + one_of(draw, std::array{"sunflow", "hlf", "psscheduler_dedicated", "[sunflow, hlf]",
                                                    "[psscheduler_dedicated, sunflow, hlf]"}));
  set.push_back("job.iterations=" + text_of(1 + draw.below(2)));
  set.push_back("job.payload=" + one_of(draw, std::array{"none", "digest", "full"}));
  set.push_back("seed=" + text_of(1 + draw.below(5)));
  if (draw.one_in(4)) set.emplace_back("nodes.insecure=true");
  const std::uint64_t nodes = draw_job(draw, set);
  draw_switch(draw, set);
  draw_jobs(Draw(number ^ of_jobs), set);
  draw_unequal(Draw(number ^ of_unequal), nodes, set);
  draw_load(Draw(number ^ of_load), set);
  draw_programming(Draw(number ^ of_programming), set);
  draw_mirrors(Draw(number ^ of_mirrors), nodes, set);
  draw_receivers(Draw(number ^ of_receivers), set);
  draw_neighbours(Draw(number ^ of_neighbours), set);
  draw_light(Draw(number ^ of_light), set);
  return set;
}

std::vector<Fault> draw_faults(std::uint64_t seed, std::uint64_t messages, std::uint64_t writes) {
  Draw draw(~seed);
  std::vector<Fault> faults;
  for (std::uint64_t left = 1 + draw.below(5); left > 0; --left) {
    Fault fault{static_cast<FaultKind>(draw.below(kinds_of_a_run))};
    fault.start = static_cast<std::uint32_t>(draw.one_in(2) ? 0 : draw.below(3));  // a good one is the last
    fault.at = draw.below(at_write(fault.kind) ? writes : messages);
    fault.arg = argument_of(fault.kind, draw);
    if (fault.kind == FaultKind::flip) {  // of rows that are there, so that the next start has to read them
      fault.start = 1;
      faults.push_back({FaultKind::kill_coordinator, 0, draw.below(messages), 0});
    }
    faults.push_back(fault);
  }
  return faults;
}

}  // namespace ocs::sim
