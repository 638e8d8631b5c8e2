// Feeds any bytes to a session on the C++ model: in pieces, with time passing between them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/server_context.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"

namespace ocs::test {

/// Believes one password.
class FuzzAuthenticator final : public serve::Authenticator {
 public:
  explicit FuzzAuthenticator(bool required) : required_(required) {}
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
/// the program if a session waits for ever, or the map isn't one to one any more.
inline void converse(const std::uint8_t* data, std::size_t size,
                     const std::function<std::unique_ptr<serve::ClientSession>(serve::ServerContext&)>& make_session) {
  if (size < 1) return;
  const std::size_t piece = 1 + (data[0] >> 1);
  const auto device = make(devices(), "model", "device",
                           DeviceConfig{.ports = 4, .fifo_depth = 64, .word_bytes = 64, .cycle = Picos{5120}});
  const auto plane = make_switch(*device, {.delays = {.tuning = Cycles{10}, .locking = Cycles{5}}});
  serve::SwitchService service(*plane);
  FuzzAuthenticator authenticator((data[0] & 1) != 0);
  serve::ServerContext server_context{
      {.authenticator = authenticator, .limits = {}}, service, {.device = "model", .version = "1"}, [] {
        return std::time_t{0};
      }};
  server_context.limits.command = 300;
  server_context.limits.unsent = 500;
  const auto session = make_session(server_context);
  std::string answer;
  const auto send = [&] {  // the answers leave, and what they held up goes on
    answer.clear();
    for (int patience = 0; session->has_more() && !session->waiting(); ++patience) {
      if (patience > 1000) std::abort();
      session->go_on(answer);
      answer.clear();
    }
  };
  for (std::size_t k = 1; k < size && !session->over(); k += piece) {
    for (int patience = 0; session->waiting(); ++patience) {
      if (patience > 100) std::abort();  // it waits for what has come
      service.advance_to(service.now() + Cycles{1});
      session->go_on(answer);
      send();
    }
    if (session->over()) break;
    session->receive_bytes({reinterpret_cast<const char*>(data) + k, std::min(piece, size - k)}, answer);
    service.advance_to(service.now() + Cycles{3});
    session->go_on(answer);
    send();
  }
  for (const serve::CrossConnect& circuit : service.circuits())
    if (service.wanted(circuit.out) != circuit.in) std::abort();
}

}  // namespace ocs::test
