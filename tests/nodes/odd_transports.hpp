// Transports that misbehave on purpose: they shuffle, damage or swallow messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <utility>

#include "host/transport/fields.hpp"

namespace ocs {

/// Any order between peers, the right one per peer.
class ShufflingTransport : public Transport {
 public:
  ShufflingTransport(std::unique_ptr<Transport> inner, std::uint64_t seed) : inner_(std::move(inner)), random_(seed) {}
  void send(Message message) override { inner_->send(std::move(message)); }
  std::optional<Message> receive(std::chrono::milliseconds patience) override {
    while (auto message = inner_->receive(held_.empty() ? patience : std::chrono::milliseconds{0})) {
      held_[message->header.from].push_back(std::move(*message));
    }
    if (held_.empty()) return std::nullopt;
    auto chosen = held_.begin();
    std::advance(chosen, static_cast<std::ptrdiff_t>(random_() % held_.size()));
    Message message = std::move(chosen->second.front());
    chosen->second.pop_front();
    if (chosen->second.empty()) held_.erase(chosen);
    return message;
  }

 private:
  std::unique_ptr<Transport> inner_;
  std::mt19937_64 random_;
  std::map<std::uint16_t, std::deque<Message>> held_;
};

/// Calls a function on each message before it is sent; the message goes out if it returns true.
class MeddlingTransport : public Transport {
 public:
  using Meddle = std::function<bool(Message&)>;
  MeddlingTransport(std::unique_ptr<Transport> inner, Meddle meddle)
      : inner_(std::move(inner)), meddle_(std::move(meddle)) {}
  void send(Message message) override {
    if (meddle_(message)) inner_->send(std::move(message));
  }
  std::optional<Message> receive(std::chrono::milliseconds patience) override { return inner_->receive(patience); }

 private:
  std::unique_ptr<Transport> inner_;
  Meddle meddle_;
};

/// Receives the first message that `chosen` accepts twice, with nothing in between.
class RepeatingTransport : public Transport {
 public:
  using Chosen = std::function<bool(const Message&)>;
  RepeatingTransport(std::unique_ptr<Transport> inner, Chosen chosen)
      : inner_(std::move(inner)), chosen_(std::move(chosen)) {}
  void send(Message message) override { inner_->send(std::move(message)); }
  std::optional<Message> receive(std::chrono::milliseconds patience) override {
    if (again_) return std::exchange(again_, std::nullopt);
    std::optional<Message> message = inner_->receive(patience);
    if (message && !repeated_ && chosen_(*message)) {
      again_ = message;
      repeated_ = true;
    }
    return message;
  }

 private:
  std::unique_ptr<Transport> inner_;
  Chosen chosen_;
  std::optional<Message> again_;
  bool repeated_ = false;
};

/// The same payload with one bit of byte `at` turned over, in memory of its own.
inline Payload damaged(const Payload& payload, std::size_t at) {
  std::shared_ptr<std::byte[]> copy(new std::byte[payload.size]);
  std::memcpy(copy.get(), payload.data.get(), payload.size);
  copy[at] ^= std::byte{1};
  return {copy, payload.size};
}

}  // namespace ocs
