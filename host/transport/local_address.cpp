// Endpoints of participants that are processes.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/local_address.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::string_view tcp = "tcp://", ipc = "ipc://";

[[noreturn]] void refuse_endpoint(const std::string& endpoint, const std::string& why) {
  throw Error(ErrorKind::input,
              "the coordinator's endpoint is \"" + endpoint + "\", but must be " + endpoint_examples + why);
}

/// The address that packets to the host would leave from; none is sent.
std::string address_towards(const std::string& host, const std::string& port, const std::string& endpoint) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  if (const int problem = getaddrinfo(host.c_str(), port.c_str(), &hints, &found); problem != 0)
    refuse_endpoint(endpoint, std::string(": ") + gai_strerror(problem));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  const int probe = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in self{};
  socklen_t size = sizeof self;
  const bool known = probe >= 0 && connect(probe, found->ai_addr, found->ai_addrlen) == 0 &&
                     getsockname(probe, reinterpret_cast<sockaddr*>(&self), &size) == 0;
  const int problem = errno;
  if (probe >= 0) close(probe);
  if (!known) refuse_endpoint(endpoint, std::string(": ") + std::strerror(problem));
  std::array<char, INET_ADDRSTRLEN> text{};
  inet_ntop(AF_INET, &self.sin_addr, text.data(), text.size());
  return text.data();
}

}  // namespace

std::string own_endpoint(const std::string& coordinator, Node self) {
  if (coordinator.starts_with(ipc) && coordinator.size() > ipc.size())
    return coordinator + "." + std::to_string(index(self));
  const std::size_t colon = coordinator.rfind(':');
  if (!coordinator.starts_with(tcp) || colon < tcp.size() || colon + 1 == coordinator.size())
    refuse_endpoint(coordinator, "");
  const std::string host = coordinator.substr(tcp.size(), colon - tcp.size());
  return std::string(tcp) + address_towards(host, coordinator.substr(colon + 1), coordinator) + ":*";
}

bool stays_on_this_host(std::string_view endpoint) {
  if (!endpoint.starts_with(tcp)) return true;
  const std::string host(endpoint.substr(tcp.size(), endpoint.rfind(':') - tcp.size()));
  in_addr address{};
  const bool loopback = inet_pton(AF_INET, host.c_str(), &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
  return loopback || host == "localhost";
}

void keep_alive(zmq::socket_t& socket) {
  socket.set(zmq::sockopt::tcp_keepalive, 1);
  socket.set(zmq::sockopt::tcp_keepalive_idle, 20);
  socket.set(zmq::sockopt::tcp_keepalive_intvl, 10);
  socket.set(zmq::sockopt::tcp_keepalive_cnt, 3);
}

}  // namespace ocs
