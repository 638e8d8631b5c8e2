// A switch service on the C++ model, and clients that talk to it without sockets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/scpi/session.hpp"
#include "host/control_plane/server_context.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"

namespace ocs::test {

/// 4 ports; tuning takes 10 cycles, locking 5.
struct Rig {
  explicit Rig(const std::string& device_name = "model", int ports = 4)
      : device(make(devices(), device_name, "device",
                    DeviceConfig{.ports = ports, .fifo_depth = 64, .word_bytes = 64, .cycle = Picos{5120}})),
        plane(make_switch(*device, {.delays = {.tuning = Cycles{10}, .locking = Cycles{5}}})),
        service(*plane) {}

  /// The switch goes on for so many cycles.
  void pass(std::int64_t cycles) { service.advance_to(service.now() + Cycles{cycles}); }

  std::unique_ptr<Device> device;
  std::unique_ptr<Switch> plane;
  serve::SwitchService service;
  serve::OpenAuthenticator open_authenticator{};
  serve::ServerContext server_context{
      {.authenticator = open_authenticator, .limits = {}}, service, {.device = "model", .version = "1.2.3"}, [] {
        return std::time_t{1786017600};
      }};
};

/// One client.
class Client {
 public:
  explicit Client(std::unique_ptr<serve::ClientSession> session) : session_(std::move(session)) {}
  /// Sends bytes. @return what came back.
  std::string say(const std::string& bytes) {
    std::string answer;
    session_->receive_bytes(bytes, answer);
    return answer;
  }
  /// A line that ends with a line feed. @return the answer without it.
  std::string ask(const std::string& line) {
    std::string answer = say(line + "\n");
    if (!answer.empty() && answer.back() == '\n') answer.pop_back();
    return answer;
  }
  std::string go_on() {
    std::string answer;
    session_->go_on(answer);
    return answer;
  }
  serve::ClientSession& session() { return *session_; }

 private:
  std::unique_ptr<serve::ClientSession> session_;
};

inline Client scpi_client(Rig& rig, std::string_view end = "\n") {
  return Client(serve::scpi::make_session(rig.server_context, end));
}

inline serve::CrossConnect circuit(int in, int out) {
  return {Input{static_cast<std::uint16_t>(in)}, Output{static_cast<std::uint16_t>(out)}};
}

}  // namespace ocs::test
