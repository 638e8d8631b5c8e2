// Commands as public clients of Polatis switches send them.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "host/control_plane/scpi/message.hpp"
#include "host/control_plane/scpi/vocabulary.hpp"

namespace ocs::serve::scpi {
namespace {

using std::to_string;

void size(CommandContext& context) {
  context.need(0);
  const std::string n = to_string(context.service().ports());
  context.reply = n + "," + n;
}

std::vector<CrossConnect> two_lists(const CommandContext& context) {
  context.need(2);
  return circuits_of(context.parameters[0], context.parameters[1], context.service().ports());
}

void add(CommandContext& context) {
  throw_if(context.service().change({.remove = {}, .add = two_lists(context), .mode = Mode::safe}),
           context.service().ports());
}

void only(CommandContext& context) {
  throw_if(context.service().change({.remove = {}, .add = two_lists(context), .mode = Mode::overwrite}),
           context.service().ports());
}

/// If the list of one side is empty, these are the circuits that the ports of the other side have.
std::vector<CrossConnect> named_by_one_end(const CommandContext& context) {
  const int n = context.service().ports();
  std::vector<CrossConnect> found;
  for (const std::string_view list : context.parameters)
    for (const Port& port : ports_of(list, n)) {
      const auto other_in = port.output ? context.service().wanted(Output{port.number}) : Input{port.number};
      const auto other_out = port.output ? Output{port.number} : context.service().wanted(Input{port.number});
      if (!other_in || !other_out) throw ScpiError(-221, "port " + to_string(number_of(port, n)) + " has no circuit");
      found.push_back({*other_in, *other_out});
    }
  return found;
}

void sub(CommandContext& context) {
  context.need(2);
  const int both = 2 * context.service().ports();
  const bool one_end = list_of(context.parameters[0], both).empty() != list_of(context.parameters[1], both).empty();
  const std::vector<CrossConnect> gone = one_end ? named_by_one_end(context) : two_lists(context);
  throw_if(context.service().change({.remove = gone, .add = {}, .mode = Mode::safe}), context.service().ports());
}

void tell_circuits(CommandContext& context) {
  context.need(0);
  std::vector<int> from, to;
  for (const CrossConnect& circuit : context.service().circuits()) {
    from.push_back(index(circuit.in) + 1);
    to.push_back(context.service().ports() + index(circuit.out) + 1);
  }
  context.reply = list_text(from) + "," + list_text(to);
}

void partner(CommandContext& context) {
  context.need(1);
  const int n = context.service().ports();
  const Port port = port_of(static_cast<int>(integer_of(context.parameters[0], 1, std::int64_t{2} * n)), n);
  std::string number;
  if (port.output) {
    if (const auto in = context.service().wanted(Output{port.number}))
      number = to_string(number_of({.output = false, .number = index(*in)}, n));
  } else if (const auto out = context.service().wanted(Input{port.number})) {
    number = to_string(number_of({.output = true, .number = index(*out)}, n));
  }
  context.reply = "\"" + number + "\"";
}

void disconnect_all(CommandContext& context) {
  context.need(0);
  throw_if(context.service().clear(), context.service().ports());
}

template <bool off>
void switch_ports(CommandContext& context) {
  context.need(1);
  const int n = context.service().ports();
  throw_if(context.service().switch_off(ports_of(context.parameters[0], n), off), n);
}

void oxc_port_states(CommandContext& context) {
  context.need(0, 1);
  const int n = context.service().ports();
  context.reply = "(";
  for (const Port& port :
       ports_of(context.parameters.empty() ? "(@1:" + to_string(2 * n) + ")" : std::string(context.parameters[0]), n)) {
    if (context.reply.size() > 1) context.reply += ',';
    context.reply += context.service().is_off(port) ? 'D' : context.service().light(port) == Light::failed ? 'F' : 'E';
  }
  context.reply += ')';
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
