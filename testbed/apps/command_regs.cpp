// lightloop regs: a shell on a device's register window.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>

#include "host/device/catalogue.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/run/wave_arguments.hpp"
#include "testbed/apps/serve/device_arguments.hpp"
#include "testbed/console/shell.hpp"
#include "testbed/console/terminal.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct RegsArguments {
  DeviceArguments device;
  WaveArguments waves;
  std::string script;
  std::vector<std::string> commands;
};

std::filesystem::path history_file() {
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? std::filesystem::path{}
                                          : std::filesystem::path(home) / ".lightloop_history";
}

void run_shell(const RegsArguments& arguments, const Environment& environment, rtl::Waveform* waveform) {
  const auto device = arguments.device.make_device(environment, waveform);
  if (waveform != nullptr) waveform->count_from(Picos{0});  // the shell shows the device's own time
  const bool talks = arguments.script.empty() && arguments.commands.empty() && isatty(STDIN_FILENO) != 0;
  std::optional<Interruption> interruption;
  if (!talks) interruption.emplace();  // at a terminal, Ctrl-C ends the program at once
  console::Shell shell({.device = *device,
                        .out = std::cout,
                        .fresh_device =
                            [&](int ports, int fifo_depth) {
                              DeviceConfig config;
                              config.ports = ports;
                              config.fifo_depth = fifo_depth;
                              config.time_warp = !arguments.device.every_cycle;
                              return make_device(arguments.device.device, config);
                            },
                        .pause =
                            [&] {
                              if (interruption) interruption->check();
                            }});
  for (const std::string& command : arguments.commands)
    if (!shell.execute(command)) return;
  if (!arguments.script.empty()) {
    shell.execute_file(arguments.script);
  } else if (talks) {
    std::cout << std::unitbuf;
    converse(shell, {.in = stdin, .out = stdout, .error = stderr, .history = history_file()});
  } else if (arguments.commands.empty()) {
    shell.execute_all(std::cin, "standard input");
  }
}

}  // namespace

void add_regs(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "regs",
      "A shell on the register window of a switch, by register name: read, write, advance, wait, events, dump,\n"
      "diff, run (register programs). At a terminal with history and completion; a script, or standard input,\n"
      "ends at the first error with its line (docs/regs.md).");
  const auto arguments = std::make_shared<RegsArguments>();
  arguments->device.add_to(*command);
  command->add_option("SCRIPT", arguments->script, "a file of commands; - or nothing: standard input");
  command->add_option("-c,--command", arguments->commands, "one command; may be repeated")
      ->type_name("LINE")
      ->allow_extra_args(false);
  arguments->waves.add_to(*command);
  command->footer("`help` in the shell lists its commands, `help NAME` explains a register.");
  command->callback([arguments, &action] {
    if (arguments->script == "-") arguments->script.clear();
    action = [arguments](const Environment& given) {
      with_waveform(arguments->waves, [&](rtl::Waveform* waveform) { run_shell(*arguments, given, waveform); });
    };
  });
}

}  // namespace ocs
