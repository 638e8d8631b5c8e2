// How the keys of real learning are read, checked and shown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbed/experiment/experiment.hpp"
#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

inline const std::vector<std::string> gradient_kinds = {"pattern", "real"};
inline const std::vector<std::string> shard_kinds = {"iid", "sorted"};

/// "0.5", "1/2": above 0, up to 1000. @throws Error (input) with half a sentence
void parse_rate(std::string_view text, LearningJob& job);
/// "0.82": above 0, up to 1. @throws Error (input) with half a sentence
void parse_target(std::string_view text, JobSettings& job);

/// "model=softmax shards=iid rate=1/2 batch=32 every=80 target=41/50"; empty: gradients aren't real.
std::string learning_text(const JobSettings& job);

/// What real gradients ask of other keys; says which model the workload is. @throws Error (input)
void fit_learning(JobSettings& job, const Origins& origins);

}  // namespace ocs
