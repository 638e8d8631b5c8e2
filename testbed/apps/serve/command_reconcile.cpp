// lightloop reconcile: brings a running switch to the map of a file, through SCPI.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <fstream>
#include <iostream>
#include <memory>

#include "host/control_plane/net/line_client.hpp"
#include "host/control_plane/net/map_file.hpp"
#include "host/control_plane/net/scpi_client.hpp"
#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

using namespace serve;

constexpr std::size_t longest_certificates = std::size_t{1} << 20;

struct ReconcileArguments {
  std::string want, where, limit = "60 s", user, password_file, authorities;
  bool dry_run = false, tls = false;
};

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) throw Error(ErrorKind::input, "--password-file " + in_quotes(file) + " can't be read");
  return line;
}

std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char letter : text) all += letter == '"' ? "\"\"" : std::string(1, letter);
  return all + "\"";
}

std::chrono::milliseconds patience_of(const ReconcileArguments& arguments) {
  try {
    return std::chrono::milliseconds(parse_quantity(arguments.limit, Dimension::time) / 1'000'000'000);
  } catch (const Error& failure) {
    throw Error(ErrorKind::input, "--limit is " + in_quotes(arguments.limit) + ", but " + failure.what());
  }
}

std::shared_ptr<boost::asio::ssl::context> tls_of(const ReconcileArguments& arguments) {
  if (!arguments.authorities.empty())
    return make_client_tls(PemFile{.name = arguments.authorities,
                                   .text = read_text_file(arguments.authorities, "--tls-ca", longest_certificates)});
  return arguments.tls ? make_client_tls({}) : nullptr;
}

/// @throws Error (run): a circuit isn't there, or has no light.
void check_light(ScpiClient& client, const std::vector<CrossConnect>& wanted) {
  if (client.ask("*OPC?") != "1") throw Error(ErrorKind::run, "the switch doesn't say when it is done");
  if (client.circuits() != wanted) throw Error(ErrorKind::run, "another client has changed the map in the meantime");
  const std::vector<std::string> states = client.states(wanted);
  std::string dark;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (states[k] != "TUNED") dark += (dark.empty() ? "" : ", ") + name_of(wanted[k]) + " is " + states[k];
  if (!dark.empty()) throw Error(ErrorKind::run, "the map is as wanted, but " + dark);
}

void reconcile_switch(const ReconcileArguments& arguments) {
  const std::vector<CrossConnect> wanted = read_map(arguments.want);
  ScpiClient client(arguments.where, patience_of(arguments), tls_of(arguments));
  if (!arguments.user.empty())
    client.command(":SYSTem:LOGin " + quoted(arguments.user) + "," + quoted(first_line(arguments.password_file)));
  const int ports = client.ports();
  for (const CrossConnect& circuit : wanted)
    if (index(circuit.in) >= ports || index(circuit.out) >= ports)
      throw Error(ErrorKind::input, arguments.want + ": " + name_of(circuit) + " is beyond the switch's " +
                                        std::to_string(ports) + " ports");
  const Difference difference = serve::difference(client.circuits(), wanted);
  for (const CrossConnect& circuit : difference.remove) std::cout << "- " << name_of(circuit) << '\n';
  for (const CrossConnect& circuit : difference.add) std::cout << "+ " << name_of(circuit) << '\n';
  std::cout << difference.remove.size() << " to remove, " << difference.add.size() << " to add, "
            << difference.keep.size() << " undisturbed\n"
            << std::flush;
  if (arguments.dry_run) return;
  if (!difference.remove.empty() || !difference.add.empty())
    client.command(":OCS:CONNect:REPLace " + two_lists(difference.remove, ports) + "," +
                   two_lists(difference.add, ports));
  check_light(client, wanted);
  std::cout << "the map is as wanted, all " << wanted.size() << " tuned\n";
}

}  // namespace

void add_reconcile(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "reconcile",
      "Sets the circuits of a running switch (lightloop serve) to the map of a file, in one commit that disturbs no\n"
      "circuit that stays (docs/serve.md).");
  const auto arguments = std::make_shared<ReconcileArguments>();
  command->add_option("SWITCH", arguments->where, "HOST, HOST:PORT or [ADDRESS]:PORT; without PORT 5025")->required();
  command->add_option("--want", arguments->want, "circuits = [\"1A-2B\", ...]: input 1 to output 2")
      ->type_name("MAP.toml")
      ->required();
  command->add_flag("--dry-run", arguments->dry_run, "only prints the difference");
  command->add_option("--limit", arguments->limit, "longest wait for an answer")
      ->type_name("TIME")
      ->capture_default_str();
  const auto user = command->add_option("--user", arguments->user, "user name for the login")->type_name("NAME");
  const auto file =
      command->add_option("--password-file", arguments->password_file, "file whose first line is the password")
          ->type_name("FILE");
  command->add_flag("--tls", arguments->tls,
                    "encrypts the connection; this machine knows the authority of the switch's certificate");
  command
      ->add_option("--tls-ca", arguments->authorities,
                   "encrypts the connection; the switch's certificate, or its authority's, is in FILE (PEM)")
      ->type_name("FILE");
  user->needs(file);
  file->needs(user);
  command->footer(
      "Exit codes: 0 the map is as wanted (or --dry-run), 1 the switch refused or a circuit has no light,\n"
      "2 wrong input.");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment&) { reconcile_switch(*arguments); }; });
}

}  // namespace ocs
