// From JSON to cases.
// SPDX-License-Identifier: Apache-2.0
#include "tests/schedulers/golden_case.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "host/core/error.hpp"
#include "tests/schedulers/golden_fields.hpp"

namespace ocs::golden {
namespace {

using nlohmann::json;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t most_bps = 1'000'000'000'000'000;    // a petabit a second
constexpr std::int64_t most_delay = 1'000'000'000'000'000;  // in ns: 11 days, so that it fits in picoseconds

void read_order(const Fields& fields, CircuitCase& c) {
  const std::string order = fields.text("order");
  constexpr std::string_view random = "random:";
  if (order == "given") {
    c.order = FlowOrder::given;
  } else if (order == "src_dst") {
    c.order = FlowOrder::src_dst;
  } else if (order == "longest") {
    c.order = FlowOrder::longest;
  } else if (order.starts_with(random)) {
    c.order = FlowOrder::random;
    const char *first = order.data() + random.size(), *last = order.data() + order.size();
    const auto [end, error] = std::from_chars(first, last, c.problem.seed);
    if (error != std::errc{} || end != last) fields.fail("order", "holds \"" + order + "\"; a seed is a number");
  } else {
    fields.fail("order", "holds \"" + order + "\"; known: given, src_dst, longest, random:SEED");
  }
}

Outputs one_output(std::int64_t out) {
  Outputs outs;
  outs.set(static_cast<std::size_t>(out));
  return outs;
}

Problem read_problem(const Fields& fields) {
  Problem problem;
  const std::int64_t ports = fields.integer("ports", 1, max_ports);
  problem.ports = static_cast<int>(ports);
  problem.delta = {fields.integer("delta", 0, most)};
  const auto check_port = [&](std::int64_t port, std::string_view field) {
    if (port >= ports)
      fields.fail(field, "names port " + std::to_string(port) + " of " + std::to_string(ports) + " ports");
  };
  for (const auto& row : fields.rows("flows", 3)) {
    check_port(row[0], "flows");
    check_port(row[1], "flows");
    problem.flows.push_back({Id{static_cast<std::uint32_t>(problem.flows.size())}, Id{0},
                             Input{static_cast<std::uint16_t>(row[0])}, one_output(row[1]), Ticks{row[2]}, Ticks{0}});
  }
  if (fields.has("up"))
    for (const auto& row : fields.rows("up", 2)) {
      check_port(row[0], "up");
      check_port(row[1], "up");
      problem.up.push_back({Plane{0}, Input{static_cast<std::uint16_t>(row[0])}, one_output(row[1]), Ticks{0}});
    }
  return problem;
}

Sharing read_sharing(const Fields& fields) {
  const std::string sharing = fields.text("sharing");
  if (sharing == "shortest") return Sharing::shortest;
  if (sharing == "first_come") return Sharing::first_come;
  if (sharing == "least_served") return Sharing::least_served;
  fields.fail("sharing", "holds \"" + sharing + "\"; known: shortest, first_come, least_served");
}

CoflowsCase read_coflows(const Fields& fields) {
  CoflowsCase c{read_sharing(fields), {}, 0, 0, {}, {}};
  Problem& problem = c.problem;
  const std::int64_t ports = fields.integer("ports", 1, max_ports);
  problem.ports = static_cast<int>(ports);
  problem.delta = {fields.integer("delta", 0, most)};
  problem.reuse = {fields.integer("reuse", 0, most)};
  problem.now = {fields.integer("now", 0, most)};
  const auto check = [&](std::int64_t value, std::int64_t end, std::string_view field) {
    if (value >= end) fields.fail(field, "names " + std::to_string(value) + " of " + std::to_string(end));
  };
  const auto coflows = fields.rows("coflows", 3);  // priority, release, served
  for (std::size_t n = 0; n < coflows.size(); ++n) {
    check(coflows[n][0], std::int64_t{1} << 31, "coflows");
    problem.attained.push_back({Id{static_cast<std::uint32_t>(n)}, Ticks{coflows[n][2]}});
  }
  for (const auto& row : fields.rows("flows", 4)) {  // coflow, src, dst, tau
    check(row[0], static_cast<std::int64_t>(coflows.size()), "flows");
    check(row[1], ports, "flows");
    check(row[2], ports, "flows");
    const auto& coflow = coflows[static_cast<std::size_t>(row[0])];
    problem.flows.push_back({Id{static_cast<std::uint32_t>(problem.flows.size())},
                             Id{static_cast<std::uint32_t>(row[0])}, Input{static_cast<std::uint16_t>(row[1])},
                             one_output(row[2]), Ticks{row[3]}, Ticks{coflow[1]},
                             static_cast<std::int32_t>(coflow[0])});
  }
  for (const auto& row : fields.rows("up", 3)) {  // src, dst, free_at
    check(row[0], ports, "up");
    check(row[1], ports, "up");
    problem.up.push_back({Plane{0}, Input{static_cast<std::uint16_t>(row[0])}, one_output(row[1]), Ticks{row[2]}});
  }
  const Fields expect = fields.object("expect");
  expect.only({"makespan", "bound", "ends", "circuits"});
  c.makespan = expect.integer("makespan", 0, most);
  c.bound = expect.integer("bound", 0, most);
  for (const auto& row : expect.rows("ends", 2)) c.ends.push_back({row[0], row[1]});
  for (const auto& row : expect.rows("circuits", 5)) c.circuits.push_back({row[0], row[1], row[2], row[3], row[4]});
  return c;
}

CircuitCase read_circuits(const Fields& fields, CircuitRule rule) {
  CircuitCase c{rule, FlowOrder::given, {}, read_problem(fields), 0, 0, 0, {}, {}};
  if (rule == CircuitRule::sunflow) read_order(fields, c);
  if (rule == CircuitRule::rotation_list || rule == CircuitRule::rotation_allstop) {
    for (const std::int64_t in : fields.integers("ins", 0, c.problem.ports - 1))
      c.ports.ins.push_back(Input{static_cast<std::uint16_t>(in)});
    for (const std::int64_t out : fields.integers("outs", 0, c.problem.ports - 1))
      c.ports.outs.push_back(Output{static_cast<std::uint16_t>(out)});
  }
  const Fields expect = fields.object("expect");
  expect.only({"makespan", "sum_fct", "port_bound", "optimum", "circuits"});
  c.makespan = expect.integer("makespan", 0, most);
  c.sum_fct = expect.integer("sum_fct", 0, most);
  c.port_bound = expect.integer("port_bound", 0, most);
  if (expect.has("optimum")) c.optimum = expect.integer("optimum", 0, most);
  if (expect.has("circuits")) {
    c.circuits.emplace();
    for (const auto& row : expect.rows("circuits", 5)) c.circuits->push_back({row[0], row[1], row[2], row[3], row[4]});
  }
  return c;
}

std::vector<Slot> read_slots(const Fields& expect) {
  std::vector<Slot> slots;
  for (const Fields& slot : expect.objects("slot_list")) {
    slot.only({"length", "pairs"});
    slots.push_back({slot.integer("length", 1, most), {}});
    for (const auto& row : slot.rows("pairs", 2))
      slots.back().pairs.push_back({static_cast<std::uint16_t>(row[0]), static_cast<std::uint16_t>(row[1])});
  }
  return slots;
}

SlotsCase read_decomposition(const Fields& fields, bool solstice) {
  const Fields expect = fields.object("expect");
  expect.only({"budget", "all_stop", "hold", "slots", "slot_time", "stuffed", "slot_list"});
  const auto run = [&](std::string_view mode) {
    const Fields of = expect.object(mode);
    of.only({"cct", "sum_fct"});
    return SlotsCase::SlotTimes{of.integer("cct", 0, most), of.integer("sum_fct", 0, most)};
  };
  SlotsCase c{solstice,
              read_problem(fields),
              expect.integer("budget", 0, most),
              expect.integer("slots", 0, most),
              expect.integer("slot_time", 0, most),
              run("all_stop"),
              run("hold"),
              {},
              {}};
  if (!c.problem.up.empty()) fields.fail("up", "has circuits, but slots are played from a cold switch");
  if (expect.has("stuffed")) {
    c.stuffed.emplace();
    for (const auto& row : expect.rows("stuffed", 3))
      c.stuffed->push_back({static_cast<std::uint16_t>(row[0]), static_cast<std::uint16_t>(row[1]), row[2]});
  }
  if (expect.has("slot_list")) c.slot_list = read_slots(expect);
  return c;
}

BlockCase read_blocks(const Fields& fields) {
  const Fields expect = fields.object("expect");
  expect.only({"blocks", "server"});
  return {fields.integers("elements", 1, most), static_cast<std::size_t>(fields.integer("M", 1, 65536)),
          fields.integer("bytes_per_element", 1, 4096), expect.integers("blocks", 1, most),
          expect.integers("server", 0, 65535)};
}

std::vector<Node> read_nodes(const Fields& fields, std::string_view name, std::size_t nodes) {
  std::vector<Node> list;
  for (const std::int64_t node : fields.integers(name, 0, static_cast<std::int64_t>(nodes) - 1))
    list.push_back(Node{static_cast<std::uint16_t>(node)});
  return list;
}

/// The node of each block of `job`.
std::vector<Node> read_place(const Fields& fields, std::string_view name, const Job& job) {
  std::vector<Node> place = read_nodes(fields, name, job.rate_bps.size());
  if (place.size() != job.blocks.size()) fields.fail(name, "must hold as many nodes as there are blocks");
  return place;
}

PlacementCase::Reference read_reference(const Fields& fields, const Job& job) {
  fields.only({"opened", "place", "T"});
  return {read_nodes(fields, "opened", job.rate_bps.size()), read_place(fields, "place", job),
          fields.integer("T", 0, most)};
}

PlacementCase::Synchronisation read_synchronisation(const Fields& fields) {
  fields.only({"push", "pull", "pst"});
  return {fields.integer("push", 0, most), fields.integer("pull", 0, most), fields.integer("pst", 0, most)};
}

PlacementCase::Optimum read_optimum(const Fields& expect, const Job& job) {
  const Fields pst = expect.object("pst_of_optimal_place");
  pst.only({"sunflow", "hlf", "rotation", "colour", "longest"});
  const auto of = [&](std::string_view rule) { return read_synchronisation(pst.object(rule)); };
  return {expect.integer("T_opt", 0, most),
          read_place(expect, "an_optimal_place", job),
          of("sunflow"),
          of("hlf"),
          of("rotation"),
          of("colour"),
          of("longest"),
          expect.integer("push_optimum_of_optimal_place", 0, most)};
}

PlacementCase read_placement(const Fields& fields) {
  if (fields.text("unit") != "ns") fields.fail("unit", "must be \"ns\": sizes and rates fix the time");
  Job job;
  job.rate_bps = fields.integers("bw", 1, most_bps);
  if (job.rate_bps.size() > max_ports) fields.fail("bw", "names more nodes than the 256 ports of a switch");
  job.workers = read_nodes(fields, "workers", job.rate_bps.size());
  job.candidates = read_nodes(fields, "candidates", job.rate_bps.size());
  job.servers = static_cast<std::size_t>(fields.integer("M", 1, max_ports));
  for (const std::int64_t size : fields.integers("blocks", 1, most))
    job.blocks.push_back({Bytes{size}, static_cast<std::uint32_t>(job.blocks.size())});
  job.tick = Picos{1000};
  job.delta = job.tick * fields.integer("delta", 0, most_delay);

  const Fields expect = fields.object("expect");
  expect.only({"T_opt", "an_optimal_place", "lp_bound", "reference_plain", "reference_exchange", "pst_of_optimal_place",
               "push_optimum_of_optimal_place"});
  PlacementCase c{job,
                  expect.integer("lp_bound", 0, most),
                  read_reference(expect.object("reference_plain"), job),
                  read_reference(expect.object("reference_exchange"), job),
                  {}};
  // A case too large for exhaustive search has none of these; one that has one has all.
  for (const auto* name : {"T_opt", "an_optimal_place", "pst_of_optimal_place", "push_optimum_of_optimal_place"})
    if (expect.has(name)) {
      c.optimum = read_optimum(expect, job);
      break;
    }
  return c;
}

Case read_case(const json& value, const std::string& path, const std::string& of_file = "") {
  const bool named = value.is_object() && value.contains("name") && value["name"].is_string();
  const std::string name = named ? value["name"].get<std::string>() : "";
  const Fields fields(value, named ? path + ": " + name : path);
  const std::string algorithm = of_file.empty() || fields.has("algorithm") ? fields.text("algorithm") : of_file;
  if (algorithm == "sunflow") return {name, read_circuits(fields, CircuitRule::sunflow)};
  if (algorithm == "sunflow_inter") return {name, read_coflows(fields)};
  if (algorithm == "hlf") return {name, read_circuits(fields, CircuitRule::hlf)};
  if (algorithm == "colour") return {name, read_circuits(fields, CircuitRule::colour)};
  if (algorithm == "rotation_list") return {name, read_circuits(fields, CircuitRule::rotation_list)};
  if (algorithm == "rotation_allstop") return {name, read_circuits(fields, CircuitRule::rotation_allstop)};
  if (algorithm == "bvn") return {name, read_decomposition(fields, false)};
  if (algorithm == "solstice") return {name, read_decomposition(fields, true)};
  if (algorithm == "mxnet_blocks") return {name, read_blocks(fields)};
  if (algorithm == "psscheduler") return {name, read_placement(fields)};
  if (algorithm == "sync/parameter_server") return {name, read_server(fields)};
  if (algorithm == "sync/zipline") return {name, read_moment(fields)};
  if (algorithm == "sync/closed_forms") return {name, read_closed_form(fields)};
  if (algorithm == "sync/r2sp_batch") return {name, read_batch(fields)};
  if (algorithm == "sync/server_load") return {name, read_load(fields)};
  if (algorithm == "sync/selmcast_bsp") return {name, read_selection(fields, false)};
  if (algorithm == "sync/selmcast_ssp") return {name, read_selection(fields, true)};
  if (algorithm == "sync/multicast_circuits") return {name, read_multicast(fields)};
  if (algorithm == "sync/server_load_speedup") return {name, read_load_totals(fields)};
  if (algorithm == "collectives/lists") return {name, read_list(fields)};
  if (algorithm == "collectives/leg") return {name, read_leg(fields)};
  if (algorithm == "collectives/policies" || algorithm == "collectives/skew" || algorithm == "collectives/phases")
    return {name, read_policies(fields)};
  if (algorithm == "collectives/planes") return {name, read_planes(fields)};
  fields.fail("algorithm", "names the unknown algorithm \"" + algorithm +
                               "\"; known: sunflow, sunflow_inter, hlf, colour, rotation_list, rotation_allstop, bvn, "
                               "solstice, mxnet_blocks, psscheduler, sync/parameter_server, sync/zipline, "
                               "sync/closed_forms, sync/r2sp_batch, sync/server_load, sync/server_load_speedup, "
                               "sync/selmcast_bsp, sync/selmcast_ssp, sync/multicast_circuits, collectives/lists, "
                               "collectives/leg, collectives/policies, collectives/skew, collectives/phases, "
                               "collectives/planes");
}

}  // namespace

std::vector<Case> parse_cases(std::string_view text, const std::string& file) {
  json root;
  try {
    root = json::parse(text);
  } catch (const json::exception& error) {
    throw Error(ErrorKind::input, file + ": no JSON: " + error.what());
  }
  const bool wrapped = root.is_object() && root.contains("cases");
  const json& list = wrapped ? root["cases"] : root;
  if (wrapped && !list.is_array()) throw Error(ErrorKind::input, file + ": field \"cases\" must be an array");
  std::vector<Case> cases;
  if (!list.is_array()) {
    cases.push_back(read_case(list, file));
    return cases;
  }
  const std::string algorithm = wrapped && root.contains("algorithm") ? Fields(root, file).text("algorithm") : "";
  for (const json& value : list)
    cases.push_back(read_case(value, file + ": case " + std::to_string(cases.size()), algorithm));
  if (cases.empty()) throw Error(ErrorKind::input, file + ": holds no case");
  return cases;
}

}  // namespace ocs::golden
