// Plays a scenario with the code of `lightloop run` or `lightloop serve`, and holds what came of it to what must always be.
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
#include "testbed/sim/verdict.hpp"

namespace ocs::sim {

/// Plays scenarios, one at a time.
class Player {
 public:
  /// @param environment its data folder holds experiments/tiny.toml
  explicit Player(Environment environment);
  ~Player();

  /// The scenario of a run of a seed: the first experiment drawn that can run. draw_serve() draws those of servers.
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
