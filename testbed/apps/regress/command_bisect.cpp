// lightloop bisect: the commit that changed a verdict first.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string_view>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/regress/bisect.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct BisectArguments {
  regress::BisectOptions options;
  std::string repository = ".", experiment, build;
  std::vector<std::string> expectations;
};

std::string_view name_of(regress::CommitVerdict verdict) {
  switch (verdict) {
    case regress::CommitVerdict::good:
      return "good";
    case regress::CommitVerdict::bad:
      return "bad";
    case regress::CommitVerdict::not_built:
      return "skipped, it does not build";
    case regress::CommitVerdict::not_judged:
      break;
  }
  return "skipped, it can't be judged";
}

std::string short_name(const std::string& commit) {
  constexpr std::size_t digits = 10;
  return commit.substr(0, digits);
}

void print_commit(const regress::CommitSeen& seen) {
  std::cerr << short_name(seen.commit) << " " << printable(seen.subject) << ": " << name_of(seen.verdict)
            << (seen.sentence.empty() ? "" : ": " + printable(seen.sentence)) << '\n';
}

regress::BisectOptions options_of(const BisectArguments& arguments) {
  regress::BisectOptions options = arguments.options;
  options.repository = arguments.repository;
  const bool experiment = !arguments.experiment.empty();
  if (experiment == !options.command.empty())
    refuse("what judges a commit is either a command behind --, or --experiment with --expect");
  if (experiment && arguments.expectations.empty()) refuse("--experiment needs --expect: what its rows must be");
  if (!experiment && !(arguments.expectations.empty() && options.overrides.empty()))
    refuse("--expect and --set need --experiment");
  for (const std::string& text : arguments.expectations) {
    try {
      options.expectations.push_back(regress::parse_expectation(text));
    } catch (const Error& failure) {
      refuse("--expect is " + in_quotes(text) + ", but " + failure.what());
    }
  }
  if (experiment) {
    if (!std::filesystem::is_regular_file(arguments.experiment))
      refuse("--experiment is " + in_quotes(arguments.experiment) + ", which does not exist");
    options.experiment = std::filesystem::absolute(arguments.experiment);
  }
  if (!arguments.build.empty()) options.build = {"sh", "-c", arguments.build};
  return options;
}

void bisect(const BisectArguments& arguments) {
  const regress::BisectOptions options = options_of(arguments);
  const Interruption interruption;
  const regress::BisectEnd end = regress::bisect(options, print_commit, [&] { interruption.check(); });
  if (!end.first_bad.empty()) {
    std::cout << "first bad commit: " << printable(end.description.substr(0, end.description.find('\n'))) << '\n';
    std::istringstream rest(end.description.substr(end.description.find('\n') + 1));
    for (std::string line; std::getline(rest, line);) std::cout << "  " << printable(line) << '\n';
    return;
  }
  std::cout << "commits that were skipped hide the first bad one, which is one of these:\n";
  for (const std::string& commit : end.candidates) std::cout << "  " << commit << '\n';
  std::cout.flush();
  throw SilentEnd{1};
}

}  // namespace

void add_bisect(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "bisect",
      "Finds the commit of a repository with which a command, or an expectation of an experiment, began to fail "
      "(docs/regress.md).");
  const auto arguments = std::make_shared<BisectArguments>();
  command->add_option("--good", arguments->options.good, "a commit that is good")->type_name("REV")->required();
  command->add_option("--bad", arguments->options.bad, "a later commit that is bad")->type_name("REV")->required();
  command->add_option("--repo", arguments->repository, "a folder of the repository; its work tree is not touched")
      ->type_name("DIR")
      ->capture_default_str();
  command
      ->add_option(
          "COMMAND", arguments->options.command,
          "what judges a commit, behind --; it runs in the commit's files, and {lightloop} becomes the program "
          "built of them. Exit code 0: good, 125: can't be judged, all else: bad")
      ->type_name("");
  command
      ->add_option("--experiment", arguments->experiment,
                   "judges by the rows of this experiment, which each commit's own program runs; default: a command")
      ->type_name("FILE");
  command
      ->add_option("--expect", arguments->expectations,
                   "what all rows must be, such as --expect 'pst_mean < 270 ms'; may be repeated")
      ->type_name("EXPECTATION")
      ->allow_extra_args(false);
  command->add_option("--set", arguments->options.overrides, "replaces a key of the experiment; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--build", arguments->build,
                   "a shell command that makes {build}/bin/lightloop of the files in {tree}; default: CMake builds the "
                   "target lightloop")
      ->type_name("TEXT");
  constexpr std::size_t most_jobs = 1024;
  command->add_option("-j,--jobs", arguments->options.jobs, "number of files that the build compiles at the same time")
      ->check(CLI::Range(std::size_t{1}, most_jobs))
      ->type_name("N")
      ->capture_default_str();
  command->footer(
      "Commits that do not build are skipped, and named.\nExit codes: 0 found, 1 skipped commits hide it, 2 wrong "
      "input, 130 ended by Ctrl-C.");
  command->callback([arguments, &action] { action = [arguments](const Environment&) { bisect(*arguments); }; });
}

}  // namespace ocs
