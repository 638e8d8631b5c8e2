// What the function of a SCPI command works with, and helpers for its parameters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/scpi/errors.hpp"
#include "host/control_plane/server_context.hpp"

namespace ocs::serve::scpi {

/// One unit being executed.
struct CommandContext {
  ServerContext& server_context;
  const Peer& peer;
  Status& status;
  std::span<const std::string_view> parameters;
  std::string reply{};                      ///< of a query
  bool until_settled = false;               ///< what follows waits until no output is on its way
  bool complete_when_settled = false;       ///< *OPC
  std::shared_ptr<const LoginTry> login{};  ///< what follows waits until it is judged

  /// @throws ScpiError -109, -108 unless there are from `least` to `most` parameters.
  void need(std::size_t least, std::size_t most) const;
  void need(std::size_t exactly) const { need(exactly, exactly); }
  SwitchService& service() const { return server_context.service; }
};

/// Ports are numbered through: inputs 1 to N, outputs N + 1 to 2 N.
Port port_of(int number, int ports);
int number_of(Port port, int ports);

/// Ports of a list, in its order. @throws ScpiError as list_of.
std::vector<Port> ports_of(std::string_view list, int ports);

/// Two lists of equal length, pair by pair. @throws ScpiError: as list_of, -222 for an output among the inputs or the
/// other way round, -226.
std::vector<CrossConnect> circuits_of(std::string_view inputs, std::string_view outputs, int ports);

/// 0 of `complaint`'s words in SCPI. @throws ScpiError -222, -221 naming the circuit in the way, -200; if there is one.
void throw_if(const std::optional<Complaint>& complaint, int ports);

/// (@1,2,3)
std::string list_text(std::span<const int> numbers);

}  // namespace ocs::serve::scpi
