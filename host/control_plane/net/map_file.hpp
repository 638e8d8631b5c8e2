// The map that a switch is to have, from a file, and what has to be done for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/switch_service_types.hpp"

namespace ocs::serve {

/// circuits = ["1A-2B", ...]: input 1 to output 2, as SONiC-OCS writes them. By input.
/// @param origin for messages. @throws Error (input): malformed, a port twice, a number out of 1 to 256.
std::vector<CrossConnect> parse_map(std::string_view text, const std::string& origin);
/// @throws also Error (input): the file can't be read, or is larger than 1 MiB.
std::vector<CrossConnect> read_map(const std::filesystem::path& file);

/// "1A-2B"
std::string name_of(const CrossConnect& circuit);

/// What is to go, to come and to stay; a circuit that stays isn't disturbed.
struct Difference {
  std::vector<CrossConnect> remove{}, add{}, keep{};
};
/// Both sorted by input, as parse_map() and the switch give them.
Difference difference(const std::vector<CrossConnect>& there, const std::vector<CrossConnect>& wanted);

}  // namespace ocs::serve
