// Arrays of tasks under Slurm: submitted, watched, and their states in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/cluster/shares.hpp"

namespace ocs {

/// What Slurm last reported of a task.
struct SlurmTask {
  std::string state = "PENDING";  ///< as Slurm calls it
  std::string reason, nodes;
};
using SlurmTasks = std::map<std::size_t, SlurmTask>;  ///< by the number in the array

/// Whether a task in this state does not run any more, and Slurm does not start it again.
bool is_over(std::string_view state);

/// A state in words: "it used more memory than it was given; ..." Unknown states are named.
std::string explanation_of(const SlurmTask& task);

/// Lines "TASK|STATE|REASON|NODES" of squeue. Lines of anything else are left out.
SlurmTasks parse_squeue(std::string_view text);
/// Lines "JOB_TASK|STATE|NODES" of sacct, which adds words to some states. The same.
SlurmTasks parse_sacct(std::string_view text);

/// "1-3,7" of ascending numbers.
std::string array_text(const std::vector<std::size_t>& numbers);

/// What is submitted.
struct SlurmArray {
  std::string name;
  std::string script;                                 ///< in sh; $SLURM_ARRAY_TASK_ID is the number of its task
  std::function<std::vector<std::size_t>()> numbers;  ///< of the tasks, ascending; prepares their input; may be none
  std::size_t processors = 1;                         ///< of each task
  std::vector<std::string> arguments;                 ///< of sbatch, as the user gave them
};

/// How an array is made, as a user says it.
struct SlurmSettings {
  std::vector<std::string> arguments = {};  ///< of sbatch
  std::size_t tasks = 0;                    ///< 0: by cost, or by count
  double task_seconds = 0;                  ///< that a task takes, where costs are known
  unsigned poll_seconds = 0;                ///< between two looks

  /// For items of these costs, of which a task runs so many at the same time.
  std::size_t number_of_tasks(const Costs& costs, std::size_t jobs) const;
};

/// The job of a folder: an array that was submitted from it. The folder keeps its number in the file "job", so that
/// another process, or the same one after its end, finds it again.
class SlurmJob {
 public:
  /// Finds the folder's job if Slurm still has it, or else submits one. Output of task K goes to FOLDER/task-K.log.
  /// @throws Error (input): there is no sbatch, it refuses, or another array's job still runs.
  SlurmJob(const std::filesystem::path& folder, const SlurmArray& array);

  const std::string& id() const { return id_; }
  bool found() const { return found_; }  ///< it was submitted earlier
  const SlurmTasks& tasks() const { return tasks_; }
  bool over() const;
  /// It is over, and Slurm does not start a task again: ends other than COMPLETED count when two looks in a row show
  /// them, because a task that is requeued has an end, too.
  bool settled() const;
  std::string summary() const;  ///< "4 tasks: 1 waits, 2 run, 1 has ended"

  /// Asks Slurm. A controller that does not answer changes nothing. @return whether anything changed.
  bool look();
  /// A sentence for each task that ended in another way than COMPLETED.
  std::vector<std::string> failures() const;

 private:
  bool find(const SlurmArray& array);
  void submit(const SlurmArray& array);
  void ask_accounting(const SlurmTasks& known);

  std::filesystem::path folder_;
  std::string id_;
  bool found_ = false;
  SlurmTasks tasks_;
  bool unchanged_ = false;  ///< the last look that Slurm answered showed what the one before it had
};

/// What the file "job" of a folder says.
struct KeptJob {
  std::string id, array_hash;
  std::vector<std::size_t> numbers;
};
/// "JOB HASH 1 2 3". @throws Error (input) for anything else.
KeptJob parse_kept_job(std::string_view text, const std::string& origin);

/// Looks every `pause` until the job is settled. @param each is called after each look that changed something, and
/// about every ten looks; it may throw. @param check is called several times a second, and may throw.
void wait_for(SlurmJob& job, std::chrono::milliseconds pause, const std::function<void()>& each,
              const std::function<void()>& check);

}  // namespace ocs
