// Golden cases of receiver selection and of multicast circuits, as tests/goldens/sync/fields.md defines them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/core/policy.hpp"
#include "testbed/selection/selection.hpp"
#include "tests/schedulers/golden_fields.hpp"

namespace ocs::golden {

/// One problem for the policy of that name; ticks are ns.
struct SelectionCase {
  std::string policy;
  SelectionProblem problem;

  PeerPairs basic, selected;
  std::optional<std::int64_t> bound;  ///< and loads, or none of them
  std::optional<std::vector<Ticks>> sender, receiver;
  std::vector<std::pair<std::uint16_t, Ticks>> deadlines;
  std::vector<PeerPair> aborted;
};

/// A plan of multicasts; ticks are ns.
struct MulticastCase {
  struct Start {
    std::uint16_t sender;
    Outputs receivers;
    std::int64_t start, end;
    friend bool operator==(const Start&, const Start&) = default;
  };
  Problem problem;

  std::vector<Start> circuits;  ///< in the order of their starts
};

SelectionCase read_selection(const Fields& fields, bool while_sending);
MulticastCase read_multicast(const Fields& fields);

}  // namespace ocs::golden
