// Field by field, each with its range.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/plan_json.hpp"

#include <limits>
#include <utility>

#include "host/scheduler/check_plan.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

/// A value as a message shows it: short.
std::string shown(const Json& json) {
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
  return json.dump();
}

bool whole_number(const Json& json) {
  return json.is_number_unsigned()
             ? json.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}
             : json.is_number_integer();
}

std::int64_t whole_of(const Json& json, const std::string& where, std::int64_t least, std::int64_t most) {
  if (!whole_number(json) || json.get<std::int64_t>() < least || json.get<std::int64_t>() > most)
    refuse(where + " is " + shown(json) + ", but must be a whole number from " + std::to_string(least) + " to " +
           std::to_string(most));
  return json.get<std::int64_t>();
}

std::uint16_t port_of(const Json& json, const std::string& where) {
  const std::int64_t number = whole_of(json, where, 0, largest_tick);
  if (number >= static_cast<std::int64_t>(max_ports))
    throw BrokenRule(
        ErrorKind::input, PlanRule::port_range,
        where + " is " + std::to_string(number) + ", but ports are at most " + std::to_string(max_ports - 1));
  return static_cast<std::uint16_t>(number);
}

/// "out" for one, "outs" for several.
void add_outputs(Json& json, const Outputs& outs) {
  if (outs.count() == 1) {
    json["out"] = outs._Find_first();
    return;
  }
  Json list = Json::array();
  for_each_output(outs, [&](std::size_t out) { list.push_back(out); });
  json["outs"] = std::move(list);
}

template <class Port>
Json numbers(const std::vector<Port>& ports) {
  Json list = Json::array();
  for (const Port port : ports) list.push_back(index(port));
  return list;
}

template <class Port>
std::vector<Port> ports_of(const Fields& fields, const char* name) {
  std::vector<Port> ports;
  const Json* list = fields.find(name);
  if (list == nullptr) return ports;
  for (const Json& port : fields.list(name)) ports.push_back(Port{port_of(port, fields.place(name))});
  return ports;
}

std::string item(const std::string& list, std::size_t number) { return list + "[" + std::to_string(number) + "]"; }

Flow flow_from_json(const Json& json, const std::string& where) {
  const Fields fields(json, where);
  constexpr std::int64_t ids = std::numeric_limits<std::uint32_t>::max();
  return {.id = Id{static_cast<std::uint32_t>(fields.whole("flow", 0, ids))},
          .coflow = Id{static_cast<std::uint32_t>(fields.whole("coflow", 0, ids, 0))},
          .in = Input{fields.port("in")},
          .outs = fields.outputs(),
          .length = fields.ticks("length"),
          .release = fields.ticks("release", Ticks{0}),
          .priority = static_cast<std::int32_t>(fields.whole("priority", std::numeric_limits<std::int32_t>::min(),
                                                             std::numeric_limits<std::int32_t>::max(), 0)),
          .word = fields.ticks("word", Ticks{1})};
}

EstablishedCircuit circuit_from_json(const Json& json, const std::string& where) {
  const Fields fields(json, where);
  return {.plane = Plane{static_cast<std::uint8_t>(fields.whole("plane", 0, 255, 0))},
          .in = Input{fields.port("in")},
          .outs = fields.outputs(),
          .free_at = fields.ticks("free_at", Ticks{0})};
}

Reservation reservation_from_json(const Json& json, const std::string& where) {
  const Fields fields(json, where);
  return {.flow = Id{static_cast<std::uint32_t>(fields.whole("flow", 0, std::numeric_limits<std::uint32_t>::max()))},
          .plane = Plane{static_cast<std::uint8_t>(fields.whole("plane", 0, 255, 0))},
          .in = Input{fields.port("in")},
          .outs = fields.outputs(),
          .start = fields.ticks("start"),
          .up = fields.ticks("up"),
          .end = fields.ticks("end"),
          .offset = fields.ticks("offset", Ticks{0})};
}

}  // namespace

Fields::Fields(const Json& json, const std::string& where) : json_(json), where_(where) {
  if (!json.is_object()) refuse(where + " is " + shown(json) + ", but must be an object");
}

