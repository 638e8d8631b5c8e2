// Golden cases: complete input and expected integers, as the pages below tests/goldens/ define them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host/core/policy.hpp"
#include "host/scheduler/coflows/coflow_demand.hpp"
#include "host/scheduler/lists/rotation.hpp"
#include "host/scheduler/lists/sunflow.hpp"
#include "host/scheduler/slots/square.hpp"
#include "tests/schedulers/golden_collectives.hpp"
#include "tests/schedulers/golden_load.hpp"
#include "tests/schedulers/golden_selection.hpp"
#include "tests/schedulers/golden_sync.hpp"

namespace ocs::golden {

enum class CircuitRule : std::uint8_t { sunflow, hlf, colour, rotation_list, rotation_allstop };

/// One coflow for one circuit scheduler. Flows are numbered in the order of the file.
struct CircuitCase {
  CircuitRule rule;
  FlowOrder order = FlowOrder::given;  ///< of sunflow; its seed is Problem::seed
  RotationPorts ports;                 ///< of the rotations
  Problem problem;

  std::int64_t makespan, sum_fct, port_bound;
  std::optional<std::int64_t> optimum;
  std::optional<std::vector<std::array<std::int64_t, 5>>> circuits;  ///< src, dst, start, up, end
};

/// Several coflows for Sunflow. Flows are numbered in the order of the file.
struct CoflowsCase {
  Sharing sharing;
  Problem problem;

  std::int64_t makespan, bound;
  std::vector<std::array<std::int64_t, 2>> ends;      ///< coflow, end of its last flow
  std::vector<std::array<std::int64_t, 5>> circuits;  ///< src, dst, start, up, end
};

/// One coflow for a decomposition, from a cold switch.
struct SlotsCase {
  struct SlotTimes {
    std::int64_t cct, sum_fct;
  };
  bool solstice;  ///< else bvn
  Problem problem;

  std::int64_t budget, slots, slot_time;
  SlotTimes all_stop, hold;
  std::optional<std::vector<Square::Entry>> stuffed;
  std::optional<std::vector<Slot>> slot_list;
};

/// Tensors for the block rule.
struct BlockCase {
  std::vector<std::int64_t> elements;
  std::size_t servers;
  std::int64_t bytes_per_element;

  std::vector<std::int64_t> blocks;  ///< bytes
  std::vector<std::int64_t> server;  ///< of each block
};

/// A job whose servers are to be placed.
struct PlacementCase {
  struct Reference {
    std::vector<Node> opened, place;  ///< place: the node of each block
    std::int64_t bound;
  };
  struct Synchronisation {
    std::int64_t push, pull, both;
  };
  /// What exhaustive search found.
  struct Optimum {
    std::int64_t bound;                                       ///< T_opt
    std::vector<Node> place;                                  ///< an optimal placement
    Synchronisation sunflow, hlf, rotation, colour, longest;  ///< its synchronisation time by each rule
    std::int64_t push;                                        ///< its shortest push phase
  };
  Job job;

  std::int64_t lp_bound;
  Reference plain, exchange;
  std::optional<Optimum> optimum;
};

struct Case {
  std::string name;
  std::variant<CircuitCase, CoflowsCase, SlotsCase, BlockCase, PlacementCase, ServerCase, MomentCase, ClosedFormCase,
               BatchCase, LoadCase, LoadTotalsCase, SelectionCase, MulticastCase, ListCase, LegCase, PolicyCase,
               PlanesCase>
      content;
};

/// Reads a file: one case, a list of cases, or an object whose `cases` is one and whose
/// `algorithm` is that of all cases that name none.
/// @param file its name, for messages. @throws Error (input) that names file, case and field; an
/// unknown `algorithm` is named too.
std::vector<Case> parse_cases(std::string_view text, const std::string& file);

}  // namespace ocs::golden
