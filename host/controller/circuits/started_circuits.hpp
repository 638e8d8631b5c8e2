// Which circuits reservations that have begun leave behind, for plans that are made while others go on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// Keeps, for one plane, what each input is joined to once all that has begun is executed, and until when.
class StartedCircuits {
 public:
  explicit StartedCircuits(int ports) : inputs_(static_cast<std::size_t>(ports)), source_(inputs_.size(), -1) {}

  void begin(const Reservation& r);
  /// It has ended at `at`, which is before its planned end if it was cut.
  void end(const Reservation& r, Ticks at);
  /// Problem::up of a plan made at `now`. @param confirmed ends are told by end(): what hasn't ended is busy.
  std::vector<EstablishedCircuit> circuits(Ticks now, bool confirmed);

 private:
  struct Port {
    Outputs peers;  ///< that it is joined to, as planned
    Ticks free_at;
    Ticks last_start;  ///< of the reservation that began last
    int carrying = 0;  ///< reservations that have begun and haven't ended
  };
  std::vector<Port> inputs_;
  std::vector<std::int32_t> source_;  ///< of each output
};

}  // namespace ocs
