// Bytes in, bytes out.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace ocs::serve {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::size_t told_at_most = 8;  // times `unsent`

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, std::unique_ptr<Conversation> conversation, const Limits& limits,
                       Tally& tally, const Hooks& hooks)
    : socket_(std::move(socket)),
      conversation_(std::move(conversation)),
      limits_(limits),
      tally_(tally),
      hooks_(hooks) {
  ++tally_.open;
  ++tally_.connections;
}

Connection::~Connection() { --tally_.open; }

void Connection::start() {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);  // answers are whole: none waits for more
  read();
}

/// Lets the conversation say something, and sends it.
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
  if (reading_ || ended_ || !is_open() || full() || has_work() || conversation_->over()) return;
  reading_ = true;
  socket_.async_read_some(asio::buffer(heard_), [self = shared_from_this()](error_code error, std::size_t size) {
    self->reading_ = false;
    if (error) {
      self->ended_ = true;  // what was asked before is still answered
      if (!self->writing_ && self->answer_.empty() && !self->has_work()) self->close();
      return;
    }
    self->last_ = Clock::now();
    self->converse([&] {
      self->hooks_.before_command();
      self->conversation_->hear({self->heard_.data(), size}, self->answer_);
    });
  });
}

void Connection::write() {
  if (writing_ || !is_open()) return;
  if (answer_.empty()) {
    if (conversation_->over() || (ended_ && !has_work())) close();
    return;
  }
  writing_ = true;
  sending_.swap(answer_);
  asio::async_write(socket_, asio::buffer(sending_), [self = shared_from_this()](error_code error, std::size_t) {
    self->writing_ = false;
    self->sending_.clear();
    if (error) return self->close();
    self->last_ = Clock::now();
    if (self->conversation_->has_more()) return self->converse([&] { self->conversation_->go_on(self->answer_); });
    self->write();
    self->read();
  });
}

void Connection::go_on(Clock::time_point now) {
  if (!is_open()) return;
  if (now - last_ > limits_.idle && !conversation_->waiting()) return close();
  converse([&] { conversation_->go_on(answer_); });
}

void Connection::close() {
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace ocs::serve
