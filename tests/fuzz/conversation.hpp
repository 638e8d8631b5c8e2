// Feeds any bytes to a conversation on the C++ model: in pieces, with time passing between them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "host/control_plane/conversation.hpp"
#include "host/control_plane/station.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"

namespace ocs::test {

/// Believes one password.
class FuzzDesk final : public serve::LoginDesk {
 public:
  explicit FuzzDesk(bool required) : required_(required) {}
  bool required() const override { return required_; }
  std::shared_ptr<const serve::LoginTry> judge(const serve::Peer& /*peer*/, std::string user,
                                               std::string password) override {
    return std::make_shared<serve::LoginTry>(
        serve::LoginTry{.judged = true,
                        .role = password == "right" ? serve::Role::operate : serve::Role::nobody,
                        .crowded = password == "crowd",
                        .user = user});
  }

 private:
  bool required_;
};

/// The first byte says whether logins are required and how long the pieces are; the rest is what the client sends. Ends
/// the program if a conversation waits for ever, or the map isn't one to one any more.
inline void converse(const std::uint8_t* data, std::size_t size,
                     const std::function<std::unique_ptr<serve::Conversation>(serve::Station&)>& make_conversation) {
  if (size < 1) return;
  const std::size_t piece = 1 + (data[0] >> 1);
  const auto device = make(devices(), "model", "device",
                           DeviceConfig{.ports = 4, .fifo_depth = 64, .word_bytes = 64, .cycle = Picos{5120}});
  const auto plane = make_switch(*device, {.tuning = Cycles{10}, .locking = Cycles{5}});
  serve::SwitchOffice office(*plane);
  FuzzDesk desk((data[0] & 1) != 0);
  serve::Station station{
      {.desk = desk, .limits = {}}, office, {.device = "model", .version = "1"}, [] { return std::time_t{0}; }};
  station.limits.command = 300;
  station.limits.unsent = 500;
  const auto conversation = make_conversation(station);
  std::string answer;
  const auto send = [&] {  // the answers leave, and what they held up goes on
    answer.clear();
    for (int patience = 0; conversation->has_more() && !conversation->waiting(); ++patience) {
      if (patience > 1000) std::abort();
      conversation->go_on(answer);
      answer.clear();
    }
  };
  for (std::size_t k = 1; k < size && !conversation->over(); k += piece) {
    for (int patience = 0; conversation->waiting(); ++patience) {
      if (patience > 100) std::abort();  // it waits for what has come
      office.advance_to(office.now() + Cycles{1});
      conversation->go_on(answer);
      send();
    }
    if (conversation->over()) break;
    conversation->hear({reinterpret_cast<const char*>(data) + k, std::min(piece, size - k)}, answer);
    office.advance_to(office.now() + Cycles{3});
    conversation->go_on(answer);
    send();
  }
  for (const serve::Circuit& circuit : office.circuits())
    if (office.wanted(circuit.out) != circuit.in) std::abort();
}

}  // namespace ocs::test
