// The vocabulary that public clients of Polatis switches use.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "host/control_plane/tl1/command_context.hpp"

namespace ocs::serve::tl1 {
namespace {

using std::to_string;

std::string numbered(Port port, int ports) { return to_string(number_of(port, ports)); }

std::vector<Port> ports_of(const std::string& aid, int n) {
  std::vector<Port> all;
  for (const int number : numbers_of(aid, 2 * n)) all.push_back(port_of(number, n));
  return all;
}

std::vector<Port> ports_or_all(const std::string& aid, int n) {
  return ports_of(aid.empty() || aid == "ALL" ? "1&&" + to_string(2 * n) : aid, n);
}

void enter_patch(CommandContext& context) {
  const int n = context.service().ports();
  const std::vector<std::string> sides = pieces_of(context.command.aid);
  if (context.command.aid.empty()) throw Denial("IIAC", "Empty parameters");
  if (sides.size() != 2) throw Denial("IIAC", "Too few parameters (" + to_string(sides.size()) + "/2)");
  const std::vector<Port> from = ports_of(sides[0], n), to = ports_of(sides[1], n);
  if (from.size() != to.size())
    throw Denial("IIAC", to_string(from.size()) + " and " + to_string(to.size()) + " ports");
  std::vector<CrossConnect> added;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (from[k].output == to[k].output)
      throw Denial("IDNV", "No input and output: " + numbered(from[k], n) + "," + numbered(to[k], n));
    const Port& in = from[k].output ? to[k] : from[k];
    const Port& out = from[k].output ? from[k] : to[k];
    added.push_back({Input{in.number}, Output{out.number}});
  }
  throw_if(context.service().change({.remove = {}, .add = std::move(added), .mode = Mode::safe}), numbered, n);
}

std::optional<CrossConnect> circuit_at(const SwitchService& service, Port port) {
  if (port.output) {
    const auto in = service.wanted(Output{port.number});
    return in ? std::optional(CrossConnect{*in, Output{port.number}}) : std::nullopt;
  }
  const auto out = service.wanted(Input{port.number});
  return out ? std::optional(CrossConnect{Input{port.number}, *out}) : std::nullopt;
}

void remove_patch(CommandContext& context) {
  const int n = context.service().ports();
  const std::string& aid = context.command.aid;
  if (aid.empty() || aid == "ALL") return throw_if(context.service().clear(), numbered, n);
  std::vector<CrossConnect> gone;
  for (const Port& port : ports_of(aid, n)) {
    const auto circuit = circuit_at(context.service(), port);
    if (!circuit) throw Denial("IDNV", "No circuit at port " + numbered(port, n));
    gone.push_back(*circuit);
  }
  throw_if(context.service().change({.remove = gone, .add = {}, .mode = Mode::safe}), numbered, n);
}

void report_patch(CommandContext& context) {
  const int n = context.service().ports();
  std::vector<bool> told(static_cast<std::size_t>(n));
  for (const Port& port : ports_or_all(context.command.aid, n)) {
    const auto circuit = circuit_at(context.service(), port);
    if (!circuit || told[index(circuit->in)]) continue;
    told[index(circuit->in)] = true;
    context.lines.push_back(to_string(index(circuit->in) + 1) + "," + to_string(n + index(circuit->out) + 1));
  }
}

template <bool off>
void shutter(CommandContext& context) {
  const int n = context.service().ports();
  throw_if(context.service().switch_off(ports_of(context.command.aid, n), off), numbered, n);
}

void tell_shutter(CommandContext& context) {
  const int n = context.service().ports();
  for (const Port& port : ports_or_all(context.command.aid, n))
    context.lines.push_back(numbered(port, n) + (context.service().is_off(port) ? ":CLOSED" : ":OPEN"));
}

void tell_equipment(CommandContext& context) {
  const std::string n = to_string(context.service().ports());
  if (context.command.aid != "SYSTEM") throw Denial("IIAC", "Unknown equipment: " + context.command.aid);
  if (context.command.parameter().empty()) throw Denial("IPMS", "Too few parameters (0/1) in block 1");
  if (context.command.parameter() != "PARAMETER=SIZE") throw Denial("IPNV", "Parameter not valid");
  context.lines.push_back("SYSTEM:SIZE=" + n + "x" + n);
}

void tell_type(CommandContext& context) {
  context.lines.push_back("lightloop," + context.server_context.identity.device + ",OCS," +
                          context.server_context.identity.version);
}

void tell_inventory(CommandContext& context) {
  const std::string n = to_string(context.service().ports());
  context.lines.push_back("OCS:VENDOR=lightloop,MODEL=" + context.server_context.identity.device + "-" + n + "x" + n +
                          ",SN=0");
}

void initialise(CommandContext& context) {
  const int n = context.service().ports();
  if (context.command.aid != "SYSTEM" || context.command.parameter() != "1")
    throw Denial("INUP", "Only INIT-SYS::SYSTEM with 1: no circuits, all ports on");
  throw_if(context.service().clear(), numbered, n);
  throw_if(context.service().switch_off(ports_or_all("", n), false), numbered, n);
}

void tell_alarms(CommandContext& context) {
  const int n = context.service().ports();
  for (const Port& port : ports_or_all(context.command.aid, n))
    if (port.output && context.service().light(port) == Light::failed)
      context.lines.push_back(numbered(port, n) + ":MJ,LOS,SA,,,,:\\\"Loss of light\\\"");
}

constexpr std::array patch_verb_table{
    Verb{"ENT-PATCH", Role::operate, enter_patch},
    Verb{"DLT-PATCH", Role::operate, remove_patch},
    Verb{"RTRV-PATCH", Role::read, report_patch},
    Verb{"OPR-PORT-SHUTTER", Role::operate, shutter<true>},
    Verb{"RLS-PORT-SHUTTER", Role::operate, shutter<false>},
    Verb{"RTRV-PORT-SHUTTER", Role::read, tell_shutter},
    Verb{"RTRV-EQPT", Role::read, tell_equipment},
    Verb{"RTRV-NETYPE", Role::read, tell_type},
    Verb{"RTRV-INV", Role::read, tell_inventory},
    Verb{"INIT-SYS", Role::operate, initialise},
    Verb{"RTRV-ALM-EQPT", Role::read, tell_alarms},
    Verb{"RTRV-ALM-ALL", Role::read, tell_alarms},
};

}  // namespace

std::span<const Verb> patch_verbs() { return patch_verb_table; }

}  // namespace ocs::serve::tl1
