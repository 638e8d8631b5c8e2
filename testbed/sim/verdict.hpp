// What came of a scenario.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ocs::sim {

struct Verdict {
  std::string violation;         ///< of what must be, in one sentence; empty: all held
  std::string trace;             ///< of everything that happened: equal texts are equal runs
  std::uint64_t starts = 0;      ///< of the run, until all rows were there; or of the server
  std::uint64_t faults = 0;      ///< that met something
  std::uint64_t failed = 0;      ///< starts that ended with a sentence
  std::vector<std::string> log;  ///< a line for each start
};

}  // namespace ocs::sim
