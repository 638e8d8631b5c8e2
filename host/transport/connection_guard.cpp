// Decides which connections a process takes.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/connection_guard.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "host/transport/wire.hpp"

namespace ocs {
namespace {

// A part may have so many bytes. The encryption adds 33 to those of the largest payload.
constexpr int max_part_bytes = static_cast<int>(max_payload_bytes) + 1024;
constexpr int max_answer_bytes = 4096;  // from a bound socket come only parts of the handshake
// So many messages of a connection wait here; further ones wait at their sender.
constexpr int max_waiting = 32;
constexpr int handshake_ms = 10'000;
constexpr int waiting_connections = 512;  // 256 nodes come at once, each with two connections

// What a connection brings and gets until its handshake is over. Before that, no more than 234 bytes are sent with
// CURVE and 64 with PLAIN: the greeting, and the welcome of CURVE, which isn't secret. Then the last step of a
// handshake follows, or a refusal in some 12 bytes.
constexpr std::uint64_t handshake_bytes = std::uint64_t{16} * 1024;
constexpr std::uint64_t sent_after_curve = 270, sent_after_plain = 90;

constexpr std::string_view local = "localhost:";  // ZeroMQ writes "localhost:USER:GROUP:PROCESS" over ipc

bool of_this_user(std::string_view address) {
  address.remove_prefix(local.size());
  uid_t user = 0;
  const auto [end, problem] = std::from_chars(address.data(), address.data() + address.size(), user);
  return problem == std::errc() && end != address.data() && (user == geteuid() || user == 0);
}

/// Threads inherit the signals that are blocked when they are made: those of the process are for the others.
template <class F>
std::thread thread_without_signals(F&& run) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::forward<F>(run));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

/// Takes as long whatever the place of the first difference.
bool same(std::string_view shown, std::string_view secret) {
  if (shown.size() != secret.size()) return false;
  int difference = 0;
  for (std::size_t i = 0; i < secret.size(); ++i) difference |= shown[i] ^ secret[i];
  return difference == 0;
}

std::vector<zmq::message_t> receive_parts(zmq::socket_t& socket) {
  std::vector<zmq::message_t> parts(1);
  static_cast<void>(socket.recv(parts.back()));
  while (parts.back().more()) static_cast<void>(socket.recv(parts.emplace_back()));
  return parts;
}

}  // namespace

ConnectionGuard::ConnectionGuard(zmq::context_t& context, std::optional<NodeKey> key, KeyUse use)
    : key_(std::move(key)),
      use_(use),
      context_(&context),
      limit_(!key_                  ? 0
             : use == KeyUse::prove ? sent_after_plain
                                    : sent_after_curve),
      requests_(context, zmq::socket_type::rep),
      to_thread_(context, zmq::socket_type::pair),
      told_(context, zmq::socket_type::pair) {
  if (key_) {
    open_key_.resize(32);
    zmq_z85_decode(reinterpret_cast<std::uint8_t*>(open_key_.data()), key_->open.c_str());
  }
  requests_.set(zmq::sockopt::linger, 0);
  try {
    requests_.bind("inproc://zeromq.zap.01");
    told_.bind("inproc://guard");
    to_thread_.connect("inproc://guard");
  } catch (const zmq::error_t& error) {
    throw Error(ErrorKind::run, std::string("connections of nodes can't be guarded: ") + error.what());
  }
  thread_ = thread_without_signals([this] { answer_requests(); });
}

ConnectionGuard::~ConnectionGuard() {
  try {
    to_thread_.send(zmq::message_t(), zmq::send_flags::dontwait);
  } catch (const zmq::error_t&) {  // the context was shut down, which ends the thread, too
  }
  thread_.join();
}

