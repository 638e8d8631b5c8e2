// What a switch answers over SCPI, read by a client that trusts none of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/switch_service_types.hpp"

namespace ocs::serve {

inline constexpr int most_ports_of_an_answer = 32767;  ///< inputs and outputs together fit 16 bits

/// Answer to :OXC:SWITch:SIZE?, "16,16". @returns N. @throws Error (run): not as many outputs as
/// inputs, none, or too many.
int ports_in(std::string_view answer);

/// Answer to :OXC:SWITch:CONNect:STATe?, "(@1,2),(@17,18)". @returns by input. @throws Error (run): it is not two lists
/// of as many ports of a switch with `ports` inputs.
std::vector<CrossConnect> circuits_in(std::string_view answer, int ports);

/// Answer to :OCS:PORT:STATe?, words in capitals. @throws Error (run): not `count` words
std::vector<std::string> states_in(std::string_view answer, std::size_t count);

}  // namespace ocs::serve
