// What strangers say is drawn; none of them fetches its answers.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/serve/strangers.hpp"

#include <array>

#include "testbed/sim/serve/client.hpp"

namespace ocs::sim {
namespace {

using serve::Dialect;

constexpr std::array<const char*, 4> scpi_changes = {"OXC:SWIT:DISC:ALL\n", "*RST\n", "OXC:SWIT:CONN:ONLY (@),(@)\n",
                                                     "OXC:SWIT:PORT:DIS (@1:32)\n"};
constexpr std::array<const char*, 4> tl1_changes = {"DLT-PATCH::ALL:1:;", "INIT-SYS::SYSTEM:1::1;", "DLT-CRS-ALL:::1:;",
                                                    "OPR-PORT-SHUTTER::1&&32:1:;"};

}  // namespace

std::string Strangers::noise(std::uint64_t bytes) {
  std::string all;
  for (std::uint64_t k = 0; k < bytes; ++k) all += static_cast<char>(draw_.next());
  return all;
}

/// Commands that need a login, some of them behind a wrong one, or one that may only read.
std::string Strangers::forbidden(Dialect dialect) {
  const std::string scpi = scpi_changes[draw_.below(scpi_changes.size())];
  const std::string tl1 = tl1_changes[draw_.below(tl1_changes.size())];
  const bool guest = draw_.one_in(3);
  const std::string user = guest ? "guest" : user_of(static_cast<int>(draw_.below(most_serve_clients)));
  const std::string password = guest ? "guest" : "wrong" + std::to_string(draw_.below(4));
  const bool login = draw_.one_in(2);
  if (dialect == Dialect::scpi) return (login ? "SYST:LOG '" + user + "','" + password + "'\n" : "") + scpi;
  if (dialect == Dialect::tl1) return (login ? "ACT-USER::" + user + ":1::" + password + ";" : "") + tl1;
  return "GET /status.json HTTP/1.1\r\nHost: 10.0.0.100\r\nAuthorization: Basic Z3Vlc3Q6d3Jvbmc=\r\n\r\n";
}

/// As a page in a browser would, which can't leave out the first line.
std::string Strangers::from_the_web(Dialect dialect) {
  if (dialect == Dialect::http) return "DELETE /status.json HTTP/1.1\r\nHost: evil.example\r\n\r\n";
  const std::string change = dialect == Dialect::scpi ? scpi_changes[draw_.below(scpi_changes.size())]
                                                      : tl1_changes[draw_.below(tl1_changes.size())];
  if (draw_.one_in(4)) return '\x16' + std::string("\x03\x01\n;") + change;
  return "POST / HTTP/1.1\r\nHost: 10.0.0.100\r\n\r\n" + change;
}

/// Says it, stays for a while, and leaves in one of three ways.
void Strangers::visit(Dialect dialect, const std::string& address, const std::string& bytes) {
  const LinkPointer link = links_.connect(dialect, address, nullptr);
  links_.send(link, bytes);
  const auto stays = std::chrono::milliseconds(static_cast<std::int64_t>(draw_.below(1'500)));
  links_.world().at(links_.world().now() + stays, [this, link, how = draw_.below(3)] {
    if (how == 0) links_.vanish(link);
    if (how == 1) links_.reset(link);
    if (how == 2) links_.close(link);
  });
}

void Strangers::come(std::uint64_t bytes) {
  const Dialect dialect = any();
  const std::string address = "10.9.0." + std::to_string(1 + draw_.below(3));
  switch (draw_.below(5)) {
    case 0:
      return visit(dialect, address, from_the_web(dialect));
    case 1:
      return visit(dialect, address, logins_ ? forbidden(dialect) : noise(bytes));
    case 2:  // a command that is too long
      return visit(dialect, address, std::string(bytes, 'x') + "\n;");
    case 3: {  // and asks without end, but fetches nothing
      std::string all;
      for (std::uint64_t k = 0; k < 40 + bytes / 4; ++k)
        all += dialect == Dialect::scpi  ? "*IDN?\n"
               : dialect == Dialect::tl1 ? "RTRV-HDR:::1:;"
                                         : "GET / HTTP/1.1\r\n"
                                           "Host: 10.0.0.100\r\n\r\n";
      return visit(dialect, address, all);
    }
    default:
      return visit(dialect, address, noise(bytes));
  }
}

void Strangers::flood(std::uint64_t count) {
  const Dialect dialect = any();
  const bool one_address = draw_.one_in(2);
  for (std::uint64_t k = 0; k < count; ++k)
    visit(dialect, "10.8.0." + std::to_string(one_address ? 1 : k),
          draw_.one_in(2) ? std::string()
          : logins_       ? forbidden(dialect)
                          : noise(20));
}

void Strangers::guess(std::uint64_t count) {
  const bool one_address = draw_.one_in(2);
  for (std::uint64_t k = 0; k < count; ++k) {
    const Dialect dialect = any();
    visit(dialect, "10.7.0." + std::to_string(one_address ? 1 : k), logins_ ? forbidden(dialect) : noise(20));
  }
}

}  // namespace ocs::sim
