// Accepts clients.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/server.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <map>

#include "host/control_plane/net/connection.hpp"
#include "host/control_plane/net/login_queue.hpp"
#include "host/core/error.hpp"

namespace ocs::serve {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::chrono::milliseconds pause_after_failure{100};

}  // namespace

struct Server::Parts {
  struct Door {
    std::unique_ptr<serve::Door> door;
    Dialect dialect;
    Maker maker;
    std::unique_ptr<Timer> pause;
  };
  ServerPlatform& platform;
  ConnectionContext& context;
  Connection::Hooks hooks;
  std::vector<std::unique_ptr<Door>> doors{};
  std::vector<std::shared_ptr<Connection>> connections{};

  void accept(Door& door) {
    door.door->async_accept([this, &door](error_code error, std::unique_ptr<ClientStream> stream, std::string from) {
      if (error == asio::error::operation_aborted) return;
      if (!error) admit(door, std::move(stream), std::move(from));
      if (!error || error == asio::error::connection_aborted) return accept(door);
      // No descriptor is left, for instance: the client that waits would be reported again at once, without end.
      door.pause->async_wait(pause_after_failure, [this, &door](error_code stopped) {
        if (!stopped) accept(door);
      });
    });
  }

  void admit(Door& door, std::unique_ptr<ClientStream> stream, std::string from);
  bool make_room(const Peer& peer);
};

void Server::Parts::admit(Door& door, std::unique_ptr<ClientStream> stream, std::string from) {
  const Peer peer{.dialect = door.dialect, .address = std::move(from)};
  if (!make_room(peer)) {
    ++context.tally(door.dialect).turned_away;
    context.note(peer, "refused: too many connections");
    return;  // closes the stream
  }
  connections.push_back(
      std::make_shared<Connection>(std::move(stream), platform, peer, door.maker(peer.address), context, hooks));
  connections.back()->start();
}

/// There is a place for one more, or was made by closing one that has no claim on its own: the oldest of a network that
/// holds most of those. Where several networks hold as many, the oldest of all, so that a new client has time to log in,
/// whatever its address.
bool Server::Parts::make_room(const Peer& peer) {
  struct Dispensable {
    std::size_t count = 0;
    Connection* oldest = nullptr;
  };
  const auto now = platform.now();
  const std::string network = network_of(peer.address);
  std::map<std::string, Dispensable> dispensable;
  std::size_t all = 0, from_there = 0;
  for (const auto& one : connections) {
    if (!one->is_open() || one->peer().dialect != peer.dialect) continue;
    ++all;
    from_there += one->network() == network ? 1U : 0U;
    if (!one->dispensable(now)) continue;
    Dispensable& there = dispensable[one->network()];
    ++there.count;
    if (there.oldest == nullptr || one->begin() < there.oldest->begin()) there.oldest = one.get();
  }
  const bool crowd = from_there >= context.limits.per_address;
  if (!crowd && all < context.limits.connections) return true;
  const auto most = crowd ? dispensable.find(network)
                          : std::max_element(dispensable.begin(), dispensable.end(), [](const auto& a, const auto& b) {
                              const Dispensable &x = a.second, &y = b.second;
                              return x.count != y.count ? x.count < y.count : y.oldest->begin() < x.oldest->begin();
                            });
  if (most == dispensable.end()) return false;
  Connection& oldest = *most->second.oldest;
  context.note(oldest.peer(), "refused: its place was needed before it had logged in or asked anything");
  oldest.close();
  return true;
}

Server::Server(ServerPlatform& platform, ConnectionContext& context, std::function<void()> before_command, Catch failed)
    : parts_(new Parts{.platform = platform,
                       .context = context,
                       .hooks = {.before_command = std::move(before_command), .failed = std::move(failed)}}) {}

Server::~Server() { stop(); }

std::uint16_t Server::listen(Dialect dialect, const std::string& address, std::uint16_t port, Maker maker,
                             asio::ssl::context* tls) {
  std::unique_ptr<Door> door;
  try {
    door = parts_->platform.listen(address, port, tls);
  } catch (const boost::system::system_error& failure) {
    throw Error(ErrorKind::input, "can't listen on " + address + " port " + std::to_string(port) + " for " +
                                      std::string(dialect_names[static_cast<std::size_t>(dialect)]) + ": " +
                                      failure.code().message());
  }
  const std::uint16_t chosen = door->port();
  parts_->doors.push_back(std::make_unique<Parts::Door>(
      Parts::Door{std::move(door), dialect, std::move(maker), parts_->platform.make_timer()}));
  parts_->accept(*parts_->doors.back());
  return chosen;
}

void Server::go_on() {
  auto& all = parts_->connections;
  const auto now = parts_->platform.now();
  for (std::size_t k = 0; k < all.size(); ++k) all[k]->go_on(now);
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& one) { return !one->is_open(); }), all.end());
}

void Server::close_doors() {
  for (auto& door : parts_->doors) {
    door->door->close();
    door->pause->cancel();
  }
}

bool Server::is_empty() const { return parts_->connections.empty(); }

void Server::stop() {
  close_doors();
  for (auto& connection : parts_->connections) connection->close();
  parts_->connections.clear();
}

}  // namespace ocs::serve
