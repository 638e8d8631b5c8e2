// Starts cases while processes and memory are free, keeps what comes of each, and ends with a report.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/night.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <deque>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "host/core/shell_word.hpp"
#include "host/rtl/places.hpp"
#include "testbed/cluster/file_lock.hpp"
#include "testbed/regress/case_processes.hpp"
#include "testbed/regress/failure_folder.hpp"
#include "testbed/regress/junit.hpp"
#include "testbed/regress/night_coverage.hpp"
#include "testbed/regress/night_page.hpp"
#include "testbed/regress/night_tasks.hpp"
#include "testbed/regress/run_case.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

using std::filesystem::path;

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

std::string numbered(const char* form, std::int64_t number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), form, static_cast<long>(number));
  return text.data();
}

std::string hash_of(const std::string& text) {
  Fnv1a hash;
  hash.add(text);
  return hash.hex();
}

/// Whether its cases leave files while they run.
bool has_work_folder(const CaseTable& table) {
  return table.coverage || table.kind == CaseKind::experiment || table.kind == CaseKind::command;
}

std::vector<rtl::Exclusion> exclusions_of(const Suite& suite) {
  if (suite.coverage_exclusions.empty()) return {};
  constexpr std::size_t most_bytes = std::size_t{1} << 22;
  return rtl::parse_exclusions(read_text_file(suite.coverage_exclusions, "list of excluded points", most_bytes),
                               suite.coverage_exclusions.string());
}

class NightRun {
 public:
  NightRun(const Suite& suite, const NightOptions& options, const Watch& watch)
      : suite_(suite),
        options_(options),
        watch_(watch),
        lock_(made(options.out) / "lock", "another `lightloop regress` works in \"" + options.out.string() +
                                              "\"; wait for its end, or name another folder"),
        history_(options.out / "history.db"),
        exclusions_(exclusions_of(suite)) {}

  NightEnd run() {
    open_night();
    cases_ = expand(suite_, drawn_for(suite_, end_.night.seed));
    if (options_.only) choose_named();
    check_memory();
    choose();
    if (finished_before_) return std::move(end_);
    if (options_.slurm) {
      work_under_slurm();
    } else {
      prepare_devices(suite_, cases_);
      work();
    }
    end_.night.finished = now_text();
    end_.results = history_.results(end_.night.number);
    if (!options_.only) coverage_ = coverage_of(history_, end_.night.number, exclusions_);
    write_reports();
    history_.finish(end_.night.number, end_.night.finished);
    write_text(options_.out / "index.html", index_page(history_));
    return std::move(end_);
  }

