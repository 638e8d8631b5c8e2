// The SCPI commands that there are: their headers, what a client must be allowed, and their functions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/scpi/command_context.hpp"

namespace ocs::serve::scpi {

/// A header as in SCPI-99: capitals are the short form, [nodes] may be left out, ? makes it a query.
struct Command {
  std::string_view header;
  Role right;  ///< nobody: without a login
  void (*act)(CommandContext&);
};

std::span<const Command> common_commands();  ///< *IDN? and the like, SYSTem, STATus
std::span<const Command> oxc_commands();     ///< as clients of Polatis switches send them
std::span<const Command> ocs_commands();     ///< of lightloop: states and modes as in SONiC-OCS, counters, faults

/// All of them, looked up by header.
class Vocabulary {
 public:
  Vocabulary();
  /// nullptr if there is none. @param words as mnemonics_of gives them
  const Command* find(std::span<const std::string> words, bool query) const;

 private:
  struct Node {
    std::string_view word;
    bool optional;
  };
  struct Entry {
    std::vector<Node> nodes;
    bool query;
    const Command* command;
  };
  static bool fits(std::span<const Node> nodes, std::span<const std::string> words);
  std::vector<Entry> entries_;
};

}  // namespace ocs::serve::scpi
