// Slurm by its commands: sbatch, squeue, and sacct where there is accounting.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/cluster/slurm.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "host/core/printable.hpp"
#include "testbed/cluster/started_program.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t most_tasks = 1'000'000;
constexpr const char* forgotten = "UNKNOWN";  // not a state of Slurm's

struct Words {
  std::string_view state, words;
};
constexpr std::array states{
    Words{"BOOT_FAIL", "its node did not boot; Slurm starts the task again if it may"},
    Words{"CANCELLED", "somebody cancelled it, with scancel or by a limit of the cluster"},
    Words{"DEADLINE", "it could not end before its deadline (--deadline)"},
    Words{"FAILED", "its program failed; the end of its log says why"},
    Words{"NODE_FAIL", "its node failed or does not answer, and Slurm did not start the task again"},
    Words{"OUT_OF_MEMORY",
          "it used more memory than it was given; give it more with --slurm-args=--mem=SIZE, or run "
          "fewer rows at the same time (-j)"},
    Words{"PREEMPTED", "another job took its node, and the cluster does not start preempted jobs again"},
    Words{"REVOKED", "another cluster of the federation has it"},
    Words{"TIMEOUT",
          "it took longer than its time limit; give it more with --slurm-args=--time=LIMIT, or divide the "
          "work into more tasks"},
};

constexpr std::array<std::string_view, 14> going_on{
    "PENDING",     "RUNNING",       "COMPLETING", "CONFIGURING", "SUSPENDED",    "REQUEUED",  "REQUEUE_HOLD",
    "REQUEUE_FED", "RESV_DEL_HOLD", "RESIZING",   "SIGNALING",   "SPECIAL_EXIT", "STAGE_OUT", "STOPPED"};

/// A decimal number; 0 if it is nothing of the kind.
std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc() && rest == end && number <= most_tasks ? number : 0;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool in_path(const std::string& program) {
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) return false;
  return std::ranges::any_of(parts_of(folders, ':'), [&](std::string_view folder) {
    return access((std::string(folder) + "/" + program).c_str(), X_OK) == 0;
  });
}

struct Answer {
  bool succeeded;
  std::string out, err;
};

/// Starts a command of Slurm, whose answer is short.
Answer ask(const std::filesystem::path& folder, const std::vector<std::string>& command) {
  const std::filesystem::path out = folder / "answer.out", err = folder / "answer.err";
  const ProgramEnd end = run_program(command, ".", out, err);
  Answer answer{end.exit_code == 0 && end.signal == 0, end_of_file(out), end_of_file(err)};
  std::error_code ignored;
  std::filesystem::remove(out, ignored);
  std::filesystem::remove(err, ignored);
  return answer;
}

std::string first_line(const std::string& text) { return printable(text.substr(0, text.find('\n'))); }

std::string hash_of(const SlurmArray& array) {
  Fnv1a hash;
  hash.add(array.script);
  for (const std::string& each : array.arguments) hash.add(each + '\n');
  return hash.hex();
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw Error(ErrorKind::run, "\"" + file.string() + "\" can't be written");
}

std::string count_text(std::size_t count, const char* one, const char* several) {
  return std::to_string(count) + (count == 1 ? one : several);
}

}  // namespace

bool is_over(std::string_view state) { return std::ranges::find(going_on, state) == going_on.end(); }

std::string explanation_of(const SlurmTask& task) {
  const auto known = std::ranges::find(states, task.state, &Words::state);
  std::string text = known != states.end()       ? std::string(known->words)
                     : task.state == "COMPLETED" ? "it has ended"
                     : is_over(task.state)       ? "Slurm says nothing else of it"
                                                 : "it goes on";
  const bool says_more = !task.reason.empty() && task.reason != "None" && task.reason != "NonZeroExitCode";
  return printable(task.state) + ": " + text + (says_more ? " (reason: " + printable(task.reason) + ")" : "") +
         (task.nodes.empty() ? "" : ", on " + printable(task.nodes));
}

SlurmTasks parse_squeue(std::string_view text) {
  SlurmTasks tasks;
  for (const std::string_view line : parts_of(text, '\n')) {
    const std::vector<std::string_view> parts = parts_of(line, '|');
    if (parts.size() != 4 || parts[1].empty()) continue;
    if (const std::size_t number = number_in(parts[0]); number != 0)
      tasks[number] = {std::string(parts[1]), std::string(parts[2]), std::string(parts[3])};
  }
  return tasks;
}

