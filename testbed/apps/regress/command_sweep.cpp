// lightloop sweep: all rows of an experiment, on one machine, in shards, or as tasks of Slurm.
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "testbed/apps/regress/slurm_words.hpp"
#include "testbed/apps/regress/sweep.hpp"

namespace ocs {

void add_sweep(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "sweep",
      "Runs all rows of an experiment that its database lacks: here, as one of N shards on any host, or as tasks of "
      "Slurm (docs/cluster.md).");
  const auto arguments = std::make_shared<SweepArguments>();
  const auto words = std::make_shared<SlurmWords>();
  RunArguments& run = arguments->run;
  run.resume = true;
  run.experiment.add_to(*command);
  command
      ->add_option("--db", run.outputs.database,
                   "database that gets the rows; those that this version of lightloop has written are not run again")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--shard", run.shard,
                   "runs shard K of N, 1 to N, into FILE.shards/K-of-N.db; the N shards together have all rows; "
                   "default: all rows, into FILE")
      ->type_name("K/N");
  command
      ->add_option("--costs", run.costs,
                   "a database whose wall times size the shards, so that all take about equally long; default: every "
                   "N-th row")
      ->type_name("FILE");
  command->add_flag("--merge", arguments->merge,
                    "merges what the shards have finished into FILE, prints how many rows are missing, and runs none");
  command
      ->add_option("-j,--jobs", run.jobs,
                   "number of rows that run at the same time; 0: one for each core; under --slurm, in each task")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--keep-going", run.keep_going,
                    "continues after a row that fails: the error is its result, and the exit code is 1");
  command->add_flag("--events", run.events, "keeps the event log of each row in the database");
  command->add_flag("--quiet", run.outputs.quiet, "prints no table and no progress");
  words->add_to(*command,
                "submits an array of tasks, one a shard, waits for it, and merges what the tasks finish into the "
                "database; started again, it waits for the same array, or submits the tasks that lack rows",
                "--costs", "rows");
  command->footer(
      "Ctrl-C keeps the finished rows; an array of Slurm goes on. Started again, the sweep continues.\n"
      "Exit codes: 0 done, 1 rows failed or are missing, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback([arguments, words, &action] {
    action = [arguments, words](const Environment& given) {
      arguments->slurm = words->slurm;
      arguments->array = words->settings();
      run_sweep(*arguments, given);
    };
  });
}

}  // namespace ocs
