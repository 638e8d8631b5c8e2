// Short ways to write problems and to read plans in tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs::test {

/// Schedulers whose plans hold on an all-stop switch too.
inline constexpr std::array<std::string_view, 6> all_stop_schedulers = {
    "rotation_allstop", "solstice", "bvn", "tms", "eclipse", "edmonds_allstop"};

/// Schedulers that plan around circuits that are busy.
inline constexpr std::array<std::string_view, 12> running_schedulers = {
    "psscheduler", "sunflow",       "sunflow_longest", "sunflow_given", "sunflow_random", "hlf",
    "colour",      "rotation_list", "sunflow_inter",   "sunflow_fifo",  "sunflow_fair",   "multicast_list"};
/// Schedulers of flows whose priorities may differ.
inline constexpr std::array<std::string_view, 4> priority_schedulers = {"sunflow_inter", "sunflow_fifo", "sunflow_fair",
                                                                        "multicast_list"};

template <std::size_t n>
bool among(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using Row = std::array<std::int64_t, 3>;       ///< input, output, length
using Decision = std::array<std::int64_t, 5>;  ///< input, output, start, up, end

/// Whether a scheduler is for problems of that size; `exact` isn't for all.
inline bool fits(std::string_view scheduler, const Problem& problem) {
  return scheduler != "exact" || problem.flows.size() <= 8;
}

inline Outputs only(std::int64_t out) {
  Outputs outs;
  outs.set(static_cast<std::size_t>(out));
  return outs;
}

inline EstablishedCircuit circuit(std::int64_t in, std::int64_t out) {
  return {Plane{0}, Input{static_cast<std::uint16_t>(in)}, only(out), Ticks{0}};
}

/// Flows are numbered from 0 in the order given.
inline Problem problem(int ports, std::int64_t delta, const std::vector<Row>& flows) {
  Problem p;
  p.ports = ports;
  p.delta = Ticks{delta};
  for (const Row& row : flows)
    p.flows.push_back({Id{static_cast<std::uint32_t>(p.flows.size())}, Id{0}, Input{static_cast<std::uint16_t>(row[0])},
                       only(row[1]), Ticks{row[2]}, Ticks{0}});
  return p;
}

/// What a plan decides, in its order.
inline std::vector<Decision> decisions(const Plan& plan) {
  std::vector<Decision> list;
  for (const Reservation& r : plan.list)
    list.push_back({index(r.in), static_cast<std::int64_t>(r.outs._Find_first()), r.start.n, r.up.n, r.end.n});
  return list;
}

/// Every one of `ins` sends `length` to every one of `outs` but itself; both are ranges [first, last).
inline std::vector<Row> all_to_all(std::array<int, 2> ins, std::array<int, 2> outs, std::int64_t length) {
  std::vector<Row> rows;
  for (int in = ins[0]; in < ins[1]; ++in)
    for (int out = outs[0]; out < outs[1]; ++out)
      if (in != out) rows.push_back({in, out, length});
  return rows;
}

}  // namespace ocs::test