void ConnectionGuard::guard_bound(zmq::socket_t& socket, std::uint64_t bytes_of_a_stranger) {
  socket.set(zmq::sockopt::zap_domain, "lightloop");  // no ZMTP below 3, whose peers can't be asked anything
  socket.set(zmq::sockopt::maxmsgsize, std::int64_t{max_part_bytes});
  socket.set(zmq::sockopt::rcvhwm, max_waiting);
  socket.set(zmq::sockopt::handshake_ivl, handshake_ms);
  socket.set(zmq::sockopt::backlog, waiting_connections);
  const std::string monitor = StrangerLimit::monitor_of(socket);
  if (zmq_socket_monitor(socket.handle(), monitor.c_str(), StrangerLimit::monitor_events) != 0) throw zmq::error_t();
  const std::array<std::uint64_t, 1> may_bring{key_ ? handshake_bytes : bytes_of_a_stranger};
  to_thread_.send(zmq::buffer(monitor), zmq::send_flags::sndmore);
  to_thread_.send(zmq::buffer(may_bring), zmq::send_flags::none);
  if (!key_) return;
  if (use_ == KeyUse::prove) return socket.set(zmq::sockopt::plain_server, true);
  socket.set(zmq::sockopt::curve_server, true);
  socket.set(zmq::sockopt::curve_secretkey, key_->secret);
}

void ConnectionGuard::guard_connecting(zmq::socket_t& socket) const {
  socket.set(zmq::sockopt::maxmsgsize, std::int64_t{max_answer_bytes});
  socket.set(zmq::sockopt::rcvhwm, 1);
  socket.set(zmq::sockopt::handshake_ivl, handshake_ms);
  if (!key_) return;
  if (use_ == KeyUse::prove) {
    socket.set(zmq::sockopt::plain_username, "participant");
    return socket.set(zmq::sockopt::plain_password, key_->secret);
  }
  socket.set(zmq::sockopt::curve_serverkey, key_->open);
  socket.set(zmq::sockopt::curve_publickey, key_->open);
  socket.set(zmq::sockopt::curve_secretkey, key_->secret);
}

std::uint64_t ConnectionGuard::connection_of(zmq::message_t& part) {
  const std::string_view text = part.gets("User-Id");
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void ConnectionGuard::answer_requests() noexcept {
  for (;;) {
    try {
      auto items = limit_.items();
      items.push_back({requests_.handle(), 0, ZMQ_POLLIN, 0});
      items.push_back({told_.handle(), 0, ZMQ_POLLIN, 0});
      zmq::poll(items.data(), items.size(), limit_.period());
      if (items.back().revents != 0 && !read_bound_endpoint()) return;
      if (items[items.size() - 2].revents != 0) answer();
      limit_.check();
    } catch (const zmq::error_t& error) {
      if (error.num() != EINTR) return;  // the context was shut down
    }
  }
}

/// Of a socket that is going to be bound, or, with nothing in it, that it is over. @return whether it goes on
bool ConnectionGuard::read_bound_endpoint() {
  const auto parts = receive_parts(told_);
  if (parts.size() != 2) return false;
  std::uint64_t may_bring = 0;
  std::memcpy(&may_bring, parts[1].data(), sizeof may_bring);
  limit_.watch(*context_, parts[0].to_string(), may_bring);
  return true;
}

/// A request of RFC 27: version, number, domain, address, routing id, mechanism, and what the mechanism shows: a public
/// key, or a user's name and password.
void ConnectionGuard::answer() {
  auto request = receive_parts(requests_);
  request.resize(std::max(request.size(), std::size_t{8}));
  const bool yes = admits(request);
  const std::string number = yes ? std::to_string(++connections_) : "";
  requests_.send(request[0], zmq::send_flags::sndmore);
  requests_.send(request[1], zmq::send_flags::sndmore);
  requests_.send(zmq::buffer(std::string_view(yes ? "200" : "400")), zmq::send_flags::sndmore);
  requests_.send(zmq::message_t(), zmq::send_flags::sndmore);
  requests_.send(zmq::buffer(number), zmq::send_flags::sndmore);
  requests_.send(zmq::message_t(), zmq::send_flags::none);
}

bool ConnectionGuard::admits(const std::vector<zmq::message_t>& request) const {
  const std::string_view from = request[3].to_string_view(), mechanism = request[5].to_string_view();
  if (!key_) return !from.starts_with(local) || of_this_user(from);
  if (use_ == KeyUse::prove) return mechanism == "PLAIN" && same(request[7].to_string_view(), key_->secret);
  return mechanism == "CURVE" && request[6].to_string_view() == open_key_;
}

}  // namespace ocs
