// What a training iteration sends through the switch, as phases (docs/collectives.md, section 8).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/core/units.hpp"
#include "testbed/collectives/phases.hpp"

namespace ocs {

/// One iteration: phases, and the computing that lies after the last of them.
struct PhasedIteration {
  std::vector<TrafficPhase> phases;
  Cycles tail{0};
};

/// What cuts bytes and times into words and cycles, and what draws depend on.
struct PhaseUnits {
  std::int64_t word_bytes;
  Picos cycle;
  std::uint64_t seed;
};

/// A workload that says its phases itself. It is read once and never changes.
class PhasedWorkload {
 public:
  virtual ~PhasedWorkload() = default;
  virtual int nodes() const = 0;
  /// Iterations differ, so each has legs of its own.
  virtual bool changes() const = 0;
  virtual PhasedIteration iteration(std::uint32_t number, const PhaseUnits& units) const = 0;
  virtual std::string summary() const = 0;  ///< one line, for `lightloop check`
};

}  // namespace ocs
