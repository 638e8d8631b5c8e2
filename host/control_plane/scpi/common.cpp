// Commands that every SCPI instrument has: IEEE 488.2, SYSTem, STATus.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "host/control_plane/scpi/message.hpp"
#include "host/control_plane/scpi/vocabulary.hpp"

namespace ocs::serve::scpi {
namespace {

using std::to_string;

template <std::uint8_t Status::*mask>
void set_mask(Scene& scene) {
  scene.need(1);
  scene.status.*mask = static_cast<std::uint8_t>(integer_of(scene.parameters[0], 0, 255));
}

template <std::uint8_t Status::*mask>
void tell_mask(Scene& scene) {
  scene.need(0);
  scene.reply = to_string(scene.status.*mask);
}

template <StatusRegister Status::*which, std::uint16_t StatusRegister::*part>
void tell(Scene& scene) {
  scene.need(0);
  scene.reply = to_string(scene.status.*which.*part);
}

template <StatusRegister Status::*which>
void take(Scene& scene) {
  tell<which, &StatusRegister::event>(scene);
  (scene.status.*which).event = 0;
}

template <StatusRegister Status::*which>
void enable(Scene& scene) {
  scene.need(1);
  (scene.status.*which).enable = static_cast<std::uint16_t>(integer_of(scene.parameters[0], 0, 65535) & 0x7FFF);
}

void identify(Scene& scene) {
  scene.need(0);
  const std::string n = to_string(scene.office().ports());
  scene.reply =
      "lightloop,OCS-" + scene.station.identity.device + "-" + n + "x" + n + "-V,0," + scene.station.identity.version;
}

void reset(Scene& scene) {
  scene.need(0);
  const int n = scene.office().ports();
  throw_if(scene.office().clear(), n);
  std::vector<Port> all;
  for (int number = 1; number <= 2 * n; ++number) all.push_back(port_of(number, n));
  throw_if(scene.office().switch_off(all, false), n);
}

void clear_status(Scene& scene) {
  scene.need(0);
  scene.status.clear();
}

void event_status(Scene& scene) {
  scene.need(0);
  scene.reply = to_string(scene.status.take_events());
}

void status_byte(Scene& scene) {
  scene.need(0);
  scene.reply = to_string(scene.status.status_byte());
}

void complete(Scene& scene) {
  scene.need(0);
  scene.complete_when_settled = true;
}

void is_complete(Scene& scene) {
  scene.need(0);
  scene.until_settled = true;
  scene.reply = "1";
}

void wait(Scene& scene) {
  scene.need(0);
  scene.until_settled = true;
}

void self_test(Scene& scene) {
  scene.need(0);
  scene.reply = scene.office().self_test() ? "0" : "1";
}

void next_error(Scene& scene) {
  scene.need(0);
  scene.reply = scene.status.next_error();
}

void all_errors(Scene& scene) {
  scene.need(0);
  scene.reply = scene.status.next_error();
  while (scene.status.errors() > 0) scene.reply += "," + scene.status.next_error();
}

void count_errors(Scene& scene) {
  scene.need(0);
  scene.reply = to_string(scene.status.errors());
}

void scpi_version(Scene& scene) {
  scene.need(0);
  scene.reply = "1999.0";
}

void log_in(Scene& scene) {
  scene.need(2);
  std::string user = string_of(scene.parameters[0]), password = string_of(scene.parameters[1]);
  scene.login = scene.station.desk.judge(scene.peer, std::move(user), std::move(password));
}

void preset(Scene& scene) {
  scene.need(0);
  scene.status.operation.enable = scene.status.questionable.enable = 0;
}

constexpr std::array common_table{
    Command{"*IDN?", Role::nobody, identify},
    Command{"*RST", Role::operate, reset},
    Command{"*CLS", Role::nobody, clear_status},
    Command{"*ESE", Role::nobody, set_mask<&Status::event_enable>},
    Command{"*ESE?", Role::nobody, tell_mask<&Status::event_enable>},
    Command{"*ESR?", Role::nobody, event_status},
    Command{"*SRE", Role::nobody, set_mask<&Status::service_enable>},
    Command{"*SRE?", Role::nobody, tell_mask<&Status::service_enable>},
    Command{"*STB?", Role::nobody, status_byte},
    Command{"*OPC", Role::nobody, complete},
    Command{"*OPC?", Role::nobody, is_complete},
    Command{"*WAI", Role::nobody, wait},
    Command{"*TST?", Role::read, self_test},
    Command{"SYSTem:ERRor[:NEXT]?", Role::nobody, next_error},
    Command{"SYSTem:ERRor:ALL?", Role::nobody, all_errors},
    Command{"SYSTem:ERRor:COUNt?", Role::nobody, count_errors},
    Command{"SYSTem:VERSion?", Role::nobody, scpi_version},
    Command{"SYSTem:LOGin", Role::nobody, log_in},
    Command{"STATus:PRESet", Role::nobody, preset},
    Command{"STATus:OPERation[:EVENt]?", Role::nobody, take<&Status::operation>},
    Command{"STATus:OPERation:CONDition?", Role::nobody, tell<&Status::operation, &StatusRegister::condition>},
    Command{"STATus:OPERation:ENABle", Role::nobody, enable<&Status::operation>},
    Command{"STATus:OPERation:ENABle?", Role::nobody, tell<&Status::operation, &StatusRegister::enable>},
    Command{"STATus:QUEStionable[:EVENt]?", Role::nobody, take<&Status::questionable>},
    Command{"STATus:QUEStionable:CONDition?", Role::nobody, tell<&Status::questionable, &StatusRegister::condition>},
    Command{"STATus:QUEStionable:ENABle", Role::nobody, enable<&Status::questionable>},
    Command{"STATus:QUEStionable:ENABle?", Role::nobody, tell<&Status::questionable, &StatusRegister::enable>},
};

}  // namespace

std::span<const Command> common_commands() { return common_table; }

}  // namespace ocs::serve::scpi