const Json* Fields::find(const char* name) const {
  const auto found = json_.find(name);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

const Json& Fields::at(const char* name) const {
  const Json* found = find(name);
  if (found == nullptr) refuse(where_ + " has no \"" + name + "\"");
  return *found;
}

const Json& Fields::list(const char* name) const {
  const Json& found = at(name);
  if (!found.is_array()) refuse(place(name) + " is " + shown(found) + ", but must be a list");
  return found;
}

std::int64_t Fields::whole(const char* name, std::int64_t least, std::int64_t most) const {
  return whole_of(at(name), place(name), least, most);
}

std::int64_t Fields::whole(const char* name, std::int64_t least, std::int64_t most, std::int64_t otherwise) const {
  return find(name) == nullptr ? otherwise : whole(name, least, most);
}

bool Fields::truth(const char* name, bool otherwise) const {
  const Json* found = find(name);
  if (found != nullptr && !found->is_boolean())
    refuse(place(name) + " is " + shown(*found) + ", but must be true or false");
  return found == nullptr ? otherwise : found->get<bool>();
}

std::string Fields::text(const char* name, const std::string& otherwise) const {
  const Json* found = find(name);
  if (found != nullptr && !found->is_string()) refuse(place(name) + " is " + shown(*found) + ", but must be text");
  return found == nullptr ? otherwise : found->get<std::string>();
}

std::uint16_t Fields::port(const char* name) const { return port_of(at(name), place(name)); }

Outputs Fields::outputs() const {
  Outputs outs;
  if ((find("out") == nullptr) == (find("outs") == nullptr))
    refuse(where_ + " must have \"out\", the output, or else \"outs\", a list of outputs");
  if (const Json* out = find("out")) {
    outs.set(port_of(*out, place("out")));
    return outs;
  }
  for (const Json& out : list("outs")) outs.set(port_of(out, place("outs")));
  if (outs.none()) refuse(place("outs") + " is an empty list, but must name at least one output");
  return outs;
}

Json to_json(const Flow& flow) {
  Json json = {{"flow", index(flow.id)}, {"coflow", index(flow.coflow)}, {"in", index(flow.in)}};
  add_outputs(json, flow.outs);
  json["length"] = flow.length.n;
  json["release"] = flow.release.n;
  json["priority"] = flow.priority;
  if (flow.word.n > 1) json["word"] = flow.word.n;
  return json;
}

Json to_json(const Reservation& r) {
  Json json = {{"flow", index(r.flow)}, {"plane", index(r.plane)}, {"in", index(r.in)}};
  add_outputs(json, r.outs);
  json["start"] = r.start.n;
  json["up"] = r.up.n;
  json["end"] = r.end.n;
  json["offset"] = r.offset.n;
  return json;
}

Json to_json(const Problem& problem) {
  Json up = Json::array(), flows = Json::array(), pairs = Json::array();
  for (const EstablishedCircuit& circuit : problem.up) {
    Json json = {{"plane", index(circuit.plane)}, {"in", index(circuit.in)}};
    add_outputs(json, circuit.outs);
    json["free_at"] = circuit.free_at.n;
    up.push_back(std::move(json));
  }
  for (const Flow& flow : problem.flows) flows.push_back(to_json(flow));
  for (const Ticks delta : problem.pair_delta) pairs.push_back(delta.n);
  return {{"now", problem.now.n},
          {"ports", problem.ports},
          {"planes", problem.planes},
          {"delta", problem.delta.n},
          {"reuse", problem.reuse.n},
          {"pair_delta", std::move(pairs)},
          {"all_stop", problem.all_stop},
          {"up", std::move(up)},
          {"dead_in", numbers(problem.dead_in)},
          {"dead_out", numbers(problem.dead_out)},
          {"seed", problem.seed},
          {"flows", std::move(flows)}};
}

Problem problem_from_json(const Json& json, const std::string& where) {
  const Fields fields(json, where);
  Problem problem;
  problem.now = fields.ticks("now", Ticks{0});
  problem.ports = static_cast<int>(fields.whole("ports", 1, static_cast<std::int64_t>(max_ports)));
  problem.planes = static_cast<int>(fields.whole("planes", 1, 256, 1));
  problem.delta = fields.ticks("delta");
  problem.reuse = fields.ticks("reuse", Ticks{0});
  problem.all_stop = fields.truth("all_stop", false);
  problem.dead_in = ports_of<Input>(fields, "dead_in");
  problem.dead_out = ports_of<Output>(fields, "dead_out");
  problem.seed = static_cast<std::uint64_t>(fields.whole("seed", 0, std::numeric_limits<std::int64_t>::max(), 0));
  if (fields.find("pair_delta") != nullptr)
    for (const Json& delta : fields.list("pair_delta"))
      problem.pair_delta.push_back({whole_of(delta, fields.place("pair_delta"), 0, largest_tick)});
  if (fields.find("up") != nullptr)
    for (const Json& circuit : fields.list("up"))
      problem.up.push_back(circuit_from_json(circuit, item(fields.place("up"), problem.up.size())));
  for (const Json& flow : fields.list("flows"))
    problem.flows.push_back(flow_from_json(flow, item(fields.place("flows"), problem.flows.size())));
  return problem;
}

Plan plan_from_json(const Json& json, const std::string& where) {
  const Fields fields(json, where);
  return {.list = reservations_from_json(fields.list("reservations"), fields.place("reservations")),
          .bound = fields.ticks("bound", Ticks{0})};
}

std::vector<Reservation> reservations_from_json(const Json& json, const std::string& where) {
  std::vector<Reservation> list;
  for (const Json& reservation : json) list.push_back(reservation_from_json(reservation, item(where, list.size())));
  return list;
}

Json parse_json(std::string_view text, const std::string& where) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& failure) {
    refuse(where + " is not valid JSON: the error is at byte " + std::to_string(failure.byte));
  } catch (const Json::exception&) {  // a number that fits nowhere
    refuse(where + " is not valid JSON: it has a number that is too large");
  }
}

}  // namespace ocs
