// The program lightloop-sim: simulates whole runs with faults, from seeds.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "host/core/error.hpp"
#include "testbed/session/data_folder.hpp"
#include "testbed/sim/play.hpp"

namespace {

using namespace ocs;
using namespace ocs::sim;

struct Arguments {
  std::string seed, scenario;
};

int show(const Scenario& scenario, const Verdict& verdict) {
  for (const std::string& line : verdict.log) std::cout << line << '\n';
  std::cout << "trace " << verdict.trace << ", " << verdict.faults << " faults\n";
  if (verdict.violation.empty()) return 0;
  std::cout << "VIOLATION: " << verdict.violation << "\nlightloop-sim --scenario '" << to_text(scenario) << "'\n";
  return 1;
}

int many(Player& player, std::uint64_t first, std::uint64_t runs) {
  const auto began = std::chrono::steady_clock::now();
  std::uint64_t starts = 0, faults = 0, failed = 0, bad = 0;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    const Scenario scenario = player.draw(seed);
    const Verdict verdict = player.play(scenario);
    starts += verdict.starts, faults += verdict.faults, failed += verdict.failed;
    if (verdict.violation.empty()) continue;
    ++bad;
    show(scenario, verdict);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::cout << runs << " runs, " << starts << " starts, " << faults << " faults, " << failed << " failed, " << bad
            << " violations, " << static_cast<double>(runs) / seconds << " runs a second\n";
  return bad == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("lightloop-sim");
  std::uint64_t seed = 1, runs = 0;
  std::string text;
  app.add_option("--seed", seed);
  app.add_option("--runs", runs);
  app.add_option("--scenario", text);
  CLI11_PARSE(app, argc, argv);
  const std::filesystem::path data = data_folder(std::getenv("LIGHTLOOP_DATA"));
  Player player({.data = data, .switches = switches_folder(data), .version = "simulated"});
  if (runs > 0) return many(player, seed, runs);
  const Scenario scenario = text.empty() ? player.draw(seed) : parse_scenario(text);
  std::cout << to_text(scenario) << '\n';
  return show(scenario, player.play(scenario));
}
