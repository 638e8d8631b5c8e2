// Lists side by side.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/why/difference.hpp"

#include <algorithm>
#include <tuple>

#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

/// @param what "plan". @param texts of each, which are compared
std::string parting(const std::string& what, const std::vector<std::string>& one,
                    const std::vector<std::string>& other) {
  if (one.empty() && other.empty()) return "neither has a " + what;
  const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  if (a == one.end() && b == other.end())
    return "each " + what + " is the same, " + counted(static_cast<std::int64_t>(one.size()), what);
  const auto shown = [&](const auto& at, const auto& end) { return at == end ? "no further " + what : *at; };
  return "the first " + what + " that differs is number " + std::to_string(a - one.begin() + 1) + ": " +
         shown(a, one.end()) + "; in the other row: " + shown(b, other.end());
}

std::vector<std::string> plans_of(const History& history) {
  std::vector<std::string> texts;
  texts.reserve(history.plans.size());
  for (const WatchedPlan& plan : history.plans) {
    const auto at = [&](Cycles cycle) { return human_time(to_picos(cycle, history.shape.cycle)); };
    texts.push_back("asked for at " + at(plan.asked) + ", " + counted(plan.flows, "flow") + ", " +
                    counted(plan.reservations, "reservation") + ", to end at " + at(plan.end));
  }
  return texts;
}

std::vector<std::string> circuits_of(const History& history) {
  std::vector<CircuitUse> list = history.circuits;
  std::stable_sort(list.begin(), list.end(), [](const CircuitUse& a, const CircuitUse& b) {
    return std::tuple(a.start, a.plane, a.in) < std::tuple(b.start, b.plane, b.in);
  });
  std::vector<std::string> texts;
  for (const CircuitUse& circuit : list) {
    std::string outs;
    for_each_output(circuit.outs, [&](std::uint16_t out) { outs += (outs.empty() ? "" : ", ") + std::to_string(out); });
    texts.push_back("input " + std::to_string(circuit.in) + " to output " + outs +
                    (history.shape.planes > 1 ? " on plane " + std::to_string(circuit.plane) : "") + ", from " +
                    human_time(circuit.start) + " to " + human_time(circuit.end));
  }
  return texts;
}

std::vector<std::string> grants_of(const History& history) {
  std::vector<Computing> list = history.computing;
  std::stable_sort(list.begin(), list.end(), [](const Computing& a, const Computing& b) {
    return std::tuple(a.from, a.node) < std::tuple(b.from, b.node);
  });
  std::vector<std::string> texts;
  texts.reserve(list.size());
  for (const Computing& one : list)
    texts.push_back("node " + std::to_string(one.node) + " begins iteration " + std::to_string(one.iteration) + " at " +
                    human_time(one.from));
  return texts;
}

}  // namespace

std::vector<std::string> partings_of(const History& one, const History& other) {
  return {parting("plan", plans_of(one), plans_of(other)), parting("circuit", circuits_of(one), circuits_of(other)),
          parting("grant", grants_of(one), grants_of(other))};
}

}  // namespace ocs
