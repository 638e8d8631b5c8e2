// A client of a switch that speaks SCPI over TCP, one question at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/net/line_client.hpp"
#include "host/control_plane/switch_service_types.hpp"

namespace ocs::serve {

class ScpiClient {
 public:
  /// Connects. @param where HOST, HOST:PORT or [ADDRESS]:PORT; without PORT 5025. @param patience for the connection
  /// and for each answer. @param tls none: not encrypted. @throws Error (run): nobody answers, or not with a
  /// certificate for HOST; Error (input): `where` isn't an address.
  ScpiClient(const std::string& where, std::chrono::milliseconds patience,
             std::shared_ptr<boost::asio::ssl::context> tls = nullptr);

  /// @throws Error (run): no answer in time, or the connection ended.
  std::string ask(const std::string& message);
  /// Sends a message without questions, and asks whether it was refused. @throws also Error (run) with the error.
  void command(const std::string& message);

  int ports();  ///< N. @throws Error (run): not as many outputs as inputs, no answer of that kind
  std::vector<CrossConnect> circuits();                                     ///< by input
  std::vector<std::string> states(std::span<const CrossConnect> circuits);  ///< of their outputs: TUNED

 private:
  template <class Read>
  auto understood(const Read& read) const;

  std::string where_;
  LineClient connection_;
  int ports_ = 0;
  bool answered_ = false;  ///< the other end speaks in lines
};

/// Circuits as two lists: (@1,2),(@17,18).
std::string two_lists(std::span<const CrossConnect> circuits, int ports);

}  // namespace ocs::serve
