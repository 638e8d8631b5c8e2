// What input must be, where the sentence of its refusal can be made in any case.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "host/core/error.hpp"

namespace ocs {

/// Refuses input that is not right. @throws Error (input).
inline void require(bool right, const std::string& sentence) {
  if (!right) refuse(sentence);
}

}  // namespace ocs
