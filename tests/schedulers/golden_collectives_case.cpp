// From JSON to cases of collectives.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "host/core/ids.hpp"
#include "tests/schedulers/golden_collectives.hpp"

namespace ocs::golden {
namespace {

constexpr std::int64_t golden_collectives_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_collective_cycles = 1'000'000'000'000'000, most_collective_words = 1'000'000'000'000;
constexpr std::int64_t most_collective_blocks = max_ports * max_ports;

std::int64_t integer_or(const Fields& fields, std::string_view name, std::int64_t low, std::int64_t high,
                        std::int64_t otherwise) {
  return fields.has(name) ? fields.integer(name, low, high) : otherwise;
}

/// Without its ranks.
NamedCollective read_named(const Fields& in) {
  NamedCollective one;
  one.collective = in.text("collective");
  one.algorithm = in.text("algorithm");
  one.chunks = static_cast<std::uint32_t>(integer_or(in, "chunks", 1, 65536, 1));
  if (in.has("demand") && in.has("words")) in.fail("demand", "is in place of words, but there are both");
  if (in.has("demand")) one.demand = in.lists("demand", 0, most_collective_words);
  one.words = integer_or(in, "words", 0, most_collective_words, 0);
  return one;
}

NamedCollective read_collective(const Fields& in) {
  NamedCollective one = read_named(in);
  one.ranks = static_cast<int>(in.integer("ranks", 2, max_ports));
  return one;
}

SwitchTimes read_switch_times(const Fields& in) {
  return {in.integer("delta", 1, most_collective_cycles), integer_or(in, "alpha", 1, most_collective_cycles, 1),
          in.has("preset") ? in.truth("preset") : true};
}

PortMap port_map_of(const std::vector<std::int64_t>& list) { return {list.begin(), list.end()}; }

PortMap read_port_map(const Fields& in, std::string_view name) {
  return port_map_of(in.integers(name, -1, max_ports - 1));
}

std::vector<LegTransfer> read_pairs(const Fields& in) {
  std::vector<LegTransfer> pairs;
  for (const auto& row : in.rows("pairs", 3)) {
    if (row[0] >= std::int64_t{max_ports} || row[1] >= std::int64_t{max_ports} || row[2] > most_collective_words)
      in.fail("pairs", "must hold two nodes of at most 256, and words");
    pairs.push_back({static_cast<std::uint16_t>(row[0]), static_cast<std::uint16_t>(row[1]), Words{row[2]}});
  }
  return pairs;
}

NamedPhase read_phase(const Fields& in) {
  NamedPhase phase;
  phase.gap = integer_or(in, "gap", 0, most_collective_cycles, 0);
  if (in.has("pairs")) {
    in.only({"pairs", "gap"});
    phase.pairs = read_pairs(in);
    return phase;
  }
  in.only({"collective", "algorithm", "chunks", "groups", "words", "demand", "gap"});
  phase.input = read_named(in);
  for (const auto& group : in.lists("groups", 0, max_ports - 1)) phase.groups.emplace_back(group.begin(), group.end());
  if (phase.groups.empty() || phase.groups.front().size() > max_ports)
    in.fail("groups", "must hold groups of at most 256 ranks");
  phase.input.ranks = static_cast<int>(phase.groups.front().size());
  return phase;
}

PortMap read_start(const Fields& in, std::uint32_t nodes) {
  if (!in.has("start")) return dark_map(nodes);
  if (!in.is_text("start")) return read_port_map(in, "start");
  const std::string name = in.text("start");
  if (name == "dark") return dark_map(nodes);
  if (name == "ring") return shift_map(nodes, 1);
  in.fail("start", "holds \"" + name + "\"; known: dark, ring, a map");
}

std::vector<CandidateChoice> read_choices(const Fields& in) {
  if (!in.has("candidates")) return {"ring", "steps"};
  std::vector<CandidateChoice> choices;
  for (const auto& one : in.texts_or_integers("candidates", -1, max_ports - 1)) {
    if (const std::string* name = std::get_if<std::string>(&one))
      choices.emplace_back(*name);
    else
      choices.emplace_back(port_map_of(std::get<std::vector<std::int64_t>>(one)));
  }
  return choices;
}

LegCost read_leg_cost(const Fields& fields) {
  return {fields.integer("cycles", 0, golden_collectives_most), fields.integer("tunings", 0, golden_collectives_most)};
}

PlaneCost read_plane_cost(const Fields& expect, std::string_view rule) {
  const Fields fields = expect.object(rule);
  fields.only({"cycles", "changes"});
  return {fields.integer("cycles", 0, golden_collectives_most), fields.integer("changes", 0, golden_collectives_most)};
}

void read_expected_policies(const Fields& expect, PolicyCase& c) {
  expect.only({"legs", "candidates", "always", "never", "best_static", "threshold", "optimal"});
  c.legs = expect.lists("legs", 0, golden_collectives_most);
  c.candidates = static_cast<std::size_t>(expect.integer("candidates", 0, golden_collectives_most));
  for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
    const std::string name(policy.name);
    c.policies.emplace_back(name, std::nullopt);
    if (expect.is_null(name)) continue;
    const Fields fields = expect.object(name);
    fields.only({"cycles", "tunings", "moves"});
    c.policies.back().second = {read_leg_cost(fields), fields.texts("moves")};
  }
}

}  // namespace

