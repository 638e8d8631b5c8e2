// A random register program on all devices of its table; one that they disagree on is made smaller.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/compare.hpp"
#include "host/conformance/random_program.hpp"
#include "host/core/error.hpp"
#include "testbed/regress/program_case.hpp"
#include "testbed/regress/run_case.hpp"
#include "testbed/regress/shrink.hpp"

namespace ocs::regress {
namespace {

using conformance::Observation;
using conformance::Op;
using conformance::Step;

constexpr std::uint64_t longest_unwarped_random = 20'000;

/// All ways of all devices against the first one.
struct Disagreement {
  Outcome outcome;
  std::optional<Observation> first;
};

Disagreement disagreement(const CaseTable& table, int ports, int fifo_depth, std::uint64_t stride_seed,
                          const std::vector<Op>& program, const Place& place) {
  FailureWaves waves(place.waves);
  Disagreement out;
  Differences differences;
  for (const std::string& device : table.devices)
    for (const Way& way : ways_of(device, table, stride_seed)) {
      if (out.first && !way.time_warp && out.first->cycles > longest_unwarped_random) continue;
      place.say(way.text() + ": a program of " + std::to_string(program.size()) + " operations");
      WayResult result = run_way(way, ports, fifo_depth, program, nullptr, place.note);
      if (!result.seen) {
        differences.add(way, result.failure, "");
      } else if (!out.first) {
        out.first = std::move(result.seen);
        if (!out.first->breaches.empty()) differences.add(way, out.first->breaches.front(), "");
      } else {
        const std::string wrong = sentence_of(ports, program, *out.first, *result.seen);
        if (wrong.empty()) continue;
        differences.add(way, wrong, difference(ports, program, *out.first, *result.seen));
        waves.record(way, ports, fifo_depth, program, events_of(*out.first), events_of(*result.seen));
      }
    }
  out.outcome = differences.outcome();
  return out;
}

std::string as_file(const Case& one, const CaseTable& table, const std::vector<Op>& program,
                    const std::optional<Observation>& seen) {
  conformance::Case out;
  out.name = "seed-" + std::to_string(one.seed);
  out.rule = "which? (the expectations are those of " + table.devices.front() + ", not derived)";
  out.ports = one.ports;
  out.fifo_depth = table.fifo_depth;
  out.program = program;
  if (seen) {
    out.expect.time = seen->time;
    out.expect.counters = seen->counters;
    for (const auto& event : seen->events) out.expect.events.push_back(event.value);
    for (const auto& value : seen->reads) out.expect.reads.push_back(value.value);
  }
  return to_text(out);
}

/// What the seed of a case decides before its steps.
conformance::Setting setting_of(const CaseTable& table, const Case& one, const conformance::DrawBelow& draw) {
  constexpr std::uint64_t most_stride_seeds = 1'000'000;
  conformance::Setting setting;
  setting.ports = one.ports;
  setting.fifo_depth = table.fifo_depth;
  setting.scale = conformance::random_scale(draw);
  setting.stride_seed = draw(most_stride_seeds) + 1;
  return setting;
}

struct Drawn {
  conformance::Setting setting;
  std::vector<Step> steps;
};
Drawn drawn_of(const CaseTable& table, const Case& one) {
  const conformance::DrawBelow draw = conformance::draws_of(one.seed);
  const conformance::Setting setting = setting_of(table, one, draw);
  const auto count = static_cast<std::size_t>(draw(static_cast<std::uint64_t>(table.steps)) + 1);
  return {setting, conformance::random_steps(setting, count, draw)};
}

}  // namespace

std::string drawn_program(const CaseTable& table, const Case& one) {
  return as_file(one, table, join(drawn_of(table, one).steps), std::nullopt);
}

Outcome run_random_case(const CaseTable& table, const Case& one, const Place& place) {
  auto [setting, steps] = drawn_of(table, one);
  const auto judged = [&, &setting = setting](const std::vector<Step>& some) {
    return disagreement(table, one.ports, table.fifo_depth, setting.stride_seed, join(some),
                        {.lightloop = {}, .folder = {}, .waves = {}, .note = place.note});
  };
  Disagreement found = judged(steps);
  if (found.outcome.verdict == Verdict::passed) return found.outcome;
  const std::string cause = cause_of(found.outcome.sentence);
  const std::size_t before = join(steps).size();
  shrink(steps, [&](const std::vector<Step>& some) { return cause_of(judged(some).outcome.sentence) == cause; });
  found = judged(steps);
  found.outcome.program = as_file(one, table, join(steps), found.first);
  found.outcome.log += "shrunk from " + std::to_string(before) + " to " + std::to_string(join(steps).size()) +
                       " operations; stride seed " + std::to_string(setting.stride_seed) + "\n";
  return found.outcome;
}

Outcome run_kept_program(const CaseTable& table, const Case& one, const std::string& text, const std::string& origin,
                         const std::filesystem::path& waves) {
  const conformance::Setting setting = setting_of(table, one, conformance::draws_of(one.seed));
  for (const conformance::Case& program : conformance::parse_cases(text, origin)) {
    Outcome outcome = disagreement(table, program.ports, program.fifo_depth, setting.stride_seed, program.program,
                                   {.lightloop = {}, .folder = {}, .waves = waves})
                          .outcome;
    if (outcome.verdict != Verdict::passed) return outcome;
  }
  return {};
}

}  // namespace ocs::regress
