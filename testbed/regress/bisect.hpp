// Which commit of a repository changed a verdict first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "testbed/regress/expectation.hpp"

namespace ocs::regress {

struct BisectOptions {
  std::filesystem::path repository = ".";
  std::string good, bad;             ///< commits, as git names them
  std::vector<std::string> command;  ///< exit code 0: good, 125: can't be judged, all else: bad; empty: an experiment
  std::filesystem::path experiment;  ///< absolute
  std::vector<std::string> overrides;
  std::vector<Expectation> expectations;
  std::vector<std::string> build;  ///< empty: CMake builds the target lightloop. {build} and {tree} are folders
  std::size_t jobs = 1;            ///< of the build
};

enum class CommitVerdict : std::uint8_t { good, bad, not_built, not_judged };

struct CommitSeen {
  std::string commit, subject;
  CommitVerdict verdict = CommitVerdict::good;
  std::string sentence = {};  ///< why, if it is not good
};

struct BisectEnd {
  std::string first_bad;                ///< "" if commits that can't be judged hide it
  std::string description;              ///< of that commit: number, author, date, subject
  std::vector<std::string> candidates;  ///< if they do: one of these is it
  std::vector<CommitSeen> seen;
};

/// Bisects with `git bisect` in a work tree of its own in a temporary folder; the user's work tree, and a bisection that
/// goes on there, are not touched. Both ends are judged first. A command with the mark {lightloop}, and an experiment,
/// need the program, which is built at each commit in one build folder.
/// @param watch gets each commit as soon as it is judged, and may throw; `check` is called between two programs.
/// @throws Error (input): no repository, no such commits, `good` is no ancestor of `bad`, an end has the other verdict.
BisectEnd bisect(const BisectOptions& options, const std::function<void(const CommitSeen&)>& watch,
                 const std::function<void()>& check);

/// What `git bisect` printed: the first bad commit, or candidates among commits that were skipped.
struct BisectAnswer {
  std::string first_bad;
  std::vector<std::string> candidates;
};
BisectAnswer parse_bisect_answer(std::string_view text);

}  // namespace ocs::regress
