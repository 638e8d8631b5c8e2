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
void connect(Scene& scene) {
  scene.need(2);
  const int n = scene.office().ports();
  throw_if(scene.office().change(
               {.remove = {}, .add = circuits_of(scene.parameters[0], scene.parameters[1], n), .mode = mode}),
           n);
}

void remove(Scene& scene) {
  scene.need(2);
  const int n = scene.office().ports();
  throw_if(scene.office().change(
               {.remove = circuits_of(scene.parameters[0], scene.parameters[1], n), .add = {}, .mode = Mode::safe}),
           n);
}

/// Removes and adds in one commit; refused if what is to be removed isn't there any more.
void replace(Scene& scene) {
  scene.need(4);
  const int n = scene.office().ports();
  throw_if(scene.office().change({.remove = circuits_of(scene.parameters[0], scene.parameters[1], n),
                                  .add = circuits_of(scene.parameters[2], scene.parameters[3], n),
                                  .mode = Mode::safe}),
           n);
}

std::string capitals(Light light) {
  std::string name(name_of(light));
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

void port_states(Scene& scene) {
  scene.need(0, 1);
  const int n = scene.office().ports();
  for (const Port& port :
       ports_of(scene.parameters.empty() ? "(@1:" + to_string(2 * n) + ")" : std::string(scene.parameters[0]), n))
    scene.reply += (scene.reply.empty() ? "(" : ",") + capitals(scene.office().light(port));
  scene.reply += scene.reply.empty() ? "()" : ")";
}

void circuit_states(Scene& scene) {
  scene.need(0);
  for (const Circuit& circuit : scene.office().circuits())
    scene.reply += (scene.reply.empty() ? "\"" : ",\"") + to_string(index(circuit.in) + 1) + "A-" +
                   to_string(index(circuit.out) + 1) + "B," + capitals(scene.office().light(circuit)) + "\"";
  if (scene.reply.empty()) scene.reply = "\"\"";
}

void counters(Scene& scene) {
  scene.need(1);
  const int n = scene.office().ports();
  const std::int64_t port = integer_of(scene.parameters[0], 1, n);
  const Counters count = scene.office().counters(static_cast<std::uint16_t>(port - 1));
  scene.reply = to_string(count.reconfigurations) + "," + to_string(count.dark.n) + "," + to_string(count.passed.n) +
                "," + to_string(count.lost.n) + "," + to_string(count.unrouted.n);
}

void time(Scene& scene) {
  scene.need(0);
  scene.reply = to_string(scene.office().now().n) + "," + to_string(scene.office().cycle().n);
}

template <bool dead>
void fail_port(Scene& scene) {
  scene.need(1);
  const int n = scene.office().ports();
  for (const int port : list_of(scene.parameters[0], n))
    throw_if(scene.office().set_dead(static_cast<std::uint16_t>(port - 1), dead), n);
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
