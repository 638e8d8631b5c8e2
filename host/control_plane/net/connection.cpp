// Bytes in, bytes out.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/connection.hpp"

#include <algorithm>

#include "host/control_plane/net/login_queue.hpp"

namespace ocs::serve {

using boost::system::error_code;

namespace {

constexpr std::size_t told_at_most = 8;  // times `unsent`
constexpr std::chrono::milliseconds look_every{500};

}  // namespace

Connection::Connection(std::unique_ptr<ClientStream> stream, const ServerPlatform& platform, const Peer& peer,
                       std::unique_ptr<ClientSession> session, ConnectionContext& context, const Hooks& hooks)
    : stream_(std::move(stream)),
      platform_(platform),
      peer_(peer),
      network_(network_of(peer.address)),
      session_(std::move(session)),
      context_(context),
      limits_(context.limits),
      tally_(context.tally(peer.dialect)),
      hooks_(hooks),
      begin_(platform.now()) {
  ++tally_.open;
  ++tally_.connections;
}

Connection::~Connection() { close(); }

void Connection::start() {
  stream_->async_open([self = shared_from_this()](error_code error) { self->opened(error); });
}

void Connection::opened(error_code error) {
  if (!is_open()) return;
  if (error) {
    context_.note(peer_, "refused: no TLS: " + error.message());
    return close();
  }
  open_ = true;
  last_ = platform_.now();
  read();
}

/// Lets the session say something, and sends it.
template <class Say>
void Connection::converse(Say say) {
  try {
    say();
  } catch (...) {
    hooks_.failed(std::current_exception());
    return;
  }
  // A client that is told much without asking, and fetches nothing of it, isn't waited for. What it has asked for is
  // never as much: one answer beyond `unsent`.
  if (answer_.size() > told_at_most * limits_.unsent) return close();
  write();
  read();
}

void Connection::read() {
  if (!open_ || parted_ || reading_ || ended_ || !is_open() || full() || has_work() || session_->over()) return;
  reading_ = true;
  stream_->async_read_some(heard_, [self = shared_from_this()](error_code error, std::size_t size) {
    self->reading_ = false;
    if (error) {
      self->ended_ = true;  // what was asked before is still answered
      self->left_ = self->platform_.now();
      if (!self->writing_ && self->answer_.empty() && !self->has_work()) self->close();
      return;
    }
    self->last_ = self->platform_.now();
    self->spoken_ = true;
    self->converse([&] {
      self->hooks_.before_command();
      self->session_->receive_bytes({self->heard_.data(), size}, self->answer_);
    });
  });
}

void Connection::write() {
  if (writing_ || parted_ || !is_open()) return;
  if (answer_.empty()) {
    if (session_->over() || (ended_ && !has_work())) part();
    return;
  }
  writing_ = true;
  sending_.swap(answer_);
  stream_->async_write(sending_, [self = shared_from_this()](error_code error, std::size_t) {
    self->writing_ = false;
    self->sending_.clear();
    if (error) return self->close();
    self->last_ = self->platform_.now();
    if (self->session_->has_more()) return self->converse([&] { self->session_->go_on(self->answer_); });
    self->write();
    self->read();
  });
}

void Connection::part() {
  if (!stream_->encrypts() || reading_ || ended_) return close();
  parted_ = platform_.now();  // without its word, a client couldn't tell this end from one that a stranger made
  stream_->async_part([self = shared_from_this()](error_code) { self->close(); });
}

bool Connection::dispensable(Clock::time_point now) const {
  if (!open_ || parted_) return true;
  if (session_->waiting()) return false;
  return !session_->admitted() || (!spoken_ && now - begin_ > limits_.login_time);
}

bool Connection::is_late(Clock::time_point now) const {
  if (parted_) return now - *parted_ > limits_.farewell;
  if (!open_ && now - begin_ > std::min(limits_.login_time, limits_.idle)) {
    context_.note(peer_, "refused: no TLS in time");
    return true;
  }
  if (left_ && now - std::max(*left_, last_) > limits_.farewell && has_work()) return true;
  if (!session_->admitted() && now - begin_ > limits_.login_time) {
    context_.note(peer_, "refused: no login in time");
    return true;
  }
  return now - last_ > limits_.idle && (writing_ || !session_->waiting());
}

void Connection::look_for_client(Clock::time_point now) {
  looked_ = now;
  const ClientStream::Client client = stream_->look();
  if (client == ClientStream::Client::gone) return close();
  if (client == ClientStream::Client::ended && !left_) left_ = now;
}

void Connection::go_on(Clock::time_point now) {
  if (!is_open()) return;
  if (is_late(now)) return close();
  if (!open_ || parted_) return;
  if (!reading_ && !ended_ && now - looked_ > look_every) look_for_client(now);
  if (!is_open()) return;
  converse([&] { session_->go_on(answer_); });
}

void Connection::close() {
  if (!is_open()) return;
  --tally_.open;
  stream_->close();
}

}  // namespace ocs::serve
