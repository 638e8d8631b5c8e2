// Plays a scenario and judges it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/play.hpp"

#include <algorithm>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "testbed/sim/serve/serve_run.hpp"
#include "testbed/sim/start.hpp"

namespace ocs::sim {

/// The same experiment without faults.
class Player::Reference {
 public:
  Reference(const Environment& environment, const std::vector<std::string>& settings)
      : experiment(environment, settings) {
    Disk disk(0);
    const StartOutcome outcome = start_run(environment, {experiment, 0, {}, false}, disk);
    if (outcome.exit_code == 2) throw Error(ErrorKind::input, outcome.sentence);
    if (outcome.exit_code == 1 && ends_for_good(outcome.sentence))
      ending = outcome.sentence;
    else if (outcome.exit_code != 0)
      broken = "without a fault it says: " + outcome.sentence;
    if (!outcome.broken.empty()) broken = "without a fault: " + outcome.broken;
    messages = outcome.messages;
    writes = outcome.writes;
    for (auto& [resolved, values] : read_results(environment, disk)) rows.emplace(resolved, std::move(values));
  }
  SimulatedExperiment experiment;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> rows;
  std::uint64_t messages = 0, writes = 0;
  std::string ending;  ///< the sentence with which a row of it ends the run; empty: all rows end well
  std::string broken;  ///< it doesn't even go well without faults
};

namespace {
constexpr std::size_t most_references = 1'000;
}

/// One scenario as it goes on.
class Player::ScenarioRun {
 public:
  ScenarioRun(const Environment& environment, const Scenario& scenario, const Reference& calm)
      : environment_(environment), scenario_(scenario), calm_(calm), disk_(scenario.seed) {}

  Verdict run() {
    std::uint32_t last = 0;
    for (const Fault& fault : scenario_.faults) last = std::max(last, fault.start);
    for (std::uint32_t start = 0; start <= last + 1 && verdict_.violation.empty() && !over_ && !complete_; ++start)
      one_start(start, start == last + 1);
    verdict_.trace = trace_.hex();
    return std::move(verdict_);
  }

 private:
  /// @param free of faults: it has to end well
  void one_start(std::uint32_t start, bool free) {
    std::vector<Fault> faults;
    for (const Fault& fault : scenario_.faults) {
      if (fault.start != start) continue;
      if (fault.kind == FaultKind::flip) {
        const bool there = disk_.flip(database_name, fault.arg);
        flipped_ = flipped_ || there;
        verdict_.faults += there ? 1 : 0;
      } else {
        faults.push_back(fault);
      }
    }
    const StartOutcome outcome =
        start_run(environment_, {calm_.experiment, scenario_.seed + start, std::move(faults), start > 0}, disk_);
    ++verdict_.starts;
    verdict_.faults += outcome.faults;
    trace_.add(outcome.trace, 8);
    trace_.add(outcome.sentence);
    verdict_.log.push_back("start " + std::to_string(start) + ": " + std::to_string(outcome.messages) + " messages, " +
                           std::to_string(outcome.writes) + " writes, " +
                           (outcome.killed ? "killed" : "exit code " + std::to_string(outcome.exit_code)) +
                           (outcome.sentence.empty() ? "" : ": " + outcome.sentence));
    judge(outcome, free);
  }

  void judge(const StartOutcome& outcome, bool free) {
    if (!outcome.broken.empty()) return violate(outcome.broken);
    const bool good =
        !outcome.killed && outcome.exit_code == (calm_.ending.empty() ? 0 : 1) && outcome.sentence == calm_.ending;
    if (!outcome.killed && outcome.exit_code != 0) ++verdict_.failed;
    if (!outcome.killed && !good) {
      if (outcome.exit_code == 0) return violate("exit code 0, but without faults it says: " + calm_.ending);
      if (!documented(outcome.sentence, outcome.exit_code))
        return violate("exit code " + std::to_string(outcome.exit_code) +
                       " with no documented sentence: " + outcome.sentence);
      const bool refused = outcome.exit_code == 2 && outcome.sentence.find("can't be written") == std::string::npos;
      const bool of_tables = outcome.sentence.find("tables of its schema version") != std::string::npos;
      if ((refused || of_tables) && !flipped_) return violate("nothing was damaged, but it says: " + outcome.sentence);
      over_ = refused || of_tables;
    }
    judge_rows(good);
    if (free && !good && !over_) violate("faults have stopped, but it says: " + outcome.sentence);
  }

