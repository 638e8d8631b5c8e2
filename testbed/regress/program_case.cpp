// Runs register programs on devices and words what differs.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/program_case.hpp"

#include <algorithm>
#include <iostream>
#include <set>

#include "host/conformance/compare.hpp"
#include "host/conformance/event_words.hpp"
#include "host/core/error.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/clear_memories.hpp"
#include "host/device/counted.hpp"
#include "testbed/regress/noted_device.hpp"
#include "testbed/regress/run_case.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

using conformance::LoggedEvent;
using conformance::Observation;
using conformance::Op;

constexpr std::size_t max_program_bytes = std::size_t{1} << 26;
constexpr std::uint64_t longest_unwarped = 200'000;
constexpr std::uint64_t most_stamp = std::uint64_t{1} << 48;  // further ones are no instants in picoseconds

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// How a device's run is not what the program expects; empty: it is.
std::string deviation_of(const conformance::Case& program, const Observation& got) {
  if (!got.breaches.empty()) return got.breaches.front();
  const std::string words = first_difference_in_words(program.expect.events, events_of(got));
  return words.empty() ? first_line(conformance::deviations(program, got)) : words;
}

void judge(const conformance::Case& program, const Way& way, const Place& place, std::uint64_t& cycles,
           Differences& differences, FailureWaves& waves) {
  if (!way.time_warp && cycles > longest_unwarped) return;
  place.say(way.text() + ": program " + in_quotes(program.name));
  const WayResult result = run_way(way, program.ports, program.fifo_depth, program.program, nullptr, place.note);
  if (!result.seen) return differences.add(way, result.failure, "");
  cycles = std::max(cycles, result.seen->cycles);
  const std::string wrong = deviation_of(program, *result.seen);
  if (wrong.empty()) return;
  differences.add(way, wrong, conformance::deviations(program, *result.seen));
  waves.record(way, program.ports, program.fifo_depth, program.program, program.expect.events, events_of(*result.seen));
}

Outcome run_cases(const std::vector<conformance::Case>& cases, const CaseTable& table, const std::string& device,
                  const Place& place) {
  FailureWaves waves(place.waves);
  Differences differences;
  for (const conformance::Case& program : cases) {
    std::uint64_t cycles = 0;
    for (const Way& way : ways_of(device, table, 1)) judge(program, way, place, cycles, differences, waves);
  }
  return differences.outcome();
}

}  // namespace

std::string Way::text() const {
  return device + ", " + (!time_warp ? "unwarped" : stride_seed != 0 ? "random strides" : "warped");
}

bool is_counted(const std::string& device, const CaseTable& table) {
  return table.coverage && is_counted_device(device);
}

std::vector<Way> ways_of(const std::string& device, const CaseTable& table, std::uint64_t stride_seed) {
  const bool counted = is_counted(device, table);
  std::vector<Way> ways{{device, true, 0, counted}};
  if (device_traits(device).somewhere) return ways;
  ways.push_back({device, true, stride_seed, counted});
  if (table.unwarped) ways.push_back({device, false, 0, counted});
  return ways;
}

WayResult run_way(const Way& way, int ports, int fifo_depth, std::span<const Op> program, rtl::Waveform* waveform,
                  CaseNote* note) {
  DeviceConfig config;
  config.ports = ports;
  config.fifo_depth = fifo_depth;
  config.time_warp = way.time_warp;
  config.stride_seed = way.stride_seed;
  if (device_traits(way.device).somewhere) clear_memories(*make_device(way.device, config), ports);
  const auto device =
      way.counted && waveform == nullptr ? make_counted(way.device, config) : make_device(way.device, config, waveform);
  if (waveform != nullptr) waveform->count_from(Picos{0});
  std::optional<NotedDevice> noted;
  if (note != nullptr) noted.emplace(*device, *note);
  Device& used = noted ? static_cast<Device&>(*noted) : *device;
  try {
    return {.seen = run_program(used, ports, fifo_depth, program, {.trace = true, .single_up_to = 0}), .failure = {}};
  } catch (const Error& failure) {
    return {.seen = std::nullopt, .failure = failure.what()};
  }
}

