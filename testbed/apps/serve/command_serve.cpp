// lightloop serve: a switch that ordinary controllers drive over TCP, with its time paced to the wall clock.
// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <chrono>
#include <iostream>
#include <memory>

#include "testbed/apps/help/unused_options.hpp"
#include "testbed/apps/serve/device_arguments.hpp"
#include "testbed/apps/serve/serve_registers.hpp"
#include "testbed/apps/serve/service.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct ServeArguments {
  DeviceArguments device;
  std::int64_t speed = 1;
  std::string scpi = "5025", tl1 = "3082", http = "8025", scpi_end = "lf", listen, logins, idle = "600 s";
  std::size_t connections = 256, per_address = 0, longest = 65536;
  std::vector<std::string> http_names;
  std::string log, tls_certificate, tls_key;
  bool hash_password = false;
  RegistersArguments registers;
};

std::chrono::milliseconds idle_of(const std::string& text) {
  try {
    const std::chrono::milliseconds idle(parse_quantity(text, Dimension::time) / 1'000'000'000);
    if (idle < std::chrono::milliseconds(1)) throw Error(ErrorKind::input, "must be at least 1 ms");
    return idle;
  } catch (const Error& failure) {
    throw Error(ErrorKind::input, "--idle is " + in_quotes(text) + ", but " + failure.what());
  }
}

std::optional<std::uint16_t> port_of(const char* option, const std::string& text) {
  if (text == "off") return std::nullopt;
  std::uint16_t port = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failed != std::errc{} || end != text.data() + text.size())
    throw Error(ErrorKind::input, std::string(option) + " is " + in_quotes(text) +
                                      ", but must be a TCP port from 1 to 65535, 0 (the system chooses), or off");
  return port;
}

/// So that a switch can't be left open to a network by mistake.
void check_access(const ServeArguments& arguments) {
  if (!arguments.listen.empty() && arguments.logins.empty())
    throw Error(ErrorKind::input, "--listen is " + in_quotes(arguments.listen) +
                                      ", but without --logins FILE only this host is listened to");
}

constexpr std::size_t longest_pem = std::size_t{1} << 20;

std::shared_ptr<boost::asio::ssl::context> tls_of(const ServeArguments& arguments) {
  const std::string &certificate = arguments.tls_certificate, &key = arguments.tls_key;
  if (certificate.empty() != key.empty())
    throw Error(ErrorKind::input, std::string(certificate.empty() ? "--tls-key" : "--tls-cert") + " also needs " +
                                      (certificate.empty() ? "--tls-cert" : "--tls-key") + " FILE");
  if (certificate.empty()) return nullptr;
  const auto read = [](const std::string& file, std::string_view what) {
    return serve::PemFile{.name = file, .text = read_text_file(file, what, longest_pem)};
  };
  return serve::make_tls(read(certificate, "--tls-cert"), read(key, "--tls-key"));
}

/// Anybody who sees the packets of a login can log in.
void warn_of_open_passwords(const ServeArguments& arguments) {
  boost::system::error_code none;
  const auto address = boost::asio::ip::make_address(arguments.listen, none);
  if (none || address.is_loopback() || !arguments.tls_certificate.empty()) return;
  std::cerr << "lightloop: warning: passwords cross the network unencrypted, since --listen is " +
                   in_quotes(arguments.listen) + " and there is no --tls-cert\n";
}

std::vector<UnusedOptions> unused_options(const ServeArguments& arguments) {
  const RegistersArguments& registers = arguments.registers;
  return {{!registers.file.empty(),
           {"--scpi", "--tl1", "--http", "--scpi-end", "--listen", "--logins", "--tls-cert", "--tls-key",
            "--connections", "--longest", "--idle", "--switch", "--tuning", "--locking"},
           "--registers serves the switch's registers, and no dialect"},
          {!registers.file.empty() && registers.virtual_time,
           {"--speed", "--slower"},
           "with --virtual-time who drives the switch says when time goes on"},
          {arguments.scpi == "off", {"--scpi-end"}, "SCPI is off"}};
}

