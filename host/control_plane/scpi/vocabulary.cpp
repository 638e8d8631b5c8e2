// Finds a SCPI command by its header.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/scpi/vocabulary.hpp"

#include <algorithm>

#include "host/control_plane/scpi/message.hpp"

namespace ocs::serve::scpi {

Vocabulary::Vocabulary() {
  for (const auto commands : {common_commands(), oxc_commands(), ocs_commands()})
    for (const Command& command : commands) {
      std::string_view rest = command.header;
      Entry entry{.nodes = {}, .query = rest.ends_with('?'), .command = &command};
      if (entry.query) rest.remove_suffix(1);
      while (!rest.empty()) {
        const bool optional = rest.front() == '[';
        rest.remove_prefix(std::min(rest.find_first_not_of("[:]"), rest.size()));
        const std::size_t end = std::min(rest.find_first_of("[:]"), rest.size());
        if (end > 0) entry.nodes.push_back({.word = rest.substr(0, end), .optional = optional});
        rest.remove_prefix(end);
        if (rest == "]") break;
      }
      entries_.push_back(std::move(entry));
    }
}

bool Vocabulary::fits(std::span<const Node> nodes, std::span<const std::string> words) {
  if (nodes.empty()) return words.empty();
  if (!words.empty() && mnemonic_fits(nodes.front().word, words.front()) && fits(nodes.subspan(1), words.subspan(1)))
    return true;
  return nodes.front().optional && fits(nodes.subspan(1), words);
}

const Command* Vocabulary::find(std::span<const std::string> words, bool query) const {
  for (const Entry& entry : entries_)
    if (entry.query == query && fits(entry.nodes, words)) return entry.command;
  return nullptr;
}

}  // namespace ocs::serve::scpi
