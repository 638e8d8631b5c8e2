// Plays a scenario with the code of `lightloop run`, and holds what came of it to what must always be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbed/session/environment.hpp"
#include "testbed/sim/scenario.hpp"

namespace ocs::sim {

struct Verdict {
  std::string violation;         ///< of what must be, in one sentence; empty: all held
  std::string trace;             ///< of everything that happened: equal texts are equal runs
  std::uint64_t starts = 0;      ///< of the run, until all rows were there
  std::uint64_t faults = 0;      ///< that met something
  std::uint64_t failed = 0;      ///< starts that ended with a sentence
  std::vector<std::string> log;  ///< a line for each start
};

/// Plays scenarios, one at a time.
class Player {
 public:
  /// @param environment its data folder holds experiments/tiny.toml
  explicit Player(Environment environment);
  ~Player();

  /// The scenario of a seed: the first experiment drawn that can run.
  Scenario draw(std::uint64_t seed);
  /// Never throws for what the scenario does. @throws Error (input): its experiment can't run even without faults.
  Verdict play(const Scenario& scenario);
  /// One number over all rows of the scenario's experiment without faults: event hashes and all columns that don't
  /// measure the machine.
  std::string hash_of_rows(const Scenario& scenario);

 private:
  class Reference;
  class ScenarioRun;
  const Reference& reference(const std::vector<std::string>& settings);

  Environment environment_;
  std::map<std::vector<std::string>, std::unique_ptr<Reference>> references_;
};

}  // namespace ocs::sim