 private:
  static const path& made(const path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) refuse("folder \"" + folder.string() + "\" can't be made: " + failed.message());
    return folder;
  }

  void open_night() {
    const std::string hash = hash_of(suite_.text);
    const std::optional<Night> left = history_.unfinished();
    const std::vector<Night> nights = options_.only ? history_.nights() : std::vector<Night>();
    if (!nights.empty()) {
      finished_before_ = !left;
      end_.night = nights.back();
    } else if (options_.resume) {
      if (!left) refuse("\"" + options_.out.string() + "\" has no night to resume: the last one is finished");
      if (left->suite_hash != hash)
        refuse("night " + std::to_string(left->number) + " had another suite; it can't be resumed with this one");
      end_.night = *left;
    } else {
      if (left) history_.finish(left->number, "given up");
      std::random_device random;
      end_.night = {.number = 0,
                    .started = now_text(),
                    .finished = "",
                    .suite = suite_.name,
                    .suite_hash = hash,
                    .version = options_.version,
                    .seed = options_.seed.value_or(random())};
      end_.night.number = history_.begin(end_.night);
    }
    end_.folder = options_.out / name_of_night(end_.night.number);
    std::filesystem::create_directories(end_.folder);
    std::error_code failed;
    std::filesystem::remove(options_.out / "last", failed);
    std::filesystem::create_directory_symlink(end_.folder.filename(), options_.out / "last", failed);
  }

  /// Leaves the cases that are named.
  void choose_named() {
    std::set<std::string> unknown = *options_.only;
    std::vector<std::string> known;
    for (const Case& one : cases_) {
      unknown.erase(one.name);
      known.push_back(one.name);
    }
    if (!unknown.empty()) {
      const std::string near = nearest(*unknown.begin(), known);
      refuse("--cases names " + in_quotes(*unknown.begin()) + ", which is no case of the suite" +
             (near.empty() ? "; --list lists them" : "; did you mean " + in_quotes(near) + "?"));
    }
    std::erase_if(cases_, [&](const Case& one) { return !options_.only->contains(one.name); });
  }

  void check_memory() const {
    for (const CaseTable& table : suite_.tables)
      if (table.memory_bytes > options_.memory_bytes)
        refuse(suite_.file.string(), "case \"" + table.name + "\" needs more memory than --memory allows");
  }

  /// Cases without a result; those that failed when they were last run come first.
  void choose() {
    std::set<std::string> done;
    for (const Result& result : history_.results(end_.night.number)) {
      done.insert(result.name);
      if (result.outcome.verdict != Verdict::passed) ++progress_.failed;
    }
    const std::set<std::string> failed = history_.last_failed();
    for (const bool first : {true, false})
      for (std::size_t k = 0; k < cases_.size(); ++k)
        if (!done.contains(cases_[k].name) && failed.contains(cases_[k].name) == first) waiting_.push_back(k);
    end_.resumed = done.size();
    failures_ = history_.failures(end_.night.number);
    progress_.cases = cases_.size();
    progress_.done = done.size();
  }

  std::int64_t memory_of(const CaseTable& table) const {
    const auto share = options_.memory_bytes / static_cast<std::int64_t>(options_.jobs);
    return table.memory_bytes != 0 ? table.memory_bytes : share;
  }

  void work() {
    constexpr std::chrono::milliseconds between_looks{100};
    while (!waiting_.empty() || processes_.running() > 0) {
      while (!waiting_.empty() && processes_.running() < options_.jobs && fits(waiting_.front())) {
        start(waiting_.front());
        waiting_.pop_front();
      }
      progress_.running = processes_.running();
      watch_(progress_);
      std::vector<CaseProcesses::Finished> finished = processes_.wait(between_looks);
      check_doubtful(finished);
      for (CaseProcesses::Finished& each : finished) take(each.number, std::move(each.outcome));
    }
  }

  /// A batch system that ends a task ends its processes one after the other: a case may end by that before this process
  /// hears of it, and has not failed then.
  void check_doubtful(const std::vector<CaseProcesses::Finished>& finished) const {
    constexpr std::chrono::milliseconds until_all_heard{100};
    if (std::ranges::all_of(finished, [](const auto& each) { return each.outcome.verdict == Verdict::passed; })) return;
    if (options_.only) std::this_thread::sleep_for(until_all_heard);
    watch_(progress_);
  }

  bool fits(std::size_t number) const {
    return processes_.memory_bytes() + memory_of(suite_.tables[cases_[number].table]) <= options_.memory_bytes;
  }

  path work_folder(std::size_t number) const { return end_.folder / "work" / std::to_string(number); }

  void start(std::size_t number) {
    const Case& one = cases_[number];
    const CaseTable& table = suite_.tables[one.table];
    const path folder = std::filesystem::absolute(work_folder(number));
    if (has_work_folder(table)) {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
    processes_.start(number,
                     [&](CaseNote& note) {
                       return run_case(suite_, one,
                                       {.lightloop = options_.lightloop, .folder = folder, .waves = {}, .note = &note});
                     },
                     {.time = table.timeout, .memory_bytes = memory_of(table)});
  }

  void take(std::size_t number, Outcome outcome) {
    const CaseTable& table = suite_.tables[cases_[number].table];
    const auto before = first_failures_.find(number);
    const bool passed = outcome.verdict == Verdict::passed;
    const std::int64_t attempts = before == first_failures_.end() ? 1 : before->second.attempts + 1;
    if (!passed && attempts <= table.retries) {
      if (attempts == 1) first_failures_[number].outcome = std::move(outcome);
      first_failures_[number].attempts = attempts;
      waiting_.push_front(number);
      return;
    }
    if (before != first_failures_.end()) {
      Outcome first = std::move(before->second.outcome);
      first_failures_.erase(before);
      if (passed) first.verdict = Verdict::flaky;
      outcome = std::move(first);
    }
    keep(number, std::move(outcome), attempts);
  }

  void keep(std::size_t number, Outcome outcome, std::int64_t attempts) {
    const Case& one = cases_[number];
    const CaseTable& table = suite_.tables[one.table];
    Result result{
        .name = one.name, .table = table.name, .outcome = std::move(outcome), .folder = "", .attempts = attempts};
    if (result.outcome.verdict != Verdict::passed) {
      if (result.outcome.verdict == Verdict::timed_out && table.kind == CaseKind::random)
        result.outcome.program = drawn_program(table, one);
      if (result.outcome.cause.empty()) result.outcome.cause = cause_of(result.outcome.sentence);
      result.folder = numbered("f%03ld", ++failures_);
      write_failure(end_.folder / result.folder, suite_, one, result.outcome, end_.night.seed, work_folder(number));
      ++progress_.failed;
    } else if (has_work_folder(table)) {
      std::error_code ignored;
      std::filesystem::remove_all(work_folder(number), ignored);
    }
    history_.add(end_.night.number, result, options_.only ? History::Counts::apart : History::Counts::added);
    ++progress_.done;
  }

  void work_under_slurm() {
    const NightTasks tasks(end_.folder / "tasks");
    const auto collect = [&] {
      tasks.collect([this](const std::string& name) { return waits(name) != waiting_.end(); },
                    [this](Result result, const path& failure) { take_over(std::move(result), failure); });
    };
    SlurmJob job(tasks.folder(), {.name = suite_.name.empty() ? "regress" : suite_.name,
                                  .script = task_script(tasks.folder()),
                                  .numbers =
                                      [&] {
                                        collect();  // what tasks have finished since an earlier runner ended
                                        return write_shares(tasks);
                                      },
                                  .processors = options_.jobs,
                                  .arguments = options_.slurm->arguments});
    wait_for(job, std::chrono::seconds(options_.slurm->poll_seconds), collect, [&] {
      progress_.tasks = "job " + job.id() + ", " + job.summary();
      watch_(progress_);
    });
    collect();
    if (waiting_.empty()) return;
    std::string why;
    for (const std::string& sentence : job.failures()) why.append("; ").append(sentence);
    throw Error(ErrorKind::run, std::to_string(waiting_.size()) + " of " + std::to_string(cases_.size()) +
                                    " cases have no result; --resume runs them" + why);
  }

  std::string task_script(const path& tasks) const {
    const std::string folder = shell_word(std::filesystem::absolute(tasks).string()) + "/\"$SLURM_ARRAY_TASK_ID\"";
    std::string text = "#!/bin/sh\n# A share of the cases of a night; $SLURM_ARRAY_TASK_ID is its number.\nexec " +
                       shell_word(options_.lightloop.string()) + " regress " + shell_word(suite_.file.string()) +
                       " --out " + folder + " --cases " + folder + "/cases --seed " + std::to_string(end_.night.seed) +
                       " -j " + std::to_string(options_.jobs) + " --quiet";
    if (!options_.memory_text.empty()) text += " --memory " + shell_word(options_.memory_text);
    return text + "\n";
  }

  /// Shares of the cases without a result, which no task runs any more.
  std::vector<std::size_t> write_shares(const NightTasks& tasks) {
    const std::map<std::string, double> seconds = history_.last_seconds();
    std::vector<std::string> names;
    Costs costs;
    for (const std::size_t number : waiting_) {
      const auto known = seconds.find(names.emplace_back(cases_[number].name));
      costs.push_back(known == seconds.end() ? std::nullopt : std::optional(known->second));
    }
    return tasks.write(names, shares_of(costs, options_.slurm->number_of_tasks(costs, options_.jobs)));
  }

  std::deque<std::size_t>::iterator waits(const std::string& name) {
    return std::ranges::find(waiting_, name, [&](std::size_t k) { return cases_[k].name; });
  }

  /// Keeps a task's result, if it is not there yet. @param failure its folder, if it has one.
  void take_over(Result result, const path& failure) {
    const auto at = waits(result.name);
    if (at == waiting_.end()) return;
    if (!failure.empty()) {
      result.folder = numbered("f%03ld", ++failures_);
      copy_failure(failure, end_.folder / result.folder);
    }
    if (result.outcome.verdict != Verdict::passed) ++progress_.failed;
    history_.add(end_.night.number, result);
    ++progress_.done;
    waiting_.erase(at);
  }

  void write_reports() {
    std::vector<JunitCase> junit;
    junit.reserve(end_.results.size());
    for (const Result& each : end_.results) junit.push_back({each.table, each.name, each.outcome});
    write_text(end_.folder / "junit.xml", junit_text(suite_.name, junit));
    if (coverage_) write_coverage();
    const std::string measured = measured_section(
        suite_, end_.results, [&](const std::string& name) { return history_.measures(end_.night.number, name); });
    write_text(end_.folder / "index.html", night_page(end_.night, end_.results, end_.folder,
                                                      measured + (coverage_ ? coverage_section(*coverage_) : "")));
    std::error_code ignored;
    std::filesystem::remove_all(end_.folder / "work", ignored);
  }

  void write_coverage() {
    const path& named = counting_table(suite_)->rtl;
    const path sources = named.empty() ? rtl::standard_places().sources : named;
    write_text(end_.folder / "coverage.info", rtl::lcov_text(coverage_->summary.counted, sources));
    history_.set_totals(end_.night.number, totals_of(*coverage_));
    end_.coverage = coverage_sentence(*coverage_);
  }

  struct FirstFailure {
    Outcome outcome;
    std::int64_t attempts = 0;
  };

  const Suite& suite_;
  const NightOptions& options_;
  const Watch& watch_;
  bool finished_before_ = false;  ///< of a task that Slurm has started once more
  FileLock lock_;
  History history_;
  std::vector<rtl::Exclusion> exclusions_;
  std::optional<NightCoverage> coverage_;
  NightEnd end_;
  std::vector<Case> cases_;
  std::deque<std::size_t> waiting_;
  std::map<std::size_t, FirstFailure> first_failures_;
  std::int64_t failures_ = 0;
  NightProgress progress_;
  CaseProcesses processes_;
};

}  // namespace

