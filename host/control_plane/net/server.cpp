// Accepts clients.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/server.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "host/control_plane/net/connection.hpp"
#include "host/core/error.hpp"

namespace ocs::serve {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct Server::Parts {
  struct Door {
    tcp::acceptor acceptor;
    Dialect dialect;
    Maker maker;
  };
  asio::io_context& loop;
  Station& station;
  Connection::Hooks hooks;
  std::vector<std::unique_ptr<Door>> doors{};
  std::vector<std::shared_ptr<Connection>> connections{};

  void accept(Door& door) {
    door.acceptor.async_accept([this, &door](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error) admit(door, std::move(socket));
      accept(door);
    });
  }

  void admit(Door& door, tcp::socket socket) {
    Tally& tally = station.tally(door.dialect);
    if (tally.open >= static_cast<std::int64_t>(station.limits.connections)) {
      ++tally.turned_away;
      return;  // closes the socket
    }
    connections.push_back(std::make_shared<Connection>(std::move(socket), door.maker(), station.limits, tally, hooks));
    connections.back()->start();
  }
};

Server::Server(asio::io_context& loop, Station& station, std::function<void()> before_command, Catch failed)
    : parts_(new Parts{.loop = loop,
                       .station = station,
                       .hooks = {.before_command = std::move(before_command), .failed = std::move(failed)}}) {}

Server::~Server() { stop(); }

std::uint16_t Server::listen(Dialect dialect, const std::string& address, std::uint16_t port, Maker maker) {
  error_code error;
  const auto parsed = asio::ip::make_address(address, error);
  if (error) throw Error(ErrorKind::input, "\"" + address + "\" isn't an IP address to listen on, as 127.0.0.1 or ::1");
  const tcp::endpoint where(parsed, port);
  tcp::acceptor acceptor(parts_->loop);
  acceptor.open(where.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(where, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw Error(ErrorKind::input, "can't listen on " + address + " port " + std::to_string(port) + " for " +
                                      std::string(dialect_names[static_cast<std::size_t>(dialect)]) + ": " +
                                      error.message());
  const std::uint16_t chosen = acceptor.local_endpoint().port();
  parts_->doors.push_back(std::make_unique<Parts::Door>(Parts::Door{std::move(acceptor), dialect, std::move(maker)}));
  parts_->accept(*parts_->doors.back());
  return chosen;
}

void Server::go_on() {
  auto& all = parts_->connections;
  const auto now = Connection::Clock::now();
  for (std::size_t k = 0; k < all.size(); ++k) all[k]->go_on(now);
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& one) { return !one->is_open(); }), all.end());
}

void Server::stop() {
  error_code ignored;
  for (auto& door : parts_->doors) door->acceptor.close(ignored);
  for (auto& connection : parts_->connections) connection->close();
  parts_->connections.clear();
}

}  // namespace ocs::serve