SlurmTasks parse_sacct(std::string_view text) {
  SlurmTasks tasks;
  for (const std::string_view line : parts_of(text, '\n')) {
    const std::vector<std::string_view> parts = parts_of(line, '|');
    const std::size_t dash = parts[0].find('_');
    if (parts.size() != 3 || dash == std::string_view::npos || parts[1].empty()) continue;
    const std::string state(parts[1].substr(0, parts[1].find(' ')));  // "CANCELLED by 1000"
    if (const std::size_t number = number_in(parts[0].substr(dash + 1)); number != 0)
      tasks[number] = {state, "", std::string(parts[2])};
  }
  return tasks;
}

std::string array_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t last = k;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[k]);
    if (last > k) text += "-" + std::to_string(numbers[last]);
    k = last + 1;
  }
  return text;
}

KeptJob parse_kept_job(std::string_view text, const std::string& origin) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const std::vector<std::string_view> parts = parts_of(text, ' ');
  const auto wrong = [&] { refuse(origin, "must hold the number of a job, a hash and the numbers of its tasks"); };
  constexpr std::size_t least = 3;
  if (parts.size() < least || parts[0].empty() || parts[0].find_first_not_of("0123456789") != std::string_view::npos)
    wrong();
  KeptJob kept{std::string(parts[0]), std::string(parts[1]), {}};
  for (std::size_t k = 2; k < parts.size(); ++k) {
    kept.numbers.push_back(number_in(parts[k]));
    if (kept.numbers.back() == 0) wrong();
  }
  return kept;
}

SlurmJob::SlurmJob(const std::filesystem::path& folder, const SlurmArray& array) : folder_(folder) {
  if (!in_path("sbatch") || !in_path("squeue"))
    refuse(
        "--slurm needs sbatch and squeue, which are not in PATH: Debian's package slurm-client has them, and the "
        "cluster "
        "needs slurmctld, slurmd and munge");
  if (!find(array)) submit(array);
}

/// The job that the folder keeps, if Slurm still has it.
bool SlurmJob::find(const SlurmArray& array) {
  const std::filesystem::path file = folder_ / "job";
  if (!std::filesystem::exists(file)) return false;
  constexpr std::size_t most_bytes = std::size_t{1} << 24;
  const KeptJob kept = parse_kept_job(read_text_file(file, "kept job", most_bytes), file.string());
  id_ = kept.id;
  for (const std::size_t number : kept.numbers) tasks_[number] = {};
  look();
  if (!over()) {
    if (kept.array_hash != hash_of(array))
      refuse("job " + id_ + " of another command still works in \"" + folder_.string() +
             "\"; wait for its end, or end it with `scancel " + id_ + "`");
    return found_ = true;
  }
  tasks_.clear();
  return false;
}

void SlurmJob::submit(const SlurmArray& array) {
  const std::vector<std::size_t> numbers = array.numbers();
  if (numbers.empty()) return;
  const std::filesystem::path script = folder_ / "task.sh";
  write(script, array.script);
  std::vector<std::string> command{"sbatch",
                                   "--parsable",
                                   "--requeue",
                                   "--open-mode=append",
                                   "--array=" + array_text(numbers),
                                   "--job-name=" + array.name,
                                   "--cpus-per-task=" + std::to_string(array.processors),
                                   "--output=" + (folder_ / "task-%a.log").string()};
  command.insert(command.end(), array.arguments.begin(), array.arguments.end());
  command.push_back(script.string());
  const Answer answer = ask(folder_, command);
  if (!answer.succeeded) refuse("sbatch refuses the array: " + first_line(answer.err));
  id_ = answer.out.substr(0, answer.out.find_first_not_of("0123456789"));
  if (id_.empty()) refuse("sbatch answers " + in_quotes(first_line(answer.out)) + ", which is not the number of a job");
  std::string kept = id_ + " " + hash_of(array);
  for (const std::size_t number : numbers) {
    kept.append(" ").append(std::to_string(number));
    tasks_[number] = {};
  }
  write(folder_ / "job", kept + "\n");
}

bool SlurmJob::over() const {
  return std::ranges::all_of(tasks_, [](const auto& task) { return is_over(task.second.state); });
}

