// The vocabulary that public clients of Calient switches use: cross-connections that are entered, then activated.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "host/control_plane/tl1/command_context.hpp"

namespace ocs::serve::tl1 {
namespace {

using Cross = Element::Cross;

constexpr int fan = 8;  // ports of a fibre, fibres of a segment

/// Port 0 is 1.1.1, port 8 is 1.2.1, port 64 is 2.1.1: the same name for the input and the output.
std::string dotted(Port port, int /*ports*/) {
  const int k = port.number;
  return std::to_string(k / fan / fan + 1) + "." + std::to_string(k / fan % fan + 1) + "." +
         std::to_string(k % fan + 1);
}

std::uint16_t port_number_of(const std::string& name, int ports) {
  const std::vector<std::string> parts = pieces_of(name, '.');
  std::array<int, 3> at{};
  bool good = parts.size() == at.size();
  for (std::size_t k = 0; good && k < at.size(); ++k) {
    const auto [end, wrong] = std::from_chars(parts[k].data(), parts[k].data() + parts[k].size(), at[k]);
    good = wrong == std::errc{} && end == parts[k].data() + parts[k].size() && at[k] >= 1 && at[k] <= fan;
  }
  const int number = good ? ((at[0] - 1) * fan + at[1] - 1) * fan + at[2] - 1 : ports;
  if (number >= ports) throw Denial("IDNV", "Invalid Connection: no port " + name);
  return static_cast<std::uint16_t>(number);
}

struct Ends {
  std::string name;
  std::vector<CrossConnect> circuits;
};

/// a>b one way, a-b both; a,b as `two_way` says.
Ends ends_of(const std::string& text, int ports, bool two_way) {
  const std::size_t cut = text.find_first_of(",>-");
  if (cut == std::string::npos) throw Denial("IIAC", "Invalid Connection: " + text);
  if (text[cut] != ',') two_way = text[cut] == '-';
  const std::string a = text.substr(0, cut), b = text.substr(cut + 1);
  const std::uint16_t from = port_number_of(a, ports), to = port_number_of(b, ports);
  Ends ends{.name = a + (two_way ? "-" : ">") + b, .circuits = {{Input{from}, Output{to}}}};
  if (two_way && from != to) ends.circuits.push_back({Input{to}, Output{from}});
  return ends;
}

bool active(const SwitchService& service, const Cross& cross) {
  return std::all_of(cross.circuits.begin(), cross.circuits.end(),
                     [&](const CrossConnect& circuit) { return service.wanted(circuit.in) == circuit.out; });
}

/// The one that a command means: by the name in its payload, else by its ends.
std::map<std::string, Cross>::iterator the_one(CommandContext& context) {
  auto& book = context.element.book;
  std::string name;
  if (const auto parameter = context.command.parameter(); !parameter.empty()) {
    const std::vector<std::string> words = pieces_of(parameter);
    name = words.size() >= 3 ? words[2] : words[0];
  }
  auto found = book.find(name);
  if (found == book.end() && name.empty() && !context.command.aid.empty()) {
    const Ends ends = ends_of(context.command.aid, context.service().ports(), false);
    found = std::find_if(book.begin(), book.end(),
                         [&](const auto& entry) { return entry.second.circuits.front() == ends.circuits.front(); });
  }
  if (found == book.end()) throw Denial("IDNV", "Invalid Connection: " + (name.empty() ? context.command.aid : name));
  return found;
}

/// ENT-CRS::1.1.1,1.1.2:c::GROUP,1WAY|2WAY[,name]
void enter_cross(CommandContext& context) {
  const std::vector<std::string> words = pieces_of(context.command.parameter());
  const bool two_way = words.size() >= 2 && words[1] == "2WAY";
  if (words.size() >= 2 && !two_way && words[1] != "1WAY") throw Denial("IPNV", "Parameter not valid: " + words[1]);
  Ends ends = ends_of(context.command.aid, context.service().ports(), two_way);
  const std::string name = words.size() >= 3 && !words[2].empty() ? words[2] : ends.name;
  const std::string group = words[0].empty() ? "SYSTEM" : words[0];
  if (const auto known = context.element.book.find(name);
      known != context.element.book.end() && known->second.circuits == ends.circuits && known->second.group == group)
    return;  // entered before
  for (const auto& [known, cross] : context.element.book)
    for (const CrossConnect& circuit : cross.circuits)
      for (const CrossConnect& wanted : ends.circuits)
        if (known == name || circuit == wanted)
          throw Denial("SNVS",
                       std::string("Invalid Connection: ").append(name).append(" is blocked by ").append(known));
  if (context.element.book.size() >= static_cast<std::size_t>(context.service().ports()) * 4)
    throw Denial("SSRE", "Too many connections are entered");
  context.element.book[name] = {.circuits = std::move(ends.circuits), .group = group};
}

void activate(CommandContext& context) {
  const auto& cross = the_one(context)->second;
  throw_if(context.service().change({.remove = {}, .add = cross.circuits, .mode = Mode::safe}), dotted,
           context.service().ports());
}

void drop(CommandContext& context, const Cross& cross) {
  std::vector<CrossConnect> there;
  for (const CrossConnect& circuit : cross.circuits)
    if (context.service().wanted(circuit.in) == circuit.out) there.push_back(circuit);
  throw_if(context.service().change({.remove = there, .add = {}, .mode = Mode::safe}), dotted,
           context.service().ports());
}

void cancel(CommandContext& context) {
  const auto& cross = the_one(context)->second;
  if (!active(context.service(), cross)) throw Denial("SNVS", "Invalid Connection: it isn't active");
  drop(context, cross);
}

void remove_cross(CommandContext& context) {
  const auto found = the_one(context);
  drop(context, found->second);
  context.element.book.erase(found);
}

void remove_all(CommandContext& context) {
  throw_if(context.service().clear(), dotted, context.service().ports());
  context.element.book.clear();
}

std::string line(const SwitchService& service, const std::string& name, const Cross& cross) {
  const CrossConnect& there = cross.circuits.front();
  const bool is_active = active(service, cross);
  bool failed = false, tuned = true;
  for (const CrossConnect& circuit : cross.circuits) {
    failed = failed || (is_active && service.light(circuit) == Light::failed);
    tuned = tuned && service.light(circuit) == Light::tuned;
  }
  return name + ":SRCPORT=" + dotted({.output = false, .number = index(there.in)}, 0) +
         ",DSTPORT=" + dotted({.output = true, .number = index(there.out)}, 0) + ",GRPNAME=" + cross.group +
         ",CONNNAME=" + name + ",CONNTYPE=" + (cross.circuits.size() > 1 ? "2WAY" : "1WAY") +
         ",AS=" + (is_active ? "IS" : "UMA") + ",OS=" +
         (is_active && tuned    ? "IS"
          : is_active && failed ? "OOS"
                                : "RDY") +
         ",OC=" + (failed ? "FAIL" : "OK") + ",PS=UPR,AL=" + (failed ? "MJ" : "CL");
}

void report_cross(CommandContext& context) {
  std::vector<CrossConnect> named;
  const std::string_view parameter = context.command.parameter();
  const bool all = context.command.aid.empty() && (parameter.empty() || parameter == "ALL");
  if (!all) {
    const auto found = the_one(context);
    context.lines.push_back(line(context.service(), found->first, found->second));
    return;
  }
  for (const auto& [name, cross] : context.element.book) {
    context.lines.push_back(line(context.service(), name, cross));
    if (active(context.service(), cross)) named.insert(named.end(), cross.circuits.begin(), cross.circuits.end());
  }
  // What other dialects have connected.
  for (const CrossConnect& circuit : context.service().circuits()) {
    if (std::find(named.begin(), named.end(), circuit) != named.end()) continue;
    const Cross cross{.circuits = {circuit}, .group = "SYSTEM"};
    const std::string name = dotted({.output = false, .number = index(circuit.in)}, 0) + ">" +
                             dotted({.output = true, .number = index(circuit.out)}, 0);
    context.lines.push_back(line(context.service(), name, cross));
  }
}

void tell_port(CommandContext& context) {
  const int n = context.service().ports();
  const std::uint16_t number = port_number_of(context.command.aid, n);
  std::vector<std::string> names;
  if (const auto out = context.service().wanted(Input{number}))
    names.push_back(dotted({.output = false, .number = number}, n) + ">" +
                    dotted({.output = true, .number = index(*out)}, n));
  if (const auto in = context.service().wanted(Output{number}))
    names.push_back(dotted({.output = false, .number = index(*in)}, n) + ">" +
                    dotted({.output = true, .number = number}, n));
  std::string text = "ALIAS=NONE,INPWR=NONE,OUTPWR=NONE";
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string at = std::to_string(k + 1);
    text.append(",CONNNAME").append(at).append("=").append(k < names.size() ? names[k] : "NONE");
    text.append(",CONNSTATE").append(at).append("=").append(k < names.size() ? "ACT" : "NONE");
  }
  context.lines.push_back(text);
}

void tell_element(CommandContext& context) {
  context.lines.push_back("SERIALNUMBER=0,SWPACKAGE=" + context.server_context.identity.version +
                          ",STATUS=OK,CHASSISTYPE=lightloop-" + context.server_context.identity.device);
}

constexpr std::array cross_verb_table{
    Verb{"ENT-CRS", Role::operate, enter_cross},    Verb{"ACT-CRS", Role::operate, activate},
    Verb{"CANC-CRS", Role::operate, cancel},        Verb{"DLT-CRS", Role::operate, remove_cross},
    Verb{"DLT-CRS-ALL", Role::operate, remove_all}, Verb{"RTRV-CRS", Role::read, report_cross},
    Verb{"RTRV-PORT-SUM", Role::read, tell_port},   Verb{"RTRV-NE", Role::read, tell_element},
};

}  // namespace

std::span<const Verb> cross_verbs() { return cross_verb_table; }

}  // namespace ocs::serve::tl1
