// The vocabulary that public clients of Polatis switches use.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "host/control_plane/tl1/scene.hpp"

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

void enter_patch(Scene& scene) {
  const int n = scene.office().ports();
  const std::vector<std::string> sides = pieces_of(scene.command.aid);
  if (scene.command.aid.empty()) throw Denial("IIAC", "Empty parameters");
  if (sides.size() != 2) throw Denial("IIAC", "Too few parameters (" + to_string(sides.size()) + "/2)");
  const std::vector<Port> from = ports_of(sides[0], n), to = ports_of(sides[1], n);
  if (from.size() != to.size())
    throw Denial("IIAC", to_string(from.size()) + " and " + to_string(to.size()) + " ports");
  std::vector<Circuit> added;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (from[k].output == to[k].output)
      throw Denial("IDNV", "No input and output: " + numbered(from[k], n) + "," + numbered(to[k], n));
    const Port& in = from[k].output ? to[k] : from[k];
    const Port& out = from[k].output ? from[k] : to[k];
    added.push_back({Input{in.number}, Output{out.number}});
  }
  throw_if(scene.office().change({.remove = {}, .add = std::move(added), .mode = Mode::safe}), numbered, n);
}

std::optional<Circuit> circuit_at(const SwitchOffice& office, Port port) {
  if (port.output) {
    const auto in = office.wanted(Output{port.number});
    return in ? std::optional(Circuit{*in, Output{port.number}}) : std::nullopt;
  }
  const auto out = office.wanted(Input{port.number});
  return out ? std::optional(Circuit{Input{port.number}, *out}) : std::nullopt;
}

void remove_patch(Scene& scene) {
  const int n = scene.office().ports();
  const std::string& aid = scene.command.aid;
  if (aid.empty() || aid == "ALL") return throw_if(scene.office().clear(), numbered, n);
  std::vector<Circuit> gone;
  for (const Port& port : ports_of(aid, n)) {
    const auto circuit = circuit_at(scene.office(), port);
    if (!circuit) throw Denial("IDNV", "No circuit at port " + numbered(port, n));
    gone.push_back(*circuit);
  }
  throw_if(scene.office().change({.remove = gone, .add = {}, .mode = Mode::safe}), numbered, n);
}

void report_patch(Scene& scene) {
  const int n = scene.office().ports();
  std::vector<bool> told(static_cast<std::size_t>(n));
  for (const Port& port : ports_or_all(scene.command.aid, n)) {
    const auto circuit = circuit_at(scene.office(), port);
    if (!circuit || told[index(circuit->in)]) continue;
    told[index(circuit->in)] = true;
    scene.lines.push_back(to_string(index(circuit->in) + 1) + "," + to_string(n + index(circuit->out) + 1));
  }
}

template <bool off>
void shutter(Scene& scene) {
  const int n = scene.office().ports();
  throw_if(scene.office().switch_off(ports_of(scene.command.aid, n), off), numbered, n);
}

void tell_shutter(Scene& scene) {
  const int n = scene.office().ports();
  for (const Port& port : ports_or_all(scene.command.aid, n))
    scene.lines.push_back(numbered(port, n) + (scene.office().is_off(port) ? ":CLOSED" : ":OPEN"));
}

void tell_equipment(Scene& scene) {
  const std::string n = to_string(scene.office().ports());
  if (scene.command.aid != "SYSTEM") throw Denial("IIAC", "Unknown equipment: " + scene.command.aid);
  if (scene.command.parameter().empty()) throw Denial("IPMS", "Too few parameters (0/1) in block 1");
  if (scene.command.parameter() != "PARAMETER=SIZE") throw Denial("IPNV", "Parameter not valid");
  scene.lines.push_back("SYSTEM:SIZE=" + n + "x" + n);
}

void tell_type(Scene& scene) {
  scene.lines.push_back("lightloop," + scene.station.identity.device + ",OCS," + scene.station.identity.version);
}

void tell_inventory(Scene& scene) {
  const std::string n = to_string(scene.office().ports());
  scene.lines.push_back("OCS:VENDOR=lightloop,MODEL=" + scene.station.identity.device + "-" + n + "x" + n + ",SN=0");
}

void initialise(Scene& scene) {
  const int n = scene.office().ports();
  if (scene.command.aid != "SYSTEM" || scene.command.parameter() != "1")
    throw Denial("INUP", "Only INIT-SYS::SYSTEM with 1: no circuits, all ports on");
  throw_if(scene.office().clear(), numbered, n);
  throw_if(scene.office().switch_off(ports_or_all("", n), false), numbered, n);
}

void tell_alarms(Scene& scene) {
  const int n = scene.office().ports();
  for (const Port& port : ports_or_all(scene.command.aid, n))
    if (port.output && scene.office().light(port) == Light::failed)
      scene.lines.push_back(numbered(port, n) + ":MJ,LOS,SA,,,,:\\\"Loss of light\\\"");
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
