// Commands as public clients of Polatis switches send them.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "host/control_plane/scpi/message.hpp"
#include "host/control_plane/scpi/vocabulary.hpp"

namespace ocs::serve::scpi {
namespace {

using std::to_string;

void size(Scene& scene) {
  scene.need(0);
  const std::string n = to_string(scene.office().ports());
  scene.reply = n + "," + n;
}

std::vector<Circuit> two_lists(const Scene& scene) {
  scene.need(2);
  return circuits_of(scene.parameters[0], scene.parameters[1], scene.office().ports());
}

void add(Scene& scene) {
  throw_if(scene.office().change({.remove = {}, .add = two_lists(scene), .mode = Mode::safe}), scene.office().ports());
}

void only(Scene& scene) {
  throw_if(scene.office().change({.remove = {}, .add = two_lists(scene), .mode = Mode::overwrite}),
           scene.office().ports());
}

/// If the list of one side is empty, these are the circuits that the ports of the other side have.
std::vector<Circuit> named_by_one_end(const Scene& scene) {
  const int n = scene.office().ports();
  std::vector<Circuit> found;
  for (const std::string_view list : scene.parameters)
    for (const Port& port : ports_of(list, n)) {
      const auto other_in = port.output ? scene.office().wanted(Output{port.number}) : Input{port.number};
      const auto other_out = port.output ? Output{port.number} : scene.office().wanted(Input{port.number});
      if (!other_in || !other_out) throw ScpiError(-221, "port " + to_string(number_of(port, n)) + " has no circuit");
      found.push_back({*other_in, *other_out});
    }
  return found;
}

void sub(Scene& scene) {
  scene.need(2);
  const int both = 2 * scene.office().ports();
  const bool one_end = list_of(scene.parameters[0], both).empty() != list_of(scene.parameters[1], both).empty();
  const std::vector<Circuit> gone = one_end ? named_by_one_end(scene) : two_lists(scene);
  throw_if(scene.office().change({.remove = gone, .add = {}, .mode = Mode::safe}), scene.office().ports());
}

void tell_circuits(Scene& scene) {
  scene.need(0);
  std::vector<int> from, to;
  for (const Circuit& circuit : scene.office().circuits()) {
    from.push_back(index(circuit.in) + 1);
    to.push_back(scene.office().ports() + index(circuit.out) + 1);
  }
  scene.reply = list_text(from) + "," + list_text(to);
}

void partner(Scene& scene) {
  scene.need(1);
  const int n = scene.office().ports();
  const Port port = port_of(static_cast<int>(integer_of(scene.parameters[0], 1, std::int64_t{2} * n)), n);
  std::string number;
  if (port.output) {
    if (const auto in = scene.office().wanted(Output{port.number}))
      number = to_string(number_of({.output = false, .number = index(*in)}, n));
  } else if (const auto out = scene.office().wanted(Input{port.number})) {
    number = to_string(number_of({.output = true, .number = index(*out)}, n));
  }
  scene.reply = "\"" + number + "\"";
}

void disconnect_all(Scene& scene) {
  scene.need(0);
  throw_if(scene.office().clear(), scene.office().ports());
}

template <bool off>
void switch_ports(Scene& scene) {
  scene.need(1);
  const int n = scene.office().ports();
  throw_if(scene.office().switch_off(ports_of(scene.parameters[0], n), off), n);
}

void oxc_port_states(Scene& scene) {
  scene.need(0, 1);
  const int n = scene.office().ports();
  scene.reply = "(";
  for (const Port& port :
       ports_of(scene.parameters.empty() ? "(@1:" + to_string(2 * n) + ")" : std::string(scene.parameters[0]), n)) {
    if (scene.reply.size() > 1) scene.reply += ',';
    scene.reply += scene.office().is_off(port) ? 'D' : scene.office().light(port) == Light::failed ? 'F' : 'E';
  }
  scene.reply += ')';
}

constexpr std::array oxc_table{
    Command{"OXC:SWITch:SIZE?", Role::read, size},
    Command{"OXC:SWITch:CONNect:ADD", Role::operate, add},
    Command{"OXC:SWITch:CONNect:SUB", Role::operate, sub},
    Command{"OXC:SWITch:CONNect:ONLY", Role::operate, only},
    Command{"OXC:SWITch:CONNect:STATe?", Role::read, tell_circuits},
    Command{"OXC:SWITch:CONNect:PORT?", Role::read, partner},
    Command{"OXC:SWITch:DISConnect:ALL", Role::operate, disconnect_all},
    Command{"OXC:SWITch:PORT:DISable", Role::operate, switch_ports<true>},
    Command{"OXC:SWITch:PORT:ENABle", Role::operate, switch_ports<false>},
    Command{"OXC:SWITch:PORT:STATe?", Role::read, oxc_port_states},
};

}  // namespace

std::span<const Command> oxc_commands() { return oxc_table; }

}  // namespace ocs::serve::scpi
