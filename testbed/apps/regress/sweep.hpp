// An experiment's rows, run by several processes or hosts into databases of their own, and merged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/apps/commands.hpp"
#include "testbed/apps/run/run_experiment.hpp"
#include "testbed/cluster/slurm.hpp"

namespace ocs {

struct SweepArguments {
  RunArguments run = {};  ///< its database is that of the sweep
  bool merge = false;     ///< merges what there is, and runs nothing
  bool slurm = false;     ///< every shard is a task of an array
  SlurmSettings array = {};
};

/// Runs all rows, or one shard of them, or an array of all shards. Rows that are there are not run again.
/// @throws Error (input), Error (run): rows failed or are missing; Interrupted.
void run_sweep(const SweepArguments& arguments, const Environment& environment);

}  // namespace ocs
