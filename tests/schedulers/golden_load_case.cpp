// From JSON to cases of server load.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "tests/schedulers/golden_load.hpp"

namespace ocs::golden {
namespace {

constexpr std::int64_t golden_load_case_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t golden_load_case_most_ns = 1'000'000'000'000'000;
constexpr std::int64_t most_bytes = 1'000'000'000'000;
constexpr std::int64_t golden_load_case_most_bps = 1'000'000'000'000;

void read_hysteresis(const Fields& fields, LoadSettings& settings) {
  const auto pair = fields.integers("hysteresis", 1, 1'000'000);
  if (pair.size() != 2 || pair[0] < pair[1])
    fields.fail("hysteresis", "must hold numerator and denominator, 1 or more");
  settings.hysteresis_num = static_cast<std::uint32_t>(pair[0]);
  settings.hysteresis_den = static_cast<std::uint32_t>(pair[1]);
  settings.ema_shift = static_cast<std::uint32_t>(fields.integer("ema_shift", 0, 16));
}

abstract::LoadPolicy read_policy(const Fields& fields) {
  const std::string policy = fields.text("policy");
  if (policy == "static") return abstract::LoadPolicy::fixed;
  if (policy == "adaptive") return abstract::LoadPolicy::adaptive;
  if (policy == "oracle") return abstract::LoadPolicy::oracle;
  fields.fail("policy", "holds \"" + policy + "\"; known: static, adaptive, oracle");
}

}  // namespace

LoadCase read_load(const Fields& fields) {
  const Fields in = fields.object("input"), out = fields.object("expect");
  in.only({"key_bytes", "workers", "rates_bps", "nominal_bps", "compute_ns", "policy", "parameters"});
  out.only({"iterations_ns", "total_ns", "map_version", "bytes_moved", "map"});
  LoadCase c{};
  for (const std::int64_t size : in.integers("key_bytes", 1, most_bytes)) c.input.keys.push_back({size});
  c.input.workers = in.integer("workers", 1, 1024);
  c.input.rates = in.lists("rates_bps", 1, golden_load_case_most_bps);
  if (c.input.keys.empty() || c.input.rates.empty() || c.input.rates.front().empty())
    in.fail("rates_bps", "must hold a rate of each server for each iteration, and key_bytes a size");
  for (const auto& rates : c.input.rates)
    if (rates.size() != c.input.rates.front().size()) in.fail("rates_bps", "must name as many servers each time");
  if (in.has("nominal_bps")) c.input.nominal_bps = in.integer("nominal_bps", 1, golden_load_case_most_bps);
  c.input.compute_ns = in.integer("compute_ns", 0, golden_load_case_most_ns);
  c.input.policy = read_policy(in);
  const Fields parameters = in.object("parameters");
  parameters.only({"hysteresis", "ema_shift"});
  read_hysteresis(parameters, c.input.settings);
  c.expected.iterations_ns = out.integers("iterations_ns", 0, golden_load_case_most);
  c.expected.total_ns = out.integer("total_ns", 0, golden_load_case_most);
  c.expected.bytes_moved = out.integer("bytes_moved", 0, golden_load_case_most);
  c.expected.map.version = static_cast<std::uint32_t>(out.integer("map_version", 0, 1'000'000));
  for (const std::int64_t server : out.integers("map", 0, 1024))
    c.expected.map.owner.push_back(static_cast<std::uint16_t>(server));
  return c;
}

LoadTotalsCase read_load_totals(const Fields& fields) {
  const Fields in = fields.object("input"), out = fields.object("expect");
  in.only({"keys", "key_bytes", "workers", "servers", "iterations", "nominal_bps", "slow_fraction", "hold_iterations",
           "compute_ns", "hysteresis", "ema_shift"});
  out.only({"static_ns", "adaptive_ns", "oracle_ns"});
  LoadTotalsCase c{};
  c.input.keys.assign(static_cast<std::size_t>(in.integer("keys", 1, 100'000)),
                      Bytes{in.integer("key_bytes", 1, 1'000'000'000)});
  c.input.workers = in.integer("workers", 1, 1024);
  const std::int64_t nominal = in.integer("nominal_bps", 1'000'000, golden_load_case_most_bps);
  const auto slow = in.integers("slow_fraction", 1, 1'000'000);
  if (slow.size() != 2) in.fail("slow_fraction", "must hold numerator and denominator");
  c.input.rates = abstract::moving_slow_server(static_cast<std::size_t>(in.integer("servers", 1, 1024)),
                                               static_cast<std::size_t>(in.integer("iterations", 1, 100'000)), nominal,
                                               nominal * slow[0] / slow[1],
                                               static_cast<std::size_t>(in.integer("hold_iterations", 1, 100'000)));
  if (c.input.rates.front().front() < 1) in.fail("slow_fraction", "must leave a rate");
  c.input.compute_ns = in.integer("compute_ns", 0, golden_load_case_most_ns);
  read_hysteresis(in, c.input.settings);
  c.fixed = out.integer("static_ns", 0, golden_load_case_most);
  c.adaptive = out.integer("adaptive_ns", 0, golden_load_case_most);
  c.oracle = out.integer("oracle_ns", 0, golden_load_case_most);
  return c;
}

}  // namespace ocs::golden
