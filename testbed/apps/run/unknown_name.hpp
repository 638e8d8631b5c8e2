// A refusal of a name that a command does not know.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ocs {

/// "unknown device "modle" (did you mean "model"?); known: model, soc"
std::string unknown_name(std::string_view kind, std::string_view name, std::span<const std::string> known);

}  // namespace ocs
