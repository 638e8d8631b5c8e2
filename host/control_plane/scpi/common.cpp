// Commands that every SCPI instrument has: IEEE 488.2, SYSTem, STATus.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "host/control_plane/scpi/message.hpp"
#include "host/control_plane/scpi/vocabulary.hpp"

namespace ocs::serve::scpi {
namespace {

using std::to_string;

template <std::uint8_t Status::*mask>
void set_mask(CommandContext& context) {
  context.need(1);
  context.status.*mask = static_cast<std::uint8_t>(integer_of(context.parameters[0], 0, 255));
}

template <std::uint8_t Status::*mask>
void reply_mask(CommandContext& context) {
  context.need(0);
  context.reply = to_string(context.status.*mask);
}

template <StatusRegister Status::*which, std::uint16_t StatusRegister::*part>
void reply_register(CommandContext& context) {
  context.need(0);
  context.reply = to_string(context.status.*which.*part);
}

template <StatusRegister Status::*which>
void take(CommandContext& context) {
  reply_register<which, &StatusRegister::event>(context);
  (context.status.*which).event = 0;
}

template <StatusRegister Status::*which>
void enable(CommandContext& context) {
  context.need(1);
  (context.status.*which).enable = static_cast<std::uint16_t>(integer_of(context.parameters[0], 0, 65535) & 0x7FFF);
}

void identify(CommandContext& context) {
  context.need(0);
  const std::string n = to_string(context.service().ports());
  context.reply = "lightloop,OCS-" + context.server_context.identity.device + "-" + n + "x" + n + "-V,0," +
                  context.server_context.identity.version;
}

void reset(CommandContext& context) {
  context.need(0);
  const int n = context.service().ports();
  throw_if(context.service().clear(), n);
  std::vector<Port> all;
  for (int number = 1; number <= 2 * n; ++number) all.push_back(port_of(number, n));
  throw_if(context.service().switch_off(all, false), n);
}

void clear_status(CommandContext& context) {
  context.need(0);
  context.status.clear();
}

void event_status(CommandContext& context) {
  context.need(0);
  context.reply = to_string(context.status.take_events());
}

void status_byte(CommandContext& context) {
  context.need(0);
  context.reply = to_string(context.status.status_byte());
}

void complete(CommandContext& context) {
  context.need(0);
  context.complete_when_settled = true;
}

void is_complete(CommandContext& context) {
  context.need(0);
  context.until_settled = true;
  context.reply = "1";
}

void wait(CommandContext& context) {
  context.need(0);
  context.until_settled = true;
}

void self_test(CommandContext& context) {
  context.need(0);
  context.reply = context.service().self_test() ? "0" : "1";
}

void next_error(CommandContext& context) {
  context.need(0);
  context.reply = context.status.next_error();
}

void all_errors(CommandContext& context) {
  context.need(0);
  context.reply = context.status.next_error();
  while (context.status.errors() > 0) context.reply += "," + context.status.next_error();
}

void count_errors(CommandContext& context) {
  context.need(0);
  context.reply = to_string(context.status.errors());
}

void scpi_version(CommandContext& context) {
  context.need(0);
  context.reply = "1999.0";
}

void log_in(CommandContext& context) {
  context.need(2);
  std::string user = string_of(context.parameters[0]), password = string_of(context.parameters[1]);
  context.login = context.server_context.authenticator.judge(context.peer, std::move(user), std::move(password));
}

void preset(CommandContext& context) {
  context.need(0);
  context.status.operation.enable = context.status.questionable.enable = 0;
}

constexpr std::array common_table{
    Command{"*IDN?", Role::nobody, identify},
    Command{"*RST", Role::operate, reset},
    Command{"*CLS", Role::nobody, clear_status},
    Command{"*ESE", Role::nobody, set_mask<&Status::event_enable>},
    Command{"*ESE?", Role::nobody, reply_mask<&Status::event_enable>},
    Command{"*ESR?", Role::nobody, event_status},
    Command{"*SRE", Role::nobody, set_mask<&Status::service_enable>},
    Command{"*SRE?", Role::nobody, reply_mask<&Status::service_enable>},
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
    Command{"STATus:OPERation:CONDition?", Role::nobody,
            reply_register<&Status::operation, &StatusRegister::condition>},
    Command{"STATus:OPERation:ENABle", Role::nobody, enable<&Status::operation>},
    Command{"STATus:OPERation:ENABle?", Role::nobody, reply_register<&Status::operation, &StatusRegister::enable>},
    Command{"STATus:QUEStionable[:EVENt]?", Role::nobody, take<&Status::questionable>},
    Command{"STATus:QUEStionable:CONDition?", Role::nobody,
            reply_register<&Status::questionable, &StatusRegister::condition>},
    Command{"STATus:QUEStionable:ENABle", Role::nobody, enable<&Status::questionable>},
    Command{"STATus:QUEStionable:ENABle?", Role::nobody,
            reply_register<&Status::questionable, &StatusRegister::enable>},
};

}  // namespace

std::span<const Command> common_commands() { return common_table; }

}  // namespace ocs::serve::scpi
