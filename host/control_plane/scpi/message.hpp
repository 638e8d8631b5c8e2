// A SCPI message as units: headers, and parameters as they were written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/scpi/errors.hpp"

namespace ocs::serve::scpi {

/// One unit of a message. Views are into the message.
struct Unit {
  std::string_view header{};  ///< without ?; with its leading colon or asterisk if it has one
  bool query = false;
  std::vector<std::string_view> parameters{};  ///< blanks around them removed
};

/// Cuts a message at its semicolons; not within quotes. Units that are empty are left out.
std::vector<std::string_view> split_units(std::string_view message);

/// @throws ScpiError: -101, -102, -109, -111, -112, -151.
Unit parse_unit(std::string_view text);

/// The words of a header, in capitals: ":OXC:SWIT:SIZE" is OXC, SWIT, SIZE.
/// @throws ScpiError -112, -113
std::vector<std::string> mnemonics_of(std::string_view header);

/// "SWITch" fits SWIT and SWITCH, in any case, nothing else.
bool mnemonic_fits(std::string_view pattern, std::string_view word);

/// A whole number, also as 1.0 or 1e1. @throws ScpiError: -104, -121, -124, -222 out of least...most.
std::int64_t integer_of(std::string_view text, std::int64_t least, std::int64_t most);

/// The text between quotes, doubled ones halved. @throws ScpiError -104, -151.
std::string string_of(std::string_view text);

/// (@1,2,4:6) as 1 2 4 5 6. @throws ScpiError: -104 no list, -171 malformed, -222 a number out of 1...most.
std::vector<int> list_of(std::string_view text, int most);

}  // namespace ocs::serve::scpi