void serve_switch(const ServeArguments& arguments, const Environment& environment) {
  if (arguments.hash_password) {
    std::string password;
    if (!std::getline(std::cin, password) || password.empty())
      throw Error(ErrorKind::input, "--hash-password needs a password on standard input");
    std::cout << serve::hash_password(password) << '\n';
    return;
  }
  if (arguments.device.device.empty())
    throw Error(ErrorKind::input, "serve must have a DEVICE: `lightloop list devices`");
  check_access(arguments);
  arguments.registers.check();
  ServiceOptions options{.device = arguments.device.device,
                         .preset = arguments.device.switch_name,
                         .delays = arguments.device.delays(environment),
                         .speed = arguments.speed,
                         .scpi = port_of("--scpi", arguments.scpi),
                         .tl1 = port_of("--tl1", arguments.tl1),
                         .http = port_of("--http", arguments.http),
                         .scpi_end = arguments.scpi_end == "lf" ? "\n" : "\r\n",
                         .version = environment.version};
  if (!options.scpi && !options.tl1 && !options.http && arguments.registers.file.empty())
    throw Error(ErrorKind::input,
                "--scpi, --tl1 and --http are all \"off\", but one must be a port: nothing is served");
  if (!arguments.listen.empty()) options.address = arguments.listen;
  if (!arguments.logins.empty()) options.logins = serve::read_logins(arguments.logins);
  options.tls = tls_of(arguments);
  warn_of_open_passwords(arguments);
  options.http_names = arguments.http_names;
  options.log = arguments.log;
  options.limits.connections = arguments.connections;
  if (arguments.per_address > 0)
    options.limits.per_address = arguments.per_address;
  else if (!options.logins)
    options.limits.per_address = arguments.connections;  // all clients are of this host
  options.limits.command = arguments.longest;
  options.limits.idle = idle_of(arguments.idle);
  DeviceArguments bare = arguments.device;  // the driver sets the delays
  bare.switch_name = bare.tuning = bare.locking = "";
  const auto device = bare.make_device(environment);
  if (!arguments.registers.file.empty()) return serve_registers(*device, arguments.registers, arguments.speed);
  serve_switch(*device, options, std::cout);
}

void add_limits(CLI::App& command, ServeArguments& arguments) {
  command.add_option("--listen", arguments.listen, "listens on this address instead of 127.0.0.1; needs --logins")
      ->type_name("ADDRESS");
  command
      .add_option("--logins", arguments.logins, "users and their roles; every client must then log in (docs/serve.md)")
      ->type_name("FILE");
  command
      .add_option("--tls-cert", arguments.tls_certificate,
                  "encrypts all dialects: this host's certificate, and those that lead to a root; PEM; needs --tls-key")
      ->type_name("FILE");
  command.add_option("--tls-key", arguments.tls_key, "the certificate's private key; PEM, without a password")
      ->type_name("FILE");
  command
      .add_option("--http-name", arguments.http_names,
                  "a name of this host, as browsers and Prometheus ask for it; addresses and localhost need none")
      ->type_name("NAME");
  command
      .add_option("--log", arguments.log,
                  "writes logins and refusals to this file, 1 MiB at most, and keeps 4 older ones")
      ->type_name("FILE");
  command.add_flag("--hash-password", arguments.hash_password,
                   "only prints the hash of the password on standard input, for the logins file");
  command.add_option("--connections", arguments.connections, "most connections per dialect")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command
      .add_option("--connections-per-address", arguments.per_address,
                  "of those, from one address; if not given, 64 with --logins, else as many as --connections")
      ->check(CLI::Range(1, 10000));
  command.add_option("--longest", arguments.longest, "most bytes of a command")
      ->check(CLI::Range(64, 1 << 24))
      ->capture_default_str();
  command
      .add_option("--idle", arguments.idle,
                  "disconnects a client that sends nothing for this time; news that the server sends to a client keep "
                  "its connection alive")
      ->type_name("TIME")
      ->capture_default_str();
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "serve",
      "Serves a switch to ordinary controllers: SCPI and TL1 over TCP, a status page and metrics over HTTP.\n"
      "Listens on this host alone unless --listen is given. Virtual time runs with the wall clock, or\n"
      "--speed times as fast (docs/serve.md).");
  const auto arguments = std::make_shared<ServeArguments>();
  arguments->device.add_to(*command, false);
  command->add_option("--speed", arguments->speed, "virtual time over wall time")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000}))
      ->capture_default_str();
  const auto port = [&](const char* name, std::string& value, const char* help) {
    command->add_option(name, value, help)->type_name("PORT|off")->capture_default_str();
  };
  port("--scpi", arguments->scpi, "TCP port of SCPI; 0: the system chooses one");
  port("--tl1", arguments->tl1, "TCP port of TL1");
  port("--http", arguments->http, "TCP port of the status page and of /metrics");
  command->add_option("--scpi-end", arguments->scpi_end, "end of SCPI answers; crlf: for Polatis clients")
      ->check(CLI::IsMember({"lf", "crlf"}))
      ->capture_default_str();
  add_limits(*command, *arguments);
  arguments->registers.add_to(*command);
  command->footer("Ends with SIGINT, SIGTERM or SIGHUP: exit 0. Exit 1: the switch failed, 2: wrong input.");
  command->callback([arguments, command, &action] {
    action = [arguments, command](const Environment& given) {
      warn_of_unused(*command, unused_options(*arguments));
      serve_switch(*arguments, given);
    };
  });
}

}  // namespace ocs
