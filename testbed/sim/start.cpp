// One start of `lightloop run` in a simulation.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/start.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <new>
#include <optional>
#include <sstream>
#include <string_view>

#include "host/core/error.hpp"
#include "host/core/out_of_memory.hpp"
#include "testbed/apps/run/experiment_arguments.hpp"
#include "testbed/apps/run/run_experiment.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/sim/sockets.hpp"
#include "testbed/sim/world.hpp"

namespace ocs::sim {
namespace {

/// What a run writes for people goes nowhere.
class Silence {
 public:
  Silence() : errors_(std::cerr.rdbuf(text_.rdbuf())), output_(std::cout.rdbuf(text_.rdbuf())) {}
  ~Silence() {
    std::cerr.rdbuf(errors_);
    std::cout.rdbuf(output_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  std::ostringstream text_;
  std::streambuf* errors_;
  std::streambuf* output_;
};

ExperimentArguments arguments_of(const Environment& environment, const std::vector<std::string>& settings) {
  ExperimentArguments arguments;
  arguments.file = (environment.data / "experiments" / "tiny.toml").string();
  arguments.overrides = settings;
  return arguments;
}

RunArguments arguments_of(const StartArguments& given, Sockets& sockets) {
  RunArguments arguments;
  arguments.experiment = given.experiment.arguments;
  arguments.experiment_read = &given.experiment.read;
  arguments.outputs.database = database_name;
  arguments.outputs.quiet = true;
  arguments.resume = given.resume;
  arguments.runner_platform = sockets.runners();
  return arguments;
}

/// As main() does it.
std::string run_coordinator(const Environment& environment, const RunArguments& arguments, StartOutcome& outcome) {
  const auto fail = [&](int code, const std::string& sentence) {
    outcome.exit_code = code;
    outcome.sentence = sentence;
  };
  try {
    run_experiment(arguments, environment);
  } catch (const Error& failure) {
    fail(failure.exit_code(), failure.what());
    if (failure.kind() == ErrorKind::internal) outcome.broken = "an internal error: " + outcome.sentence;
  } catch (const std::bad_alloc&) {
    fail(1, out_of_memory);
  } catch (const std::exception& failure) {
    fail(1, failure.what());
    outcome.broken = "an internal error: " + outcome.sentence;
  }
  return "ended with exit code " + std::to_string(outcome.exit_code);
}

/// What is left when nothing more happens.
std::string left_over(const World& world, const Sockets& sockets, const Disk& disk) {
  for (const auto& process : world.processes())
    if (!process->over) return process->name + " waits for ever";
  if (sockets.open() > 0) return std::to_string(sockets.open()) + " sockets are left open";
  if (disk.open_files() > 0) return std::to_string(disk.open_files()) + " files are left open";
  return "";
}

}  // namespace

SimulatedExperiment::SimulatedExperiment(const Environment& environment, const std::vector<std::string>& settings)
    : arguments(arguments_of(environment, settings)), read(load(arguments, environment, database_name)) {}

StartOutcome start_run(const Environment& environment, const StartArguments& arguments, Disk& disk) {
  StartOutcome outcome;
  const bool insecure = std::ranges::count(arguments.experiment.arguments.overrides, "nodes.insecure=true") > 0;
  const Silence silence;
  World world(arguments.seed);
  Sockets sockets(world, arguments.seed + 1, arguments.faults, !insecure);
  const RunArguments run = arguments_of(arguments, sockets);
  Process& coordinator =
      world.spawn("the coordinator", nullptr, [&] { return run_coordinator(environment, run, outcome); });
  disk.begin(
      arguments.faults, [&] { return !coordinator.killed; }, [&] { world.kill(coordinator); });
  try {
    world.run();
    if (outcome.broken.empty() || coordinator.killed) outcome.broken = left_over(world, sockets, disk);
  } catch (const World::Stuck& stuck) {
    outcome.broken = std::string("it hangs: ") + stuck.what();
  }
  outcome.killed = coordinator.killed;
  outcome.messages = sockets.sent();
  outcome.writes = disk.writes();
  outcome.faults = sockets.hit() + disk.hit();
  outcome.trace = world.trace_hash();
  world.end();
  return outcome;
}

StoredResults read_results(const Environment& environment, Disk& disk) {
  disk.begin(
      {}, [] { return true; }, [] {});
  if (!disk.has(database_name)) return {};
  // What was killed while it made the tables left a journal, which the next one who may write rolls back.
  // The version is in the header: the tables' definitions are not read for it.
  Sqlite(database_name, Sqlite::Access::write).number("PRAGMA user_version");
  StoredResults results;
  std::optional<StoredRows> stored;
  try {
    stored.emplace(database_name);
  } catch (const Error& refusal) {
    if (std::string_view(refusal.what()).ends_with("holds no results of lightloop")) return {};  // no tables yet
    throw;
  }
  for (const StoredRow& row : stored->sound_rows(environment.version)) {
    // Read a second time: what --resume goes by must not be all that the judge goes by.
    auto values = stored->values(stored->row(row.id));
    std::erase_if(values, [](const auto& value) { return differs_each_time(value.first); });
    results.emplace_back(to_json(row.resolved), std::move(values));
  }
  return results;
}

bool ends_for_good(const std::string& sentence) {
  return sentence.ends_with(", which is dead and never lives again") || sentence.find(" died at ") != std::string::npos;
}

bool documented(const std::string& sentence, int code) {
  // docs/nodes.md, "What can go wrong", and docs/results.md, "Damage".
  static constexpr std::array<std::string_view, 21> run = {"didn't come to tcp://",
                                                           "didn't get ready for the job",
                                                           "the process of node ",
                                                           "has gone: its connection was lost",
                                                           "a promise is owed by ",
                                                           "no sign of life from ",
                                                           "payload work stands still",
                                                           "without being asked",
                                                           "sent what can't be read",
                                                           " failed: ",
                                                           " when number ",
                                                           "came to ",
                                                           " spoke ",
                                                           "can't be written",
                                                           "promised to act at",
                                                           "answered when it had seen",
                                                           "payload was damaged",
                                                           "doesn't have the tables of its schema version",
                                                           "before it was given a job",
                                                           "came a second time",
                                                           "rows failed"};
  static constexpr std::array<std::string_view, 7> input = {"damaged",
                                                            "is not an SQLite database",
                                                            "can't be read",
                                                            "can't be written",
                                                            "another program",
                                                            "newer lightloop",
                                                            "doesn't have the tables of its schema version"};
  if (sentence.empty() || sentence.find('\n') != std::string::npos) return false;
  const auto in_it = [&](std::string_view part) { return sentence.find(part) != std::string::npos; };
  return code == 2 ? std::ranges::any_of(input, in_it) : std::ranges::any_of(run, in_it);
}

}  // namespace ocs::sim
