// lightloop node: one node of a job as a process of its own, on this host or another one.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "host/core/error.hpp"
#include "host/transport/local_address.hpp"
#include "host/transport/node_key.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/nodes/process/node_process.hpp"

namespace ocs {
namespace {

struct NodeArguments {
  NodeProcessSettings settings;
  int id = -1;
  std::string timeout = "30 s";
  std::string new_key;
  bool quiet = false, insecure = false;
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
  if (!arguments.new_key.empty()) return write_new_node_key(arguments.new_key);
  const std::string& endpoint = arguments.settings.connect;
  if (endpoint.empty())
    refuse("--connect is missing: it must be the address of the coordinator, tcp://ADDRESS:PORT or ipc://PATH");
  if (arguments.id < 0) refuse("--id is missing: which node is it?");
  if (arguments.settings.key.empty() && !arguments.insecure && !stays_on_this_host(endpoint))
    refuse("--connect is \"" + endpoint +
           "\", which needs --key FILE, the key file of the run (nodes.keys); --insecure goes "
           "without, if the run has nodes.insecure = true");
  arguments.settings.id = Node{static_cast<std::uint16_t>(arguments.id)};
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
      ->type_name("ENDPOINT");
  command->add_option("--id", arguments->id, "number of the node; the run prints the numbers that it waits for")
      ->type_name("N")
      ->check(CLI::Range(0, 255));
  command->add_option("--key", arguments->settings.key, "key file of the run (nodes.keys): encrypts the connections")
      ->type_name("FILE");
  command->add_flag("--insecure", arguments->insecure, "connects to another host without a key (nodes.insecure)");
  command
      ->add_option("--new-key", arguments->new_key,
                   "writes a new key file, for nodes.keys and --key, and does nothing else")
      ->type_name("FILE")
      ->excludes("--connect", "--id", "--key", "--insecure");
  command->add_option("--timeout", arguments->timeout, "longest wait for the coordinator (default: 30 s)")
      ->type_name("TIME");
  command->add_flag("--quiet", arguments->quiet, "prints nothing; the coordinator still reports failures");
  command->add_option("--memory", arguments->settings.memory, "given by a coordinator: the memory it shares")
      ->type_name("DESCRIPTOR")
      ->group("")  // hidden: only a coordinator gives it
      ->check(CLI::Range(3, 1'000'000));
  command->add_flag("!--unencrypted", arguments->settings.encrypt, "given by a coordinator: the key is only shown")
      ->group("");  // hidden, too
  command->callback([arguments, &action] { action = [arguments](const Environment&) { run_node(*arguments); }; });
}

}  // namespace ocs
