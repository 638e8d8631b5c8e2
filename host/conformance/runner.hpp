// Runs a register program on a device and gathers all that can be observed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/conformance/program.hpp"
#include "host/core/device.hpp"

namespace ocs::conformance {

/// Something observed, and the operation that brought it.
template <class T>
struct FromOp {
  T value;
  std::size_t op;  ///< position in the program; its size: found at the end
};

struct Observation {
  std::uint64_t time = 0;                                 ///< TIME at the end
  std::vector<FromOp<LoggedEvent>> events;                ///< of `drain` and of the end
  std::vector<FromOp<nlohmann::json>> reads;              ///< of `read`, `pop` and refused accesses
  Counters counters;                                      ///< at the end
  std::vector<std::uint64_t> last;                        ///< all readable registers at the end
  std::vector<FromOp<std::vector<std::uint64_t>>> trace;  ///< live registers after each advance, if asked for
  std::vector<std::string> breaches;  ///< of what holds for every program: time, stamps, words, irq, STEP_ERROR
  std::uint64_t cycles = 0;           ///< how far the clock was moved, resets apart
};

struct RunOptions {
  bool trace = false;              ///< fill Observation::trace
  std::uint64_t single_up_to = 0;  ///< an `advance` of at most so many cycles is done one by one, each traced
};

/// @throws Error (run) if the device's clock stands still or its FIFO never ends; what the bus
/// throws but AccessRefused.
Observation run_program(Device& device, int ports, int fifo_depth, std::span<const Op> program,
                        const RunOptions& options = {});

}  // namespace ocs::conformance
