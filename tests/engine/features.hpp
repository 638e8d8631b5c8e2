// The features of features.toml: what a user can ask for, alone and in pairs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbed/experiment/experiment.hpp"

namespace ocs::test {

struct Feature {
  std::string name;
  bool job = false;                   ///< a kind of job
  bool runs = true;                   ///< within a test, with the same result each time
  std::vector<std::string> needs;     ///< "key=value", unless another feature sets that key
  std::vector<std::string> settings;  ///< "key=value"
};

using FeaturePair = std::pair<std::string, std::string>;  ///< names, in the order of the file

const std::vector<Feature>& features();
/// Both can be asked for at once: not two kinds of job, not two values of a key.
bool makes_pair(const Feature& a, const Feature& b);
/// Pairs that may be refused.
const std::set<FeaturePair>& contradictions();

/// The least experiment with all of these. The scheduler, unless one of them is a scheduler, is the first that goes
/// with them. @throws Error (input) when there is none
Experiment experiment_with(const std::vector<Feature>& features);

}  // namespace ocs::test
