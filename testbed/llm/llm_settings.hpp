// A workload "llm:MODEL?dp=4,tp=8,pp=4,ep=1&batch=4&seq=4096", parsed and checked (docs/llm.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/units.hpp"
#include "testbed/llm/llm_model.hpp"

namespace ocs {

inline constexpr std::string_view llm_prefix = "llm:";

/// Of a microbatch through a stage, in picoseconds.
inline constexpr std::int64_t longest_pass = 1'000'000'000'000'000;

enum class LlmDimension : std::uint8_t { tp, dp, pp };

struct LlmSettings {
  LlmModel model{};
  std::int64_t dp = 1, tp = 1, pp = 1, ep = 1;
  std::int64_t batch = 1;  ///< sequences of one replica in an iteration
  std::int64_t micro = 1;  ///< of these, in one microbatch
  std::int64_t seq = 4096;
  std::int64_t activation_bytes = 2, gradient_bytes = 2;
  bool sharded = false;  ///< gradients are reduced and scattered, and parameters gathered
  std::array<LlmDimension, 3> order{LlmDimension::tp, LlmDimension::dp,
                                    LlmDimension::pp};  ///< the first varies fastest
  std::array<bool, 3> inside{true, false, false};       ///< by LlmDimension: it stays inside a node
  std::int64_t tflops_milli = 312'000, mfu_milli = 500, inside_gbps = 0, gini_milli = 0;
  std::string tp_algorithm = "ring", dp_algorithm = "ring", ep_algorithm = "linear";
  std::string times_file;  ///< empty: times follow from operations
  /// Of each stage: forward and backward pass of one microbatch.
  struct StageTimes {
    Picos forward, backward;
  };
  std::vector<StageTimes> times{};

  std::int64_t size_of(LlmDimension which) const;
  bool is_inside(LlmDimension which) const { return inside[static_cast<std::size_t>(which)]; }
  /// Ranks of a dimension whose traffic crosses the switch.
  std::int64_t crossing(LlmDimension which) const { return is_inside(which) ? 1 : size_of(which); }
  std::int64_t nodes() const;
  std::int64_t microbatches() const { return batch / micro; }
};

/// Without the file of times. @throws Error (input): half a sentence, "must ...", or a sentence
LlmSettings parse_llm(std::string_view name);

/// The table of times: a line stage,forward_ps,backward_ps, then one for each stage. @throws Error (input)
std::vector<LlmSettings::StageTimes> parse_stage_times(std::string_view text, std::string_view origin,
                                                       std::int64_t stages);

/// With its file of times, relative to `base`. @throws Error (input)
LlmSettings load_llm(std::string_view name, const std::filesystem::path& base);

}  // namespace ocs