void FailureWaves::record(const Way& way, int ports, int fifo_depth, std::span<const Op> program,
                          const std::vector<LoggedEvent>& expected, const std::vector<LoggedEvent>& got) {
  constexpr Cycles around{1000};
  if (folder_.empty() || !device_traits(way.device).core || !recorded_.insert(way.device).second) return;
  rtl::WaveWindow window;
  const auto [wanted, came] = std::ranges::mismatch(expected, got);
  std::uint64_t stamp = ~std::uint64_t{0};
  if (wanted != expected.end()) stamp = wanted->stamp;
  if (came != got.end()) stamp = std::min(stamp, came->stamp);
  if (stamp <= most_stamp) {
    const Cycles at{static_cast<std::int64_t>(stamp)};
    const Picos cycle = DeviceConfig{}.cycle;
    window = {.from = to_picos(std::max(Cycles{0}, at - around), cycle),
              .to = to_picos(at + around, cycle),
              .mark = to_picos(at, cycle)};
  }
  try {
    rtl::Waveform waveform;
    waveform.begin(folder_ / (way.device + ".fst"), window);
    run_way(way, ports, fifo_depth, program, &waveform);
    waveform.end();
  } catch (const Error& failure) {  // the case is judged without it
    std::cerr << std::string("lightloop: ") + failure.what() + "\n";
  }
}

std::vector<LoggedEvent> events_of(const Observation& seen) {
  std::vector<LoggedEvent> out;
  out.reserve(seen.events.size());
  for (const auto& each : seen.events) out.push_back(each.value);
  return out;
}

void Differences::add(const Way& way, const std::string& sentence, const std::string& detail) {
  const auto alike =
      std::find_if(groups_.begin(), groups_.end(), [&](const Group& each) { return each.sentence == sentence; });
  if (alike == groups_.end())
    groups_.push_back({sentence, detail, {way}});
  else
    alike->ways.push_back(way);
}

Outcome Differences::outcome() const {
  Outcome outcome;
  if (groups_.empty()) return outcome;
  outcome.verdict = Verdict::failed;
  std::set<std::string> devices;
  for (const Way& way : groups_.front().ways) devices.insert(way.device);
  std::string who;
  for (const std::string& device : devices) who += (who.empty() ? "" : " and ") + device;
  outcome.sentence = who + ": " + groups_.front().sentence;
  for (const Group& group : groups_) {
    for (const Way& way : group.ways) outcome.log += way.text() + "\n";
    outcome.log += "  " + group.sentence + "\n" + group.detail + "\n";
  }
  return outcome;
}

std::string sentence_of(int ports, std::span<const Op> program, const Observation& expected, const Observation& got) {
  if (!got.breaches.empty() && expected.breaches != got.breaches) return got.breaches.front();
  const std::string words = first_difference_in_words(events_of(expected), events_of(got));
  return words.empty() ? first_line(conformance::difference(ports, program, expected, got)) : words;
}

std::vector<conformance::Case> read_programs(const std::filesystem::path& file, const CaseTable& table) {
  auto programs = conformance::parse_cases(read_text_file(file, "register program", max_program_bytes), file.string());
  std::erase_if(programs, [&](const auto& one) {
    const bool other_ports = !table.ports.empty() && std::ranges::count(table.ports, one.ports) == 0;
    return other_ports || (table.fifo_depth != 0 && one.fifo_depth != table.fifo_depth);
  });
  return programs;
}

Outcome run_program_case(const CaseTable& table, const Case& one, const Place& place) {
  return run_cases(read_programs(one.program, table), table, one.device, place);
}

}  // namespace ocs::regress
