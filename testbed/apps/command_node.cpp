// lightloop node: one node of a job as a process of its own, on this host or another one.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/nodes/node_process.hpp"

namespace ocs {
namespace {

struct NodeArguments {
  NodeProcessSettings settings;
  std::uint16_t id = 0;
  std::string timeout = "30 s";
  bool quiet = false;
};

/// 1 ms to a day, like nodes.timeout.
std::chrono::milliseconds patience(const std::string& text) {
  constexpr std::int64_t ps_per_ms = 1'000'000'000, day_ms = 86'400'000;
  try {
    const std::int64_t ms = parse_quantity(text, Dimension::time) / ps_per_ms;
    if (ms >= 1 && ms <= day_ms) return std::chrono::milliseconds(ms);
  } catch (const Error& refusal) {
    throw Error(ErrorKind::input, "--timeout is \"" + text + "\", but " + refusal.what());
  }
  throw Error(ErrorKind::input, "--timeout is \"" + text + "\", but must be from 1 ms to 86400 s");
}

void run_node(NodeArguments arguments) {
  arguments.settings.id = Node{arguments.id};
  arguments.settings.timeout = patience(arguments.timeout);
  if (!arguments.quiet)
    arguments.settings.report = [&](const std::string& text) {
      std::cerr << "lightloop: node " + std::to_string(arguments.id) + ": " + text + "\n";
    };
  try {
    run_node_process(arguments.settings);
  } catch (const Error& failure) {
    if (!arguments.quiet || failure.kind() == ErrorKind::input) throw;
    throw SilentEnd{failure.exit_code()};
  }
}

}  // namespace

void add_node(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "node",
      "Runs one node of a job: joins the coordinator of a `lightloop run` whose experiment sets\n"
      "nodes.transport = \"tcp\" (or \"ipc\"), nodes.listen = ENDPOINT and nodes.expect, takes part in its rows, and\n"
      "ends when the run ends. The coordinator starts the nodes on its own host itself.");
  const auto arguments = std::make_shared<NodeArguments>();
  command
      ->add_option("--connect", arguments->settings.connect,
                   "address of the coordinator: tcp://ADDRESS:PORT or ipc://PATH")
      ->type_name("ENDPOINT")
      ->required();
  command->add_option("--id", arguments->id, "number of the node; the run prints the numbers that it waits for")
      ->type_name("N")
      ->check(CLI::Range(0, 255))
      ->required();
  command->add_option("--timeout", arguments->timeout, "longest wait for the coordinator (default: 30 s)")
      ->type_name("TIME");
  command->add_flag("--quiet", arguments->quiet, "prints nothing; the coordinator still reports failures");
  command->add_option("--memory", arguments->settings.memory, "given by a coordinator: the memory it shares")
      ->type_name("DESCRIPTOR")
      ->group("")  // hidden: only a coordinator gives it
      ->check(CLI::Range(3, 1'000'000));
  command->callback([arguments, &action] { action = [arguments](const Environment&) { run_node(*arguments); }; });
}

}  // namespace ocs
