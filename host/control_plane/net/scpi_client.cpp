// Asks and reads.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/scpi_client.hpp"

#include <algorithm>
#include <utility>

#include "host/control_plane/net/scpi_answers.hpp"
#include "host/control_plane/quoted.hpp"
#include "host/core/error.hpp"

namespace ocs::serve {
namespace {

constexpr std::size_t longest_answer = std::size_t{1} << 20;

}  // namespace

ScpiClient::ScpiClient(const std::string& where, std::chrono::milliseconds patience,
                       std::shared_ptr<boost::asio::ssl::context> tls)
    : where_(where), connection_(std::move(tls), patience) {
  std::string host = where, port = "5025";
  const std::size_t colon = where.rfind(':');
  if (where.starts_with('[')) {
    const std::size_t end = where.find(']');
    if (end == std::string::npos || (end + 1 < where.size() && where[end + 1] != ':'))
      throw Error(ErrorKind::input, "\"" + where + "\" isn't HOST, HOST:PORT or [ADDRESS]:PORT");
    host = where.substr(1, end - 1);
    if (end + 1 < where.size()) port = where.substr(end + 2);
  } else if (colon != std::string::npos && where.find(':') == colon) {
    host = where.substr(0, colon);
    port = where.substr(colon + 1);
  }
  if (host.empty() || port.empty() ||
      !std::all_of(port.begin(), port.end(), [](char d) { return d >= '0' && d <= '9'; }))
    throw Error(ErrorKind::input, "\"" + where + "\" isn't HOST, HOST:PORT or [ADDRESS]:PORT");
  if (const std::string failed = connection_.connect(host, port); !failed.empty())
    throw Error(ErrorKind::run, "no switch answers at " + where + ": " + failed);
}

std::string ScpiClient::ask(const std::string& message) {
  std::string line;
  if (const std::string failed = connection_.exchange(message + "\n", line, longest_answer); !failed.empty())
    throw Error(ErrorKind::run, where_ + " doesn't answer \"" + message.substr(0, 60) + "\": " + failed +
                                    (answered_ ? "" : "; is it the port of SCPI, and does it expect TLS (--tls-ca)?"));
  answered_ = true;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

void ScpiClient::command(const std::string& message) {
  std::string error = ask("*CLS;" + message + ";:SYSTem:ERRor?");
  if (error.starts_with("0,")) return;
  std::erase(error, '"');
  throw Error(ErrorKind::run, where_ + " refuses: " + shown(error));
}

template <class Read>
auto ScpiClient::understood(const Read& read) const {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(ErrorKind::run, where_ + " isn't understood: " + error.what() + "; is it the port of SCPI?");
  }
}

int ScpiClient::ports() {
  // A query that is refused has no answer, and the wait for it would end without the reason.
  const std::string answer = ask("*CLS;:OXC:SWITch:SIZE?;:SYSTem:ERRor?");
  if (answer.starts_with("-203")) throw Error(ErrorKind::run, where_ + " requires a login: --user and --password-file");
  return ports_ = understood([&] { return ports_in(answer.substr(0, answer.find(';'))); });
}

std::vector<CrossConnect> ScpiClient::circuits() {
  const std::string answer = ask(":OXC:SWITch:CONNect:STATe?");
  return understood([&] { return circuits_in(answer, ports_); });
}

std::vector<std::string> ScpiClient::states(std::span<const CrossConnect> circuits) {
  if (circuits.empty()) return {};
  std::string list;
  for (const CrossConnect& circuit : circuits)
    list += (list.empty() ? "(@" : ",") + std::to_string(ports_ + index(circuit.out) + 1);
  const std::string answer = ask(":OCS:PORT:STATe? " + list + ")");
  return understood([&] { return states_in(answer, circuits.size()); });
}

std::string two_lists(std::span<const CrossConnect> circuits, int ports) {
  std::string from = "(@", to = "(@";
  for (const CrossConnect& circuit : circuits) {
    from += (from.back() == '@' ? "" : ",") + std::to_string(index(circuit.in) + 1);
    to += (to.back() == '@' ? "" : ",") + std::to_string(ports + index(circuit.out) + 1);
  }
  return from + ")," + to + ")";
}

}  // namespace ocs::serve
