// Logins, the element, autonomous messages; what is alike in both vocabularies.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cctype>

#include "host/control_plane/tl1/command_context.hpp"

namespace ocs::serve::tl1 {
namespace {

void log_in(CommandContext& context) {
  const Command& command = context.command;
  if (command.aid.empty()) throw Denial("IIAC", "Empty parameters");
  if (command.payload.empty()) throw Denial("IPMS", "Too few parameters (0/1) in block 1");
  context.login =
      context.server_context.authenticator.judge(context.peer, command.aid, std::string(command.parameter()));
}

void log_out(CommandContext& context) { context.logged_out = true; }

void header_only(CommandContext&) {}

void set_name(CommandContext& context) {
  const std::string name(context.command.parameter());
  if (name.empty()) throw Denial("IPMS", "Too few parameters (0/1) in block 1");
  for (const char letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-' && letter != '_' && letter != '.')
      throw Denial("IDNV", "Invalid value " + name);
  if (name.size() > 20) throw Denial("IDNV", "Invalid value " + name);
  context.element.name = name;
}

void inhibit(CommandContext& context) { context.news = false; }
void allow(CommandContext& context) { context.news = true; }

constexpr std::array common_verb_table{
    Verb{"ACT-USER", Role::nobody, log_in},      Verb{"CANC-USER", Role::nobody, log_out},
    Verb{"RTRV-HDR", Role::nobody, header_only}, Verb{"SET-SID", Role::operate, set_name},
    Verb{"INH-MSG", Role::read, inhibit},        Verb{"ALW-MSG", Role::read, allow},
    Verb{"OPR-ARC-EQPT", Role::read, inhibit},   Verb{"RLS-ARC-EQPT", Role::read, allow},
};

}  // namespace

std::span<const Verb> common_verbs() { return common_verb_table; }

Port port_of(int number, int ports) {
  const bool output = number > ports;
  return {.output = output, .number = static_cast<std::uint16_t>(number - 1 - (output ? ports : 0))};
}

int number_of(Port port, int ports) { return port.number + 1 + (port.output ? ports : 0); }

void throw_if(const std::optional<Complaint>& complaint, std::string (*name_of)(Port, int), int ports) {
  if (!complaint) return;
  const auto text = [&](const std::optional<CrossConnect>& circuit) {
    if (!circuit) return std::string();
    return name_of({.output = false, .number = index(circuit->in)}, ports) + "," +
           name_of({.output = true, .number = index(circuit->out)}, ports);
  };
  const std::string asked = text(complaint->asked), blocking = text(complaint->blocked_by);
  switch (complaint->fault) {
    case Fault::no_such_port:
      throw Denial("IDNV", "Invalid OXC port: " + name_of(*complaint->port, ports));
    case Fault::named_twice:
      throw Denial("IDNV", asked + " and " + blocking + " share a port");
    case Fault::busy:
      throw Denial("SNVS", asked + " is blocked by " + blocking);
    case Fault::no_such_circuit:
      throw Denial("IDNV", "No circuit " + asked + (blocking.empty() ? "" : " but " + blocking));
    case Fault::switch_refused:
      break;
  }
  throw Denial("SROF", complaint->why);
}

}  // namespace ocs::serve::tl1
