// From JSON to cases of synchronisation.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "testbed/sync/catalogue.hpp"
#include "tests/schedulers/golden_sync.hpp"

namespace ocs::golden {
namespace {

constexpr std::int64_t most_ns = 1'000'000'000'000'000;  // 11 days
constexpr std::int64_t golden_sync_case_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_workers = 1024;

Objective read_objective(const Fields& fields) {
  const std::string objective = fields.text("objective");
  if (objective == "range") return Objective::range;
  if (objective == "total") return Objective::total;
  fields.fail("objective", "holds \"" + objective + "\"; known: range, total");
}

std::uint32_t small(const Fields& fields, std::string_view name, std::int64_t high = 1'000'000) {
  return static_cast<std::uint32_t>(fields.integer(name, 0, high));
}

SyncSettings read_settings(const Fields& fields) {
  fields.only({"s", "s_lo", "s_up", "r", "ema_shift", "strict", "p", "k", "R", "ahead", "objective", "horizon_ns"});
  SyncSettings settings;
  if (fields.has("s")) settings.s = small(fields, "s");
  if (fields.has("s_lo")) settings.s_lo = small(fields, "s_lo");
  if (fields.has("s_up")) settings.s_up = small(fields, "s_up");
  if (fields.has("r")) {
    const auto r = fields.integers("r", 0, 1'000'000);
    if (r.size() != 2) fields.fail("r", "must hold numerator and denominator");
    settings.r_num = static_cast<std::uint32_t>(r[0]);
    settings.r_den = static_cast<std::uint32_t>(r[1]);
  }
  settings.ema_shift = fields.has("ema_shift") ? small(fields, "ema_shift") : 0;
  if (fields.has("strict")) settings.strict = fields.truth("strict");
  if (fields.has("p")) settings.p = small(fields, "p");
  if (fields.has("k")) settings.k = small(fields, "k");
  if (fields.has("R")) settings.most_quota = small(fields, "R");
  if (fields.has("ahead")) settings.ahead = small(fields, "ahead");
  if (fields.has("objective")) settings.objective = read_objective(fields);
  return settings;
}

abstract::Net read_net(const Fields& fields) {
  const std::string kind = fields.text("kind");
  if (kind == "const") {
    fields.only({"kind", "push_ns", "pull_ns"});
    return {false, fields.integer("push_ns", 0, most_ns), fields.integer("pull_ns", 0, most_ns), 0, 0};
  }
  if (kind != "circuit") fields.fail("kind", "holds \"" + kind + "\"; known: const, circuit");
  fields.only({"kind", "tx_ns", "delta_ns"});
  return {true, 0, 0, fields.integer("tx_ns", 0, most_ns), fields.integer("delta_ns", 0, most_ns)};
}

std::string name_of(const Fields& fields) {
  const std::string scheme = fields.text("scheme");
  if (scheme == "pofn") return "p_of_n";
  if (scheme == "predict") return "predictive";
  return scheme;
}

std::uint16_t worker_in(const Fields& fields, std::size_t workers) {
  return static_cast<std::uint16_t>(fields.integer("worker", 0, static_cast<std::int64_t>(workers) - 1));
}

void read_expected(const Fields& expect, std::size_t workers, ServerCase& c) {
  expect.only({"pushes", "grants", "rounds", "supersteps", "dark_ns", "steps_done", "syncs", "merges", "max_ahead"});
  if (expect.has("pushes"))
    for (const Fields& row : expect.objects("pushes")) {
      row.only({"worker", "iter", "grant", "pulled", "computed", "push", "seen", "stale", "applied"});
      c.pushes.push_back(
          {worker_in(row, workers), small(row, "iter"), row.integer("grant", 0, golden_sync_case_most),
           row.integer("pulled", 0, golden_sync_case_most), row.integer("computed", 0, golden_sync_case_most),
           row.integer("push", 0, golden_sync_case_most),
           static_cast<std::uint64_t>(row.integer("seen", 0, golden_sync_case_most)),
           static_cast<std::uint64_t>(row.integer("stale", 0, golden_sync_case_most)), row.truth("applied")});
    }
  if (expect.has("grants")) {
    c.grants.emplace();
    for (const Fields& row : expect.objects("grants"))
      c.grants->push_back({worker_in(row, workers), row.integer("at", 0, golden_sync_case_most),
                           row.integer("gap", 0, golden_sync_case_most)});
  }
  if (expect.has("rounds")) {
    c.rounds.emplace();
    for (const Fields& row : expect.objects("rounds")) {
      if (row.integer("round", 0, golden_sync_case_most) != static_cast<std::int64_t>(c.rounds->size()))
        row.fail("round", "must count from 0");
      c.rounds->push_back({row.integer("end", 0, golden_sync_case_most), {}});
      for (const auto w : row.integers("members", 0, static_cast<std::int64_t>(workers) - 1))
        c.rounds->back().members.push_back(static_cast<std::uint16_t>(w));
    }
  }
  if (expect.has("supersteps")) {
    c.super_steps.emplace();
    for (const Fields& row : expect.objects("supersteps"))
      c.super_steps->push_back({row.integer("end", 0, golden_sync_case_most), row.integers("quota", 1, 256),
                                row.integer("wait_total", 0, golden_sync_case_most)});
  }
  if (expect.has("dark_ns")) {
    const Fields dark = expect.object("dark_ns");
    dark.only({"rx", "tx"});
    c.dark_receive = dark.integer("rx", 0, golden_sync_case_most);
    c.dark_send = dark.integer("tx", 0, golden_sync_case_most);
  }
}

abstract::PredictiveOutput read_predictive(const Fields& expect, std::size_t workers) {
  abstract::PredictiveOutput output;
  output.steps_done = expect.integers("steps_done", 0, golden_sync_case_most);
  for (const Fields& row : expect.objects("syncs"))
    output.syncs.push_back({row.integer("end", 0, golden_sync_case_most),
                            row.integers("quota", 1, golden_sync_case_most),
                            row.integers("carried", 0, golden_sync_case_most)});
  for (const Fields& row : expect.objects("merges"))
    output.merges.push_back({worker_in(row, workers), row.integer("at", 0, golden_sync_case_most),
                             row.integer("steps_done", 0, golden_sync_case_most)});
  output.max_ahead = expect.integer("max_ahead", 0, golden_sync_case_most);
  return output;
}

}  // namespace

ServerCase read_server(const Fields& fields) {
  ServerCase c;
  c.scheme = name_of(fields);
  const auto known = sync_schemes();
  if (std::none_of(known.begin(), known.end(), [&](const SyncEntry& each) { return each.name == c.scheme; }))
    fields.fail("scheme", "names the unknown scheme \"" + c.scheme + "\"");
  const Fields input = fields.object("input");
  input.only({"workers", "compute_ns", "net", "parameters"});
  const auto workers = static_cast<std::size_t>(input.integer("workers", 1, most_workers));
  c.input.compute = input.lists("compute_ns", 0, most_ns);
  if (c.input.compute.size() != workers) input.fail("compute_ns", "must hold a list for each worker");
  for (const auto& times : c.input.compute)
    if (times.empty()) input.fail("compute_ns", "must hold a time for each worker");
  c.input.net = read_net(input.object("net"));
  const Fields parameters = input.object("parameters");
  c.input.settings = read_settings(parameters);
  if (parameters.has("horizon_ns")) c.input.horizon = parameters.integer("horizon_ns", 0, most_ns);
  const Fields expect = fields.object("expect");
  read_expected(expect, workers, c);
  if (c.scheme == "predictive") {
    if (!c.input.horizon) parameters.fail("horizon_ns", "is missing");
    c.predictive = read_predictive(expect, workers);
  }
  return c;
}

MomentCase read_moment(const Fields& fields) {
  const Fields input = fields.object("input"), expect = fields.object("expect");
  input.only({"points", "objective"});
  expect.only({"at", "quota"});
  return {input.lists("points", 0, most_ns), read_objective(input), expect.integer("at", 0, golden_sync_case_most),
          expect.integers("quota", 1, golden_sync_case_most)};
}

ClosedFormCase read_closed_form(const Fields& fields) {
  const Fields in = fields.object("input"), out = fields.object("expect");
  in.only({"workers", "servers", "compute_ns", "bytes", "rate_bps", "delta_ns"});
  out.only({"tau_ns", "bsp_phase_ns", "bsp_eager_ns", "r2sp_ns", "ring_warm_ns", "ring_cold_ns",
            "halving_doubling_warm_ns", "halving_doubling_cold_ns"});
  ClosedFormCase c{};
  c.workers = in.integer("workers", 1, most_workers);
  c.servers = in.integer("servers", 1, c.workers);
  c.compute = in.integer("compute_ns", 0, most_ns);
  c.bytes = in.integer("bytes", 1, 1'000'000'000);
  c.rate_bps = in.integer("rate_bps", 1'000'000, 1'000'000'000'000);
  c.delta = in.integer("delta_ns", 0, most_ns);
  c.tau = out.integer("tau_ns", 0, golden_sync_case_most);
  c.bsp_phase = out.integer("bsp_phase_ns", 0, golden_sync_case_most);
  c.r2sp = out.integer("r2sp_ns", 0, golden_sync_case_most);
  if (c.servers == 1) c.bsp_eager = out.integer("bsp_eager_ns", 0, golden_sync_case_most);
  c.ring_warm = out.integer("ring_warm_ns", 0, golden_sync_case_most);
  c.ring_cold = out.integer("ring_cold_ns", 0, golden_sync_case_most);
  c.halving_warm = out.integer("halving_doubling_warm_ns", 0, golden_sync_case_most);
  c.halving_cold = out.integer("halving_doubling_cold_ns", 0, golden_sync_case_most);
  return c;
}

BatchCase read_batch(const Fields& fields) {
  const Fields input = fields.object("input"), expect = fields.object("expect");
  input.only({"batch", "blocked_ns", "speed_samples_per_s"});
  expect.only({"batch"});
  BatchCase c{input.integer("batch", 1, 1'000'000), input.integers("blocked_ns", 0, most_ns),
              input.integers("speed_samples_per_s", 0, 1'000'000'000),
              expect.integers("batch", 1, golden_sync_case_most)};
  if (c.speed.size() != c.blocked.size()) input.fail("speed_samples_per_s", "must be as long as blocked_ns");
  return c;
}

}  // namespace ocs::golden
