// Sunflow: non-preemptive circuits for one coflow, started as soon as both their ports are free.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/scheduler/demand.hpp"

namespace ocs {

/// The order in which waiting flows are tried.
enum class FlowOrder : std::uint8_t {
  given,    ///< of Problem::flows
  src_dst,  ///< ascending (input, output)
  longest,  ///< descending length, ties by (input, output)
  random,   ///< a shuffle of src_dst (Fisher-Yates, splitmix64) drawn from Problem::seed
};

/// Source: Huang, Sun, Ng, "Sunflow: Efficient Optical Circuit Scheduling for Coflows", CoNEXT 2016; intra-coflow part,
/// tie rules of the public simulator in exact integers: circuits that end at one instant are freed one at a time, in
/// the order of their starts, each followed by a scan of its own. Ends within twice the port bound.
class Sunflow : public Scheduler {
 public:
  explicit Sunflow(FlowOrder order) : order_(order) {}
  /// @throws Error (input) as read_demand().
  Plan plan(const Problem& problem) const override;

 private:
  FlowOrder order_;
};

/// The same of a demand that has been read. @param seed for FlowOrder::random.
Plan plan_sunflow(const Demand& demand, FlowOrder order, std::uint64_t seed = 0);

}  // namespace ocs
