// Reads the kernel's counts of bytes, and closes connections.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/stranger_limit.hpp"

#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>

namespace ocs {
namespace {

constexpr std::chrono::milliseconds between_checks{10};
constexpr std::size_t most_unknown = 1024;  // whose handshake isn't over: 256 nodes come at once, with two connections

/// 0: not a socket, or not of tcp.
std::uint64_t cookie_of(int descriptor) {
  std::uint64_t cookie = 0;
  int protocol = 0;
  socklen_t size = sizeof protocol;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) != 0 || protocol != IPPROTO_TCP) return 0;
  size = sizeof cookie;
  return getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

struct Traffic {
  std::uint64_t brought = 0, sent = 0;
};

/// Nothing: the connection has gone. Older kernels count nothing, and the counts are 0.
std::optional<Traffic> traffic_of(int descriptor, std::uint64_t cookie) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || cookie_of(descriptor) != cookie)
    return std::nullopt;
  return Traffic{info.tcpi_bytes_received, info.tcpi_bytes_acked};
}

/// ZeroMQ sees the end of the connection, closes its descriptor and lets go of what came. It may do so at any time, and
/// the number may then be another file's: what is ended is certain to be the connection.
void end(int descriptor, std::uint64_t cookie) {
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return;
  if (cookie_of(own) == cookie) shutdown(own, SHUT_RDWR);
  close(own);
}

}  // namespace

std::string StrangerLimit::monitor_of(const zmq::socket_t& socket) {
  return "inproc://accepted-" + std::to_string(reinterpret_cast<std::uintptr_t>(socket.handle()));
}

void StrangerLimit::watch(zmq::context_t& context, const std::string& monitor, std::uint64_t stranger_bytes) {
  zmq::socket_t events(context, zmq::socket_type::pair);
  events.set(zmq::sockopt::linger, 0);
  events.set(zmq::sockopt::rcvhwm, 0);  // else ZeroMQ's own thread would wait for this one
  events.connect(monitor);
  monitors_.push_back({std::move(events), stranger_bytes});
}

std::vector<zmq::pollitem_t> StrangerLimit::items() {
  std::vector<zmq::pollitem_t> items;
  items.reserve(monitors_.size());
  for (Monitor& monitor : monitors_) items.push_back({monitor.events.handle(), 0, ZMQ_POLLIN, 0});
  return items;
}

std::chrono::milliseconds StrangerLimit::period() const {
  const std::lock_guard lock(mutex_);
  return unknown_.empty() ? std::chrono::milliseconds{-1} : between_checks;
}

/// An event has two parts: 16 bits of its kind with 32 bits of its value, which is the descriptor here; and the
/// endpoint.
void StrangerLimit::read_events(Monitor& monitor) {
  zmq::message_t event, endpoint;
  while (monitor.events.recv(event, zmq::recv_flags::dontwait)) {
    if (event.more()) static_cast<void>(monitor.events.recv(endpoint));
    std::int32_t descriptor = -1;
    if (event.size() != sizeof(std::uint16_t) + sizeof descriptor) continue;
    std::memcpy(&descriptor, event.data<std::byte>() + sizeof(std::uint16_t), sizeof descriptor);
    const std::uint64_t cookie = cookie_of(descriptor);
    if (cookie == 0) continue;
    const std::lock_guard lock(mutex_);
    if (!admitted_.contains(cookie)) unknown_.push_back({descriptor, cookie, monitor.may_bring});
  }
}

/// Known by now, gone, or ended.
bool StrangerLimit::is_settled(const Unknown& connection) const {
  const auto traffic = traffic_of(connection.descriptor, connection.cookie);
  if (!traffic) return true;
  if (bytes_of_a_handshake_ > 0 && traffic->sent >= bytes_of_a_handshake_) return true;
  if (traffic->brought <= connection.may_bring) return false;
  end(connection.descriptor, connection.cookie);
  return true;
}

void StrangerLimit::check() {
  for (Monitor& monitor : monitors_) read_events(monitor);
  const std::lock_guard lock(mutex_);
  std::erase_if(unknown_, [this](const Unknown& connection) { return is_settled(connection); });
  if (bytes_of_a_handshake_ == 0 || unknown_.size() <= most_unknown) return;
  const auto surplus = unknown_.begin() + static_cast<std::ptrdiff_t>(unknown_.size() - most_unknown);
  std::for_each(unknown_.begin(), surplus, [](const Unknown& oldest) { end(oldest.descriptor, oldest.cookie); });
  unknown_.erase(unknown_.begin(), surplus);
}

void StrangerLimit::admit(zmq::message_t& part) {
  const std::uint64_t cookie = cookie_of(part.get(ZMQ_SRCFD));
  if (cookie == 0) return;
  const std::lock_guard lock(mutex_);
  admitted_.insert(cookie);
  std::erase_if(unknown_, [cookie](const Unknown& connection) { return connection.cookie == cookie; });
}

}  // namespace ocs