  /// @param all every row has to be there
  void judge_rows(bool all) {
    StoredResults rows;
    try {
      rows = read_results(environment_, disk_);
    } catch (const Error& damage) {
      over_ = true;
      if (!flipped_) violate(std::string("the database is damaged: ") + damage.what());
      if (all) violate(std::string("exit code 0, but the database is damaged: ") + damage.what());
      return;
    }
    std::map<std::string, int> there;
    for (const auto& [resolved, values] : rows) {
      const auto expected = calm_.rows.find(resolved);
      if (expected == calm_.rows.end()) return violate("there is a row that nobody asked for: " + resolved);
      if (++there[resolved] > 1) return violate("there are two rows of " + resolved);
      const auto [ours, theirs] = std::ranges::mismatch(values, expected->second);
      if (ours != values.end())
        return violate("a row is wrong: " + ours->first + " is " + ours->second + "; it should be " + theirs->second);
    }
    for (const std::string& known : finished_)
      if (!there.contains(known)) return violate("a finished row is lost: " + known);
    for (const auto& [resolved, count] : there)
      if (std::ranges::find(finished_, resolved) == finished_.end()) finished_.push_back(resolved);
    complete_ = all;
    if (all && there.size() != calm_.rows.size())
      violate((calm_.ending.empty() ? "exit code 0, but " : "it ends as without faults, but ") +
              std::to_string(there.size()) + " of " + std::to_string(calm_.rows.size()) + " rows are there");
  }

  void violate(const std::string& what) {
    if (verdict_.violation.empty()) verdict_.violation = what;
  }

  const Environment& environment_;
  const Scenario& scenario_;
  const Reference& calm_;
  Disk disk_;
  Verdict verdict_;
  Fnv1a trace_;
  std::vector<std::string> finished_;
  bool flipped_ = false;
  bool complete_ = false;  ///< every row is there
  bool over_ = false;      ///< the database is refused: it ends here
};

Player::Player(Environment environment) : environment_(std::move(environment)) {}
Player::~Player() = default;

const Player::Reference& Player::reference(const std::vector<std::string>& settings) {
  const auto found = references_.find(settings);
  if (found != references_.end()) return *found->second;
  auto made = std::make_unique<Reference>(environment_, settings);
  if (references_.size() >= most_references) references_.clear();
  return *(references_[settings] = std::move(made));
}

Scenario Player::draw(std::uint64_t seed) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    std::vector<std::string> settings = draw_settings(seed, attempt);
    try {
      const Reference& calm = reference(settings);
      return {seed, std::move(settings), draw_faults(seed, calm.messages, calm.writes)};
    } catch (const Error& refusal) {
      if (refusal.kind() != ErrorKind::input || attempt == 100) throw;
    }
  }
}

std::string Player::hash_of_rows(const Scenario& scenario) {
  Fnv1a hash;
  for (const auto& [resolved, values] : reference(scenario.settings).rows)
    for (const auto& [column, value] : values) {
      if (column == "version") continue;
      hash.add(column);
      hash.add(value);
    }
  return hash.hex();
}

Verdict Player::play(const Scenario& scenario) {
  if (scenario.serve) return play_serve(scenario);
  const Reference& calm = reference(scenario.settings);
  if (!calm.broken.empty()) {
    Verdict verdict;
    verdict.violation = calm.broken;
    return verdict;
  }
  return ScenarioRun(environment_, scenario, calm).run();
}

}  // namespace ocs::sim
