// The switch as JSON, for the status page and for scripts.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/control_plane/http/pages.hpp"

namespace ocs::serve::http {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t event_tail = 50;

std::string sentence(const OfficeEvent& event) {
  const std::string port = name_of(event.port);
  const std::string circuit = event.in ? name_of({.output = false, .number = index(*event.in)}) + "-" + port : port;
  switch (event.kind) {
    case OfficeEventKind::light:
      return circuit + " " + std::string(serve::name_of(event.light));
    case OfficeEventKind::connected:
      return circuit + " wanted";
    case OfficeEventKind::disconnected:
      return circuit + " removed";
    case OfficeEventKind::switched_off:
      return port + " switched off";
    case OfficeEventKind::switched_on:
      break;
  }
  return port + " switched on";
}

Json ports(const SwitchOffice& office, bool output) {
  Json all = Json::array();
  for (std::uint16_t k = 0; k < static_cast<std::uint16_t>(office.ports()); ++k) {
    const Port port{.output = output, .number = k};
    all.push_back({{"id", name_of(port)}, {"state", serve::name_of(office.light(port))}, {"off", office.is_off(port)}});
  }
  return all;
}

}  // namespace

std::string status(const Station& station) {
  const SwitchOffice& office = station.office;
  Json circuits = Json::array(), clients = Json::object(), tail = Json::array();
  for (const Circuit& circuit : office.circuits()) {
    const std::string a = name_of({.output = false, .number = index(circuit.in)});
    const std::string b = name_of({.output = true, .number = index(circuit.out)});
    circuits.push_back({{"id", std::string(a).append("-").append(b)},
                        {"a_side", a},
                        {"b_side", b},
                        {"state", serve::name_of(office.light(circuit))}});
  }
  for (std::size_t k = 0; k < dialect_names.size(); ++k) {
    const Tally& tally = station.tallies[k];
    clients[std::string(dialect_names[k])] = {{"open", tally.open},
                                              {"connections", tally.connections},
                                              {"refused", tally.turned_away},
                                              {"commands", tally.commands},
                                              {"errors", tally.errors}};
  }
  const std::uint64_t last = office.last_event();
  office.events_since(last - std::min<std::uint64_t>(last, event_tail), [&](const OfficeEvent& event) {
    tail.push_back({{"number", event.number}, {"cycle", event.at.n}, {"what", sentence(event)}});
  });
  return Json{{"device", station.identity.device},
              {"version", station.identity.version},
              {"preset", station.identity.preset},
              {"speed", station.identity.speed},
              {"ports", office.ports()},
              {"cycle_ps", office.cycle().n},
              {"now", office.now().n},
              {"lag_seconds", station.lag_seconds()},
              {"commits", office.commits()},
              {"settled", office.settled()},
              {"inputs", ports(office, false)},
              {"outputs", ports(office, true)},
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
