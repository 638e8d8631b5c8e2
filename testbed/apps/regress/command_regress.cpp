// lightloop regress: a suite of cases, run in parallel, with a history and a folder for each failure.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/regress/slurm_words.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/regress/failure_folder.hpp"
#include "testbed/regress/night.hpp"
#include "testbed/results/text/time_left.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct RegressArguments {
  std::string suite, out = "nights", memory, failure, cases;
  SlurmWords slurm;
  std::size_t jobs = 1;
  std::optional<std::uint64_t> seed;
  bool resume = false, quiet = false, list = false;
};

/// One line that is written again and again; where standard error is no terminal, a line every half a minute.
class StatusLine {
 public:
  explicit StatusLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}
  ~StatusLine() {
    if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
  }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(const regress::NightProgress& progress) {
    using namespace std::chrono_literals;
    const auto now = Clock::now();
    if (first_done_ == nothing_done) first_done_ = progress.done;
    if (quiet_ || now < next_) return;
    next_ = now + (terminal_ ? 100ms : 30'000ms);
    if (!shown_ && !terminal_) {  // a short night needs no line
      shown_ = true;
      return;
    }
    shown_ = true;
    const auto done = static_cast<double>(progress.done - first_done_);
    const double passed = std::chrono::duration<double>(now - begun_).count();
    const std::string left = time_left_text(done, static_cast<double>(progress.cases - first_done_), passed);
    const std::string at_work = progress.tasks.empty() ? std::to_string(progress.running) + " running" : progress.tasks;
    std::fprintf(stderr, "%s%zu of %zu cases, %zu failed, %s%s%s%s", terminal_ ? "\r" : "", progress.done,
                 progress.cases, progress.failed, at_work.c_str(), left.empty() ? "" : ", ", left.c_str(),
                 terminal_ ? "\033[K" : "\n");
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t nothing_done = static_cast<std::size_t>(-1);
  bool quiet_, terminal_, shown_ = false;
  Clock::time_point begun_ = Clock::now(), next_;
  std::size_t first_done_ = nothing_done;
};

std::int64_t memory_limit(const std::string& text) {
  if (text.empty()) return sysconf(_SC_PHYS_PAGES) / 4 * 3 * sysconf(_SC_PAGESIZE);
  try {
    return parse_quantity(text, Dimension::size);
  } catch (const Error& failure) {
    refuse("--memory is " + in_quotes(text) + ", but " + failure.what());
  }
}

/// The names of --cases, one a line. None: all.
std::optional<std::set<std::string>> names_in(const std::string& file) {
  if (file.empty()) return std::nullopt;
  constexpr std::size_t most_bytes = std::size_t{1} << 28;
  std::istringstream lines(read_text_file(file, "list of cases", most_bytes));
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) names.insert(line);
  return names;
}

std::filesystem::path this_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

void print_buckets(const std::vector<regress::Result>& results, const std::filesystem::path& folder) {
  constexpr std::size_t most_shown = 20;
  const std::vector<regress::Bucket> buckets = regress::buckets_of(results);
  for (std::size_t k = 0; k < std::min(buckets.size(), most_shown); ++k) {
    const regress::Result& first = *buckets[k].results.front();
    const std::size_t count = buckets[k].results.size();
    std::cout << printable(first.outcome.sentence) << '\n'
              << "  " << name_of(first.outcome.verdict) << ": " << count << (count == 1 ? " case" : " cases") << ", "
              << printable(first.name) << "\n  " << printable(regress::line_that_repeats(folder / first.folder))
              << '\n';
  }
  if (buckets.size() > most_shown) std::cout << "and " << buckets.size() - most_shown << " more causes\n";
}

/// @return whether every case passed.
bool print_end(const regress::NightEnd& end) {
  std::map<regress::Verdict, std::size_t> counts;
  for (const regress::Result& each : end.results) ++counts[each.outcome.verdict];
  const std::size_t passed = counts[regress::Verdict::passed], flaky = counts[regress::Verdict::flaky];
  print_buckets(end.results, end.folder);
  std::cout << "night " << end.night.number << ": " << end.results.size()
            << (end.results.size() == 1 ? " case, " : " cases, ") << passed << " passed, "
            << end.results.size() - passed - flaky << " failed";
  std::string among;
  for (const regress::Verdict verdict : {regress::Verdict::timed_out, regress::Verdict::broken})
    if (counts[verdict] != 0)
      among.append(among.empty() ? "" : ", ")
          .append(std::to_string(counts[verdict]))
          .append(" ")
          .append(name_of(verdict));
  std::cout << (among.empty() ? "" : " (" + among + ")") << ", " << flaky << " flaky";
  if (end.resumed != 0) std::cout << "; " << end.resumed << " were finished before";
  if (!end.coverage.empty()) std::cout << '\n' << end.coverage;
  std::cout << "\nseed " << end.night.seed << "; report: " << (end.folder / "index.html").string() << '\n';
  std::cout.flush();
  return passed == end.results.size();
}

