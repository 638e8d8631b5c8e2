// Parameters of SCPI commands as ports and circuits; complaints as SCPI errors.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/scpi/command_context.hpp"

#include "host/control_plane/scpi/message.hpp"

namespace ocs::serve::scpi {
namespace {

std::string text(std::int64_t number) { return std::to_string(number); }

std::string text(const CrossConnect& circuit, int ports) {
  return "input " + text(index(circuit.in) + 1) + " to output " + text(ports + index(circuit.out) + 1);
}

}  // namespace

void CommandContext::need(std::size_t least, std::size_t most) const {
  const std::string count = text(static_cast<std::int64_t>(parameters.size()));
  if (parameters.size() < least) throw ScpiError(-109, count + " given");
  if (parameters.size() > most) throw ScpiError(-108, count + " given");
}

Port port_of(int number, int ports) {
  const bool output = number > ports;
  return {.output = output, .number = static_cast<std::uint16_t>(number - 1 - (output ? ports : 0))};
}

int number_of(Port port, int ports) { return port.number + 1 + (port.output ? ports : 0); }

std::vector<Port> ports_of(std::string_view list, int ports) {
  std::vector<Port> all;
  for (const int number : list_of(list, 2 * ports)) all.push_back(port_of(number, ports));
  return all;
}

std::vector<CrossConnect> circuits_of(std::string_view inputs, std::string_view outputs, int ports) {
  const std::vector<int> from = list_of(inputs, 2 * ports), to = list_of(outputs, 2 * ports);
  for (const int number : from)
    if (number > ports) throw ScpiError(-222, "port " + text(number) + " is no input; inputs are 1 to " + text(ports));
  for (const int number : to)
    if (number <= ports)
      throw ScpiError(-222, "port " + text(number) + " is no output; outputs are " + text(ports + 1) + " to " +
                                text(std::int64_t{2} * ports));
  if (from.size() != to.size())
    throw ScpiError(-226, text(static_cast<std::int64_t>(from.size())) + (from.size() == 1 ? " input" : " inputs") +
                              " and " + text(static_cast<std::int64_t>(to.size())) +
                              (to.size() == 1 ? " output" : " outputs"));
  std::vector<CrossConnect> circuits;
  circuits.reserve(from.size());
  for (std::size_t k = 0; k < from.size(); ++k)
    circuits.push_back({Input{port_of(from[k], ports).number}, Output{port_of(to[k], ports).number}});
  return circuits;
}

void throw_if(const std::optional<Complaint>& complaint, int ports) {
  if (!complaint) return;
  const std::string asked = complaint->asked ? text(*complaint->asked, ports) : "";
  const std::string blocking = complaint->blocked_by ? text(*complaint->blocked_by, ports) : "";
  switch (complaint->fault) {
    case Fault::no_such_port:
      throw ScpiError(-222, "there is no port " + text(number_of(*complaint->port, ports)));
    case Fault::named_twice:
      throw ScpiError(-221, asked + " and " + blocking + " share a port");
    case Fault::busy:
      throw ScpiError(-221, asked + " is blocked by " + blocking);
    case Fault::no_such_circuit:
      throw ScpiError(-221, "no circuit from " + asked + (blocking.empty() ? "" : ", but from " + blocking));
    case Fault::switch_refused:
      break;
  }
  throw ScpiError(-200, complaint->why);
}

std::string list_text(std::span<const int> numbers) {
  std::string list = "(@";
  for (std::size_t k = 0; k < numbers.size(); ++k) list += (k == 0 ? "" : ",") + text(numbers[k]);
  return list + ")";
}

}  // namespace ocs::serve::scpi
