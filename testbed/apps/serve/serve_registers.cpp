// Serves until interrupted.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/serve/serve_registers.hpp"

#include <iostream>

#include "host/device/board/window_server.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

constexpr std::int64_t million = 1'000'000;

}  // namespace

void RegistersArguments::add_to(CLI::App& command) {
  command
      .add_option("--registers", file,
                  "instead of TCP: a file through which device \"mapped:FILE\" drives the switch's registers and\n"
                  "sets its delays (docs/board.md)")
      ->type_name("FILE");
  command.add_option("--slower", slower, "with --registers: wall time over virtual time, a divisor of a million")
      ->check(CLI::Range(std::int64_t{1}, million))
      ->capture_default_str();
  command.add_flag("--virtual-time", virtual_time,
                   "with --registers: only the driver advances the time, as on the device itself");
}

void RegistersArguments::check() const {
  if (file.empty() && (slower > 1 || virtual_time))
    throw Error(ErrorKind::input, "--slower and --virtual-time are for --registers");
  if (million % slower != 0)
    throw Error(ErrorKind::input, "--slower is " + std::to_string(slower) + ", but must divide 1,000,000");
}

void serve_registers(Device& device, const RegistersArguments& arguments, std::int64_t speed) {
  const Interruption interruption;
  const std::int64_t speed_ppm = arguments.virtual_time ? 0 : speed * (million / arguments.slower);
  WindowServer server(device, arguments.file, speed_ppm);
  std::cout << "registers in \"" << arguments.file << "\", "
            << (speed_ppm == 0 ? std::string("virtual time") : std::to_string(speed_ppm) + " ppm of real time")
            << "; device = \"mapped:" << arguments.file << "\" drives them\n"
            << std::flush;
  server.serve([&] { return interruption.noted() != 0; });
  std::cout << server.accesses() << " accesses, " << server.interrupts() << " interrupts, " << server.now().n
            << " cycles";
  if (speed_ppm != 0) std::cout << ", at most " << human_time(server.behind()) << " behind its pace";
  std::cout << '\n';
}

}  // namespace ocs