ListCase read_list(const Fields& fields) {
  const Fields in = fields.object("input"), out = fields.object("expect");
  in.only({"collective", "algorithm", "ranks", "chunks"});
  out.only({"blocks", "steps"});
  ListCase c{read_collective(in), static_cast<std::uint32_t>(out.integer("blocks", 0, most_collective_blocks)), {}};
  for (const auto& step : out.transfers("steps")) {
    c.steps.emplace_back();
    for (const GoldenTransfer& one : step) {
      if (one.what != "add" && one.what != "take") out.fail("steps", "must hold transfers that add or take");
      c.steps.back().push_back({static_cast<std::uint16_t>(one.sender),
                                static_cast<std::uint16_t>(one.receiver),
                                {one.blocks.begin(), one.blocks.end()},
                                one.what == "add"});
    }
  }
  return c;
}

LegCase read_leg(const Fields& fields) {
  const Fields in = fields.object("input"), out = fields.object("expect");
  in.only({"pairs", "before", "during", "delta", "alpha", "gap", "preset"});
  out.only({"cycles", "tunings"});
  LegCase c{
      {0, 0, read_pairs(in)}, read_port_map(in, "before"), read_port_map(in, "during"), read_switch_times(in), {}};
  c.leg.steps.push_back(c.leg.transfers);
  c.leg.gap = integer_or(in, "gap", 0, most_collective_cycles, 0);
  for (const LegTransfer& pair : c.leg.transfers)
    if (pair.sender >= c.before.size() || pair.receiver >= c.before.size() || pair.sender == pair.receiver)
      in.fail("pairs", "must be between two nodes of the map");
  if (!out.is_null("cycles")) c.cost = read_leg_cost(out);
  return c;
}

PolicyCase read_policies(const Fields& fields) {
  const Fields in = fields.object("input");
  in.only({"collective", "algorithm", "ranks", "chunks", "words", "demand", "delta", "alpha", "lag", "start",
           "candidates", "phases", "repeat", "preset"});
  PolicyCase c;
  c.nodes = static_cast<std::uint32_t>(in.integer("ranks", 2, max_ports));
  if (in.has("phases"))
    for (const Fields& phase : in.objects("phases")) c.phases.push_back(read_phase(phase));
  else
    c.input = read_collective(in);
  c.repeat = static_cast<std::uint32_t>(integer_or(in, "repeat", 1, 1000, 1));
  c.times = read_switch_times(in);
  c.lag = integer_or(in, "lag", 1, no_streaming, 1);
  c.start = read_start(in, c.nodes);
  c.choices = read_choices(in);
  read_expected_policies(fields.object("expect"), c);
  return c;
}

PlanesCase read_planes(const Fields& fields) {
  const Fields in = fields.object("input"), out = fields.object("expect");
  in.only({"collective", "algorithm", "ranks", "chunks", "words", "demand", "delta", "alpha", "planes"});
  out.only({"together", "alternate", "overlap"});
  PlanesCase c;
  c.input = read_collective(in);
  c.planes = static_cast<std::uint32_t>(in.integer("planes", 1, 16));
  c.times = read_switch_times(in);
  c.together = read_plane_cost(out, "together");
  c.alternate = read_plane_cost(out, "alternate");
  c.overlap = read_plane_cost(out, "overlap");
  return c;
}

}  // namespace ocs::golden
