// How far a run is, for its user.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "host/core/ids.hpp"
#include "host/core/units.hpp"

namespace ocs {

/// A node and the wall time that it took, or has taken so far, to answer.
struct Answered {
  Node node{};
  std::chrono::nanoseconds took{-1};  ///< negative: nobody was asked
};

/// Called often from the engine's thread: must be cheap.
class Progress {
 public:
  struct Report {
    Picos now;
    double fraction;                 ///< 0 to 1: share of the words of all jobs that have arrived
    const std::string& waiting_for;  ///< in words
    Answered slowest;                ///< of the last exchange
  };
  virtual ~Progress() = default;
  virtual void tick(const Report& report) = 0;
};

}  // namespace ocs
