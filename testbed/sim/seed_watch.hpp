// Real time that one seed may take.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace ocs::sim {

/// From here on the process plays this seed. If it still does after `longest`, it hangs where virtual time can't show
/// it: the process ends with a sentence on standard error and exit code 1. If the program crashes, standard error gets the
/// seed and the signal, and the process ends by that signal.
void watch_seed(std::uint64_t seed, std::chrono::seconds longest);

/// The process plays no seed any more.
void watch_no_seed();

}  // namespace ocs::sim