bool SlurmJob::settled() const { return over() && (unchanged_ || failures().empty()); }

bool SlurmJob::look() {
  if (tasks_.empty()) return false;
  const SlurmTasks before = tasks_;
  const Answer answer =
      ask(folder_, {"squeue", "--noheader", "--array", "--states=all", "--jobs=" + id_, "--format=%K|%T|%r|%N"});
  const bool unknown = !answer.succeeded && answer.err.find("Invalid job id") != std::string::npos;
  if (!answer.succeeded && !unknown) return false;  // the controller starts anew, or is busy
  const SlurmTasks now = parse_squeue(answer.out);
  for (auto& [number, task] : tasks_)
    if (const auto at = now.find(number); at != now.end()) task = at->second;
  ask_accounting(now);
  unchanged_ = std::ranges::equal(before, tasks_, [](const auto& a, const auto& b) {
    return a.second.state == b.second.state && a.second.reason == b.second.reason;
  });
  return !unchanged_;
}

/// Slurm forgets tasks some minutes after their end. What became of them is in its accounting, if it has one, which may
/// come to know it some time after squeue has forgotten it. @param known to squeue
void SlurmJob::ask_accounting(const SlurmTasks& known) {
  const auto gone = [&](const auto& task) {
    return !known.contains(task.first) && (!is_over(task.second.state) || task.second.state == forgotten);
  };
  if (std::ranges::none_of(tasks_, gone)) return;
  SlurmTasks kept;
  if (in_path("sacct")) {
    const Answer answer = ask(folder_, {"sacct", "--noheader", "--parsable2", "--allocations", "--array",
                                        "--jobs=" + id_, "--format=JobID,State,NodeList"});
    if (answer.succeeded) kept = parse_sacct(answer.out);
  }
  for (auto& each : tasks_) {
    if (!gone(each)) continue;
    const auto at = kept.find(each.first);
    each.second =
        at != kept.end() ? at->second : SlurmTask{forgotten, "Slurm has forgotten it, and has no accounting", ""};
  }
}

std::string SlurmJob::summary() const {
  std::size_t waiting = 0, running = 0, ended = 0, failed = 0;
  for (const auto& [number, task] : tasks_) {
    if (is_over(task.state))
      ++(task.state == "COMPLETED" ? ended : failed);
    else
      ++(task.state == "RUNNING" || task.state == "COMPLETING" ? running : waiting);
  }
  std::string text = count_text(tasks_.size(), " task: ", " tasks: ") + count_text(waiting, " waits, ", " wait, ") +
                     count_text(running, " runs, ", " run, ") + count_text(ended, " has ended", " have ended");
  if (failed != 0) text += ", " + count_text(failed, " has failed", " have failed");
  return text;
}

std::vector<std::string> SlurmJob::failures() const {
  std::vector<std::string> sentences;
  for (const auto& [number, task] : tasks_)
    if (is_over(task.state) && task.state != "COMPLETED")
      sentences.push_back("task " + std::to_string(number) + " of job " + id_ + ": " + explanation_of(task) +
                          "; its log is \"" + (folder_ / ("task-" + std::to_string(number) + ".log")).string() + "\"");
  return sentences;
}

std::size_t SlurmSettings::number_of_tasks(const Costs& costs, std::size_t jobs) const {
  if (tasks != 0) return std::min(tasks, std::max<std::size_t>(1, costs.size()));
  constexpr std::size_t items_of_task = 100, most = 1000;  // Slurm's own limit of an array is 1001 by default
  return number_of_shares(costs, task_seconds * static_cast<double>(std::max<std::size_t>(1, jobs)), items_of_task,
                          most);
}

void wait_for(SlurmJob& job, std::chrono::milliseconds pause, const std::function<void()>& each,
              const std::function<void()>& check) {
  using Clock = std::chrono::steady_clock;  // nobody sets it
  constexpr int looks_between = 10;
  constexpr std::chrono::milliseconds step{100};
  for (int look = 0;; ++look) {
    const bool changed = job.look();
    if (changed || look % looks_between == 0) each();
    if (job.settled()) return;
    for (const auto until = Clock::now() + pause; Clock::now() < until; std::this_thread::sleep_for(step)) check();
  }
}

}  // namespace ocs
