// Asks and reads.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/scpi_client.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "host/core/error.hpp"

namespace ocs::serve {
namespace {

constexpr std::size_t longest_answer = std::size_t{1} << 20;

/// Numbers within `text`, in their order.
std::vector<int> numbers_in(std::string_view text) {
  std::vector<int> numbers;
  for (std::size_t k = 0; k < text.size();) {
    int number = 0;
    const auto [end, failed] = std::from_chars(text.data() + k, text.data() + text.size(), number);
    if (failed == std::errc{}) numbers.push_back(number);
    k = std::max(k + 1, static_cast<std::size_t>(end - text.data()));
  }
  return numbers;
}

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
    throw Error(ErrorKind::run, where_ + " doesn't answer \"" + message.substr(0, 60) + "\": " + failed);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

void ScpiClient::command(const std::string& message) {
  const std::string error = ask("*CLS;" + message + ";:SYSTem:ERRor?");
  if (!error.starts_with("0,")) throw Error(ErrorKind::run, where_ + " refuses: " + error);
}

int ScpiClient::ports() {
  const std::string size = ask(":OXC:SWITch:SIZE?");
  const std::vector<int> sides = numbers_in(size);
  if (sides.size() != 2 || sides[0] != sides[1] || sides[0] < 1)
    throw Error(ErrorKind::run, where_ + " must be a switch with as many inputs as outputs, but its size is \"" +
                                    size.substr(0, 60) + "\"");
  return ports_ = sides[0];
}

std::vector<Circuit> ScpiClient::circuits() {
  const std::string answer = ask(":OXC:SWITch:CONNect:STATe?");
  const std::size_t cut = answer.find("),");
  std::vector<int> from, to;
  if (cut != std::string::npos) {
    from = numbers_in(std::string_view(answer).substr(0, cut));
    to = numbers_in(std::string_view(answer).substr(cut));
  }
  const auto within = [&](const std::vector<int>& all, int least) {
    return std::all_of(all.begin(), all.end(), [&](int port) { return port >= least && port < least + ports_; });
  };
  if (cut == std::string::npos || from.size() != to.size() || !within(from, 1) || !within(to, ports_ + 1))
    throw Error(ErrorKind::run, where_ + " tells circuits in a way that isn't understood: " + answer.substr(0, 60));
  std::vector<Circuit> all;
  for (std::size_t k = 0; k < from.size(); ++k)
    all.push_back(
        {Input{static_cast<std::uint16_t>(from[k] - 1)}, Output{static_cast<std::uint16_t>(to[k] - ports_ - 1)}});
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::string> ScpiClient::states(std::span<const Circuit> circuits) {
  std::string list;
  for (const Circuit& circuit : circuits)
    list += (list.empty() ? "(@" : ",") + std::to_string(ports_ + index(circuit.out) + 1);
  std::vector<std::string> states;
  if (list.empty()) return states;
  std::string word;
  for (const char letter : ask(":OCS:PORT:STATe? " + list + ")")) {
    if (letter >= 'A' && letter <= 'Z') {
      word += letter;
    } else if (!word.empty()) {
      states.push_back(std::move(word));
      word.clear();
    }
  }
  if (states.size() != circuits.size()) throw Error(ErrorKind::run, where_ + " doesn't tell the states of its ports");
  return states;
}

std::string two_lists(std::span<const Circuit> circuits, int ports) {
  std::string from = "(@", to = "(@";
  for (const Circuit& circuit : circuits) {
    from += (from.back() == '@' ? "" : ",") + std::to_string(index(circuit.in) + 1);
    to += (to.back() == '@' ? "" : ",") + std::to_string(ports + index(circuit.out) + 1);
  }
  return from + ")," + to + ")";
}

}  // namespace ocs::serve
