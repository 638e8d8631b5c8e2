// Attributes and views.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/problem.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "python/src/arrays.hpp"
#include "python/src/plans.hpp"

namespace ocs::python {
namespace {

namespace nb = nanobind;

/// A field of all flows, where it is.
template <class T, class Field>
View<T> field_of_flows(const ProblemView& view, Field Flow::*field) {
  return field_view<T>(view.shared(), view->flows, field);
}

template <class T, class Port>
View<T> ports_of(const ProblemView& view, const std::vector<Port>& ports) {
  return items_view<T>(view.shared(), ports, {ports.size()});
}

View<std::int16_t> first_outputs(const ProblemView& view) {
  std::vector<std::int16_t> outputs;
  outputs.reserve(view->flows.size());
  for (const Flow& flow : view->flows)
    outputs.push_back(flow.outs.count() == 1 ? static_cast<std::int16_t>(flow.outs._Find_first()) : std::int16_t{-1});
  const std::size_t count = outputs.size();
  return array_of(std::move(outputs), {count});
}

/// Bit k % 64 of word k / 64 is output k, as std::bitset keeps it.
View<std::uint64_t> output_masks(const ProblemView& view) {
  constexpr std::size_t words = max_ports / 64;
  static_assert(sizeof(Outputs) == words * sizeof(std::uint64_t));
  const std::vector<Flow>& flows = view->flows;
  const std::size_t shape[] = {flows.size(), words};
  const std::int64_t strides[] = {static_cast<std::int64_t>(sizeof(Flow) / sizeof(std::uint64_t)), 1};
  return View<std::uint64_t>(flows.empty() ? nullptr : static_cast<const void*>(&flows.front().outs), 2, shape,
                             owner_of(view.shared()), strides);
}

View<std::int64_t> demand(const ProblemView& view) {
  const auto ports = static_cast<std::size_t>(view->ports);
  std::vector<std::int64_t> sums(ports * ports);
  for (const Flow& flow : view->flows)
    for_each_output(flow.outs, [&](std::size_t out) { sums[index(flow.in) * ports + out] += flow.length.n; });
  return array_of(std::move(sums), {ports, ports});
}

nb::object pair_delta(const ProblemView& view) {
  if (view->pair_delta.empty()) return nb::none();
  const auto ports = static_cast<std::size_t>(view->ports);
  return nb::cast(items_view<std::int64_t>(view.shared(), view->pair_delta, {ports, ports}));
}

nb::list outputs_list(const Outputs& outs) {
  nb::list list;
  for_each_output(outs, [&](std::size_t out) { list.append(out); });
  return list;
}

nb::list circuits(const ProblemView& view) {
  nb::list list;
  for (const EstablishedCircuit& circuit : view->up) {
    nb::dict one;
    one["plane"] = index(circuit.plane);
    one["in"] = index(circuit.in);
    one["outs"] = outputs_list(circuit.outs);
    one["free_at"] = circuit.free_at.n;
    list.append(one);
  }
  return list;
}

nb::dict attained(const ProblemView& view) {
  nb::dict served;
  for (const Attained& one : view->attained) served[nb::int_(index(one.coflow))] = one.served.n;
  return served;
}

nb::object horizon(const ProblemView& view) {
  return view->horizon == never<Ticks> ? nb::none() : nb::object(nb::int_(view->horizon.n));
}

void add_flows(nb::class_<ProblemView>& problem) {
  problem
      .def_prop_ro(
          "flow", [](const ProblemView& v) { return field_of_flows<std::uint32_t>(v, &Flow::id); },
          nb::rv_policy::reference, "uint32 (flows,): numbers of the flows.")
      .def_prop_ro(
          "coflow", [](const ProblemView& v) { return field_of_flows<std::uint32_t>(v, &Flow::coflow); },
          nb::rv_policy::reference, "uint32 (flows,): numbers of their coflows.")
      .def_prop_ro(
          "input", [](const ProblemView& v) { return field_of_flows<std::uint16_t>(v, &Flow::in); },
          nb::rv_policy::reference, "uint16 (flows,): input of each flow.")
      .def_prop_ro("output", first_outputs, nb::rv_policy::reference,
                   "int16 (flows,): output of each flow; -1: it goes to several (output_mask).")
      .def_prop_ro("output_mask", output_masks, nb::rv_policy::reference,
                   "uint64 (flows, 4): bit k % 64 of word k // 64 is output k.")
      .def_prop_ro(
          "length", [](const ProblemView& v) { return field_of_flows<std::int64_t>(v, &Flow::length); },
          nb::rv_policy::reference, "int64 (flows,): ticks that its data take.")
      .def_prop_ro(
          "release", [](const ProblemView& v) { return field_of_flows<std::int64_t>(v, &Flow::release); },
          nb::rv_policy::reference, "int64 (flows,): tick before which it may not start.")
      .def_prop_ro(
          "word", [](const ProblemView& v) { return field_of_flows<std::int64_t>(v, &Flow::word); },
          nb::rv_policy::reference, "int64 (flows,): ticks of one of its words; no reservation cuts a word.")
      .def_prop_ro(
          "priority", [](const ProblemView& v) { return field_of_flows<std::int32_t>(v, &Flow::priority); },
          nb::rv_policy::reference, "int32 (flows,): smaller goes first.")
      .def_prop_ro("demand", demand, nb::rv_policy::reference,
                   "int64 (ports, ports): ticks of all flows from each input to each output.")
      .def(
          "plan_by", [](const ProblemView& view, const std::string& name) { return plan_by(*view, name); },
          nb::arg("scheduler"),
          "The plan that a scheduler of lightloop makes: int64 (reservations, 6) with the columns flow, start, up, "
          "end, offset, plane.");
}

}  // namespace

void add_problem(nb::module_& module) {
  nb::class_<ProblemView> problem(
      module, "Problem",
      "What a scheduler has to plan. Times are whole ticks, which are cycles of the switch. Arrays "
      "have one item a flow, in one order; they are read-only views and stay valid when they are kept.");
  problem
      .def(
          "__len__", [](const ProblemView& view) { return view->flows.size(); }, "How many flows there are.")
      .def_prop_ro(
          "now", [](const ProblemView& v) { return v->now.n; }, "Tick of the question: nothing may start earlier.")
      .def_prop_ro(
          "ports", [](const ProblemView& v) { return v->ports; }, "Inputs and outputs of the switch, 2 to 256.")
      .def_prop_ro(
          "planes", [](const ProblemView& v) { return v->planes; }, "Switches in parallel.")
      .def_prop_ro(
          "delta", [](const ProblemView& v) { return v->delta.n; }, "Ticks that a circuit takes to be set up.")
      .def_prop_ro("pair_delta", pair_delta, nb::rv_policy::reference,
                   "int64 (ports, ports): set-up of each pair [input, output]; None: all take delta.")
      .def_prop_ro(
          "all_stop", [](const ProblemView& v) { return v->all_stop; }, "A circuit that is set up stops all others.")
      .def_prop_ro(
          "seed", [](const ProblemView& v) { return v->seed; }, "Seed of the row, for schedulers that draw.")
      .def_prop_ro(
          "reuse", [](const ProblemView& v) { return v->reuse.n; }, "Ticks that an established circuit costs again.")
      .def_prop_ro("horizon", horizon, "What starts at this tick or later may be left out; None: nothing may.")
      .def_prop_ro("up", circuits, "Established circuits, a list of dicts: plane, in, outs, free_at (tick).")
      .def_prop_ro(
          "dead_in", [](const ProblemView& v) { return ports_of<std::uint16_t>(v, v->dead_in); },
          nb::rv_policy::reference, "uint16: inputs that can't be used.")
      .def_prop_ro(
          "dead_out", [](const ProblemView& v) { return ports_of<std::uint16_t>(v, v->dead_out); },
          nb::rv_policy::reference, "uint16: outputs that can't be used.")
      .def_prop_ro("attained", attained, "Ticks that each coflow has been given so far, by its number.");
  add_flows(problem);
}

}  // namespace ocs::python
