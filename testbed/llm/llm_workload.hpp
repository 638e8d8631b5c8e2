// A training iteration of a large language model as phases of traffic (docs/llm.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "testbed/collectives/phased_workload.hpp"
#include "testbed/llm/llm_settings.hpp"
#include "testbed/workloads/workload.hpp"

namespace ocs {

/// Of one token, forward, in one layer: of attention with its scores, of one expert (or the feed-forward part), and of
/// the router; and of the output projection. A product of matrices counts two operations for each weight.
struct TokenOperations {
  std::int64_t attention, expert, router, head;
};
TokenOperations token_operations(const LlmModel& model, std::int64_t seq);

/// Parameters that a stage keeps: those of all replicas, and those of its experts, of which ep ranks share one set.
struct StageParameters {
  std::int64_t dense, experts;
};
/// Where the output projection is the embedding, the last stage has a copy of it.
StageParameters stage_parameters(const LlmSettings& settings, std::int64_t stage);

/// The most phases that an iteration may have.
inline constexpr std::size_t most_llm_phases = 20'000;

/// @throws Error (input): "must ...", for a Gini coefficient that so many experts can't have, and too many phases
std::unique_ptr<PhasedWorkload> make_llm_workload(LlmSettings settings);

/// The model as a table of tensors: what a row calls its workload.
Workload llm_table(const LlmModel& model, std::string_view name);

}  // namespace ocs
