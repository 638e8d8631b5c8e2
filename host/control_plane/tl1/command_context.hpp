// What the function of a TL1 command works with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/server_context.hpp"
#include "host/control_plane/tl1/message.hpp"

namespace ocs::serve::tl1 {

/// What all TL1 sessions of a switch share.
struct Element {
  /// A cross-connection in the life of a Calient switch: entered, then active or not.
  struct Cross {
    std::vector<CrossConnect> circuits{};  ///< one, or two that are each other's way back
    std::string group{};
  };
  std::string name = "lightloop";       ///< SID
  std::map<std::string, Cross> book{};  ///< by name
};

/// One command being executed.
struct CommandContext {
  ServerContext& server_context;
  const Peer& peer;
  Element& element;
  const Command& command;
  Role role;
  bool& news;                               ///< autonomous messages are wanted
  std::vector<std::string> lines{};         ///< of the answer
  std::shared_ptr<const LoginTry> login{};  ///< the answer waits until it is judged
  bool logged_out = false;

  SwitchService& service() const { return server_context.service; }
};

/// A verb, what a client must be allowed, and the function.
struct Verb {
  std::string_view name;
  Role right;  ///< nobody: without a login
  void (*act)(CommandContext&);
};

std::span<const Verb> common_verbs();  ///< logins, the element, autonomous messages
std::span<const Verb> patch_verbs();   ///< as clients of Polatis switches send them
std::span<const Verb> cross_verbs();   ///< as clients of Calient switches send them

/// The Polatis dialect's port: inputs 1 to N, outputs N + 1 to 2 N.
Port port_of(int number, int ports);
int number_of(Port port, int ports);
/// @throws Denial SNVS naming the circuit in the way, IDNV; if there is a complaint.
/// @param name_of how the dialect writes a port
void throw_if(const std::optional<Complaint>& complaint, std::string (*name_of)(Port, int ports), int ports);

}  // namespace ocs::serve::tl1
