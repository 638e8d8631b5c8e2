// Makes a program that fails smaller.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "host/conformance/random_program.hpp"

namespace ocs::regress {

/// Fewer steps, fewer operations, shorter times, for at most 20 s. In the end no single step or operation can be left
/// out, unless the time was over.
/// @param same_failure whether a program still fails, and from the same cause.
void shrink(std::vector<conformance::Step>& steps,
            const std::function<bool(const std::vector<conformance::Step>&)>& same_failure);

}  // namespace ocs::regress