std::string name_of_night(std::int64_t number) { return numbered("night-%04ld", number); }

NightEnd run_night(const Suite& suite, const NightOptions& options, const Watch& watch) {
  expand(suite, drawn_for(suite, 0));  // what is wrong with it is said before anything is written
  exclusions_of(suite);
  if (options.only && options.only->empty()) refuse("--cases names no case");
  return NightRun(suite, options, watch).run();
}

std::vector<Bucket> buckets_of(const std::vector<Result>& results) {
  std::map<std::string, std::vector<const Result*>> by_cause;
  for (const Result& each : results)
    if (each.outcome.verdict != Verdict::passed) by_cause[each.outcome.cause].push_back(&each);
  std::vector<Bucket> out;
  out.reserve(by_cause.size());
  for (auto& [cause, members] : by_cause) out.push_back({cause, std::move(members)});
  std::stable_sort(out.begin(), out.end(),
                   [](const Bucket& a, const Bucket& b) { return a.results.size() > b.results.size(); });
  return out;
}

Reproduction reproduce(const path& folder, const path& lightloop,
                       const std::function<void(const std::string&, std::chrono::milliseconds)>& begins) {
  const KeptFailure kept = read_failure(folder);
  begins(kept.one.name, kept.suite.tables.at(kept.one.table).timeout);
  const RtlOfCase its_rtl(kept.suite.tables.at(kept.one.table).rtl);
  const path work = std::filesystem::absolute(folder / "again");
  std::error_code ignored;
  std::filesystem::remove_all(work, ignored);
  if (kept.program.empty())
    return {kept.one.name, run_case(kept.suite, kept.one, {.lightloop = lightloop, .folder = work, .waves = folder})};
  return {kept.one.name, run_kept_program(kept.suite.tables.at(kept.one.table), kept.one, kept.program,
                                          (folder / "program.json").string(), folder)};
}

}  // namespace ocs::regress
