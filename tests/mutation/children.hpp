// Judges each mutant in a process of its own, since it may crash or never end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace ocs::conformance {

/// @param why gets what is wrong, in sentences. @return which trial notices the mutant; empty if none does.
using Killer = std::function<std::string(int mutant, std::string& why)>;

/// Prints for each mutant a line with its number, the seconds taken, and what noticed it (nothing: it survives).
/// @param jobs processes at once. @param folder gets what each prints, as MUTANT.log. @param seconds of processor time
/// that a mutant has.
void judge_each(const std::vector<int>& mutants, std::size_t jobs, const std::string& folder, unsigned seconds,
                const Killer& killer);

}  // namespace ocs::conformance
