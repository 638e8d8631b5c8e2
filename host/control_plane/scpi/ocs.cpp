// Commands of lightloop's own: modes and states as in SONiC-OCS, counters, time, injected faults.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cctype>

#include "host/control_plane/scpi/message.hpp"
#include "host/control_plane/scpi/vocabulary.hpp"

namespace ocs::serve::scpi {
namespace {

using std::to_string;

template <Mode mode>
void connect(CommandContext& context) {
  context.need(2);
  const int n = context.service().ports();
  throw_if(context.service().change(
               {.remove = {}, .add = circuits_of(context.parameters[0], context.parameters[1], n), .mode = mode}),
           n);
}

void remove(CommandContext& context) {
  context.need(2);
  const int n = context.service().ports();
  throw_if(context.service().change(
               {.remove = circuits_of(context.parameters[0], context.parameters[1], n), .add = {}, .mode = Mode::safe}),
           n);
}

/// Removes and adds in one commit; refused if what is to be removed isn't there any more.
void replace(CommandContext& context) {
  context.need(4);
  const int n = context.service().ports();
  throw_if(context.service().change({.remove = circuits_of(context.parameters[0], context.parameters[1], n),
                                     .add = circuits_of(context.parameters[2], context.parameters[3], n),
                                     .mode = Mode::safe}),
           n);
}

std::string capitals(Light light) {
  std::string name(name_of(light));
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

void port_states(CommandContext& context) {
  context.need(0, 1);
  const int n = context.service().ports();
  for (const Port& port :
       ports_of(context.parameters.empty() ? "(@1:" + to_string(2 * n) + ")" : std::string(context.parameters[0]), n))
    context.reply += (context.reply.empty() ? "(" : ",") + capitals(context.service().light(port));
  context.reply += context.reply.empty() ? "()" : ")";
}

void circuit_states(CommandContext& context) {
  context.need(0);
  for (const CrossConnect& circuit : context.service().circuits())
    context.reply += (context.reply.empty() ? "\"" : ",\"") + to_string(index(circuit.in) + 1) + "A-" +
                     to_string(index(circuit.out) + 1) + "B," + capitals(context.service().light(circuit)) + "\"";
  if (context.reply.empty()) context.reply = "\"\"";
}

void counters(CommandContext& context) {
  context.need(1);
  const int n = context.service().ports();
  const std::int64_t port = integer_of(context.parameters[0], 1, n);
  const Counters count = context.service().counters(static_cast<std::uint16_t>(port - 1));
  context.reply = to_string(count.reconfigurations) + "," + to_string(count.dark.n) + "," + to_string(count.passed.n) +
                  "," + to_string(count.lost.n) + "," + to_string(count.unrouted.n);
}

void time(CommandContext& context) {
  context.need(0);
  context.reply = to_string(context.service().now().n) + "," + to_string(context.service().cycle().n);
}

template <bool dead>
void fail_port(CommandContext& context) {
  context.need(1);
  const int n = context.service().ports();
  for (const int port : list_of(context.parameters[0], n))
    throw_if(context.service().set_dead(static_cast<std::uint16_t>(port - 1), dead), n);
}

constexpr std::array ocs_table{
    Command{"OCS:CONNect:SAFE", Role::operate, connect<Mode::safe>},
    Command{"OCS:CONNect:UPDate", Role::operate, connect<Mode::update>},
    Command{"OCS:CONNect:OVERwrite", Role::operate, connect<Mode::overwrite>},
    Command{"OCS:CONNect:REMove", Role::operate, remove},
    Command{"OCS:CONNect:REPLace", Role::operate, replace},
    Command{"OCS:CONNect:STATus?", Role::read, circuit_states},
    Command{"OCS:PORT:STATe?", Role::read, port_states},
    Command{"OCS:COUNters?", Role::read, counters},
    Command{"OCS:TIME?", Role::read, time},
    Command{"DIAGnostic:PORT:FAIL", Role::operate, fail_port<true>},
    Command{"DIAGnostic:PORT:REPair", Role::operate, fail_port<false>},
};

}  // namespace

std::span<const Command> ocs_commands() { return ocs_table; }

}  // namespace ocs::serve::scpi
