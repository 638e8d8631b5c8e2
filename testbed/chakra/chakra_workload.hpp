// Chakra traces as a workload of an experiment: their graph says what happens when.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "testbed/chakra/chakra_graph.hpp"
#include "testbed/collectives/phased_workload.hpp"

namespace ocs {

/// It has no phases in a fixed order: run_chakra_job() runs its graph.
class ChakraWorkload final : public PhasedWorkload {
 public:
  explicit ChakraWorkload(ChakraGraph graph) : graph_(std::make_shared<const ChakraGraph>(std::move(graph))) {}
  int nodes() const override { return graph_->ranks; }
  bool changes() const override { return false; }
  PhasedIteration iteration(std::uint32_t, const PhaseUnits&) const override {
    throw Error(ErrorKind::internal, "a Chakra trace has no phases");
  }
  std::string summary() const override {
    return std::to_string(graph_->ranks) + " ranks, " + std::to_string(graph_->steps.size()) + " nodes, " +
           std::to_string(graph_->exchanges.size()) + " exchanges";
  }
  const std::shared_ptr<const ChakraGraph>& graph() const { return graph_; }

 private:
  std::shared_ptr<const ChakraGraph> graph_;
};

}  // namespace ocs
