// The switch as JSON, for the status page and for scripts.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/control_plane/http/pages.hpp"

namespace ocs::serve::http {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t event_tail = 50;

std::string sentence(const ServiceEvent& event) {
  const std::string port = name_of(event.port);
  const std::string circuit = event.in ? name_of({.output = false, .number = index(*event.in)}) + "-" + port : port;
  switch (event.kind) {
    case ServiceEventKind::light:
      return circuit + " " + std::string(serve::name_of(event.light));
    case ServiceEventKind::connected:
      return circuit + " wanted";
    case ServiceEventKind::disconnected:
      return circuit + " removed";
    case ServiceEventKind::switched_off:
      return port + " switched off";
    case ServiceEventKind::switched_on:
      break;
  }
  return port + " switched on";
}

Json ports(const SwitchService& service, bool output) {
  Json all = Json::array();
  for (std::uint16_t k = 0; k < static_cast<std::uint16_t>(service.ports()); ++k) {
    const Port port{.output = output, .number = k};
    all.push_back(
        {{"id", name_of(port)}, {"state", serve::name_of(service.light(port))}, {"off", service.is_off(port)}});
  }
  return all;
}

}  // namespace

std::string status(const ServerContext& server_context) {
  const SwitchService& service = server_context.service;
  Json circuits = Json::array(), clients = Json::object(), tail = Json::array();
  for (const CrossConnect& circuit : service.circuits()) {
    const std::string a = name_of({.output = false, .number = index(circuit.in)});
    const std::string b = name_of({.output = true, .number = index(circuit.out)});
    circuits.push_back({{"id", std::string(a).append("-").append(b)},
                        {"a_side", a},
                        {"b_side", b},
                        {"state", serve::name_of(service.light(circuit))}});
  }
  for (std::size_t k = 0; k < dialect_names.size(); ++k) {
    const Tally& tally = server_context.tallies[k];
    clients[std::string(dialect_names[k])] = {{"open", tally.open},
                                              {"connections", tally.connections},
                                              {"refused", tally.turned_away},
                                              {"commands", tally.commands},
                                              {"errors", tally.errors}};
  }
  const std::uint64_t last = service.last_event();
  service.events_since(last - std::min<std::uint64_t>(last, event_tail), [&](const ServiceEvent& event) {
    tail.push_back({{"number", event.number}, {"cycle", event.at.n}, {"what", sentence(event)}});
  });
  return Json{{"device", server_context.identity.device},
              {"version", server_context.identity.version},
              {"preset", server_context.identity.preset},
              {"speed", server_context.identity.speed},
              {"ports", service.ports()},
              {"cycle_ps", service.cycle().n},
              {"now", service.now().n},
              {"lag_seconds", server_context.lag_seconds()},
              {"commits", service.commits()},
              {"settled", service.settled()},
              {"inputs", ports(service, false)},
              {"outputs", ports(service, true)},
              {"circuits", circuits},
              {"clients", clients},
              {"events", tail}}
      .dump();
}

std::string counters_text(std::span<const Counters> counters) {
  Json all = Json::array();
  for (const Counters& port : counters)
    all.push_back({{"reconfigurations", port.reconfigurations},
                   {"dark", port.dark.n},
                   {"passed", port.passed.n},
                   {"lost", port.lost.n},
                   {"unrouted", port.unrouted.n}});
  return Json{{"ports", all}}.dump();
}

}  // namespace ocs::serve::http