/// What an interrupted night has come to so far, so that nobody has to wait for its end to see it.
[[noreturn]] void end_early(const RegressArguments& arguments, const Interrupted& wish) {
  regress::History history(std::filesystem::path(arguments.out) / "history.db");
  const std::optional<regress::Night> night = history.unfinished();
  if (!night) throw wish;
  const std::vector<regress::Result> results = history.results(night->number);
  print_buckets(results, std::filesystem::path(arguments.out) / regress::name_of_night(night->number));
  std::cout.flush();
  throw Interrupted(wish.signal(), "interrupted; " + std::to_string(results.size()) +
                                       (results.size() == 1 ? " case is" : " cases are") + " finished in night " +
                                       std::to_string(night->number) + ", and --resume runs the others");
}

void list_cases(const regress::Suite& suite) {
  for (const regress::Case& one : expand(suite, std::vector<std::uint64_t>(drawn_seeds(suite))))
    std::cout << printable(one.name) << '\n';
}

void reproduce_failure(const std::string& folder, bool quiet) {
  const regress::Reproduction again =
      regress::reproduce(folder, this_program(), [&](const std::string& name, std::chrono::milliseconds timeout) {
        constexpr double ms_in_s = 1000;
        if (!quiet)
          std::cerr << printable(name) << " runs; a night gives it " << static_cast<double>(timeout.count()) / ms_in_s
                    << " s, and here it runs to its end or to Ctrl-C\n";
      });
  if (again.outcome.verdict == regress::Verdict::passed) {
    std::cout << printable(again.name) << ": passed\n";
    return;
  }
  std::cout << printable(again.name) << ": " << name_of(again.outcome.verdict) << '\n'
            << printable(again.outcome.sentence) << '\n';
  std::cout.flush();
  throw SilentEnd{1};
}

void regress_suite(const RegressArguments& arguments, const Environment& environment) {
  if (!arguments.failure.empty()) {
    if (!arguments.suite.empty()) refuse("--reproduce runs one failure of an earlier night; leave the suite out");
    return reproduce_failure(arguments.failure, arguments.quiet);
  }
  if (arguments.suite.empty()) refuse("a suite is missing; see `lightloop regress --help`");
  if (arguments.resume && arguments.seed) refuse("--resume continues with the seed of its night; leave --seed out");
  const regress::Suite suite = regress::read_suite(arguments.suite);
  if (arguments.list) return list_cases(suite);
  const Interruption interruption;
  regress::NightEnd end;
  try {
    StatusLine status(arguments.quiet);
    end = run_night(suite,
                    {.out = arguments.out,
                     .jobs = arguments.jobs,
                     .memory_bytes = memory_limit(arguments.memory),
                     .resume = arguments.resume,
                     .seed = arguments.seed,
                     .lightloop = this_program(),
                     .version = environment.version,
                     .only = names_in(arguments.cases),
                     .slurm = arguments.slurm.slurm ? std::optional(arguments.slurm.settings()) : std::nullopt,
                     .memory_text = arguments.memory},
                    [&](const regress::NightProgress& progress) {
                      interruption.check();
                      status.show(progress);
                    });
  } catch (const Interrupted& wish) {
    end_early(arguments, wish);
  }
  const bool all_passed = print_end(end);
  const bool task = !arguments.cases.empty();  // it has done its work whatever its cases come to
  if (!all_passed && !task) throw SilentEnd{1};
}

}  // namespace

void add_regress(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "regress",
      "Runs a suite: register programs, random programs, experiments with expectations, any command. Keeps a history, "
      "a report for each night, and a folder for each failure (docs/regress.md).");
  const auto arguments = std::make_shared<RegressArguments>();
  command->add_option("SUITE", arguments->suite, "suite file (TOML)");
  command->add_option("--out", arguments->out, "folder of all nights")->type_name("DIR")->capture_default_str();
  constexpr std::size_t most_jobs = 1024;
  command
      ->add_option("-j,--jobs", arguments->jobs, "number of cases that run at the same time, each in its own process")
      ->check(CLI::Range(std::size_t{1}, most_jobs))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--memory", arguments->memory,
                   "address space of all cases that run at the same time; default: 3/4 of the machine's memory")
      ->type_name("SIZE");
  command->add_option("--seed", arguments->seed, "seed of all that is drawn for the night; default: from the system")
      ->type_name("NUMBER");
  command->add_flag("--resume", arguments->resume,
                    "continues the last night, which was ended before its end; finished cases are not run again");
  command->add_flag("--list", arguments->list, "lists the cases, and runs none; seeds that are drawn are 0");
  command->add_flag("--quiet", arguments->quiet, "prints no progress");
  command
      ->add_option("--cases", arguments->cases,
                   "runs only the cases that this file names, one a line as --list prints them, and ends with exit "
                   "code 0 when each "
                   "has a "
                   "result; a night that is there goes on; default: all cases")
      ->type_name("FILE");
  arguments->slurm.add_to(*command,
                          "submits an array of tasks, each with a share of the cases, waits for it, and keeps its "
                          "results as if the cases had run here; -j and --memory are those of a task",
                          "the history has some", "cases");
  command
      ->add_option("--reproduce", arguments->failure,
                   "runs the case of this failure again, without its time-out: DIR/last/f001")
      ->type_name("FOLDER");
  command->footer(
      "Ctrl-C ends the night, keeps the finished cases and lists those that failed.\nExit codes: 0 every case passed, "
      "1 one did not, 2 wrong "
      "input, 130 ended by Ctrl-C.");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { regress_suite(*arguments, given); }; });
}

}  // namespace ocs
