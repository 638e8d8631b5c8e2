// lightloop merge: the rows of several databases in one.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/regress/merged.hpp"
#include "testbed/apps/run/interruption.hpp"

namespace ocs {
namespace {

struct MergeArguments {
  std::string out;
  std::vector<std::string> inputs;
};

void merge(const MergeArguments& arguments) {
  for (const std::string& input : arguments.inputs) {
    std::error_code ignored;
    if (std::filesystem::equivalent(input, arguments.out, ignored))
      refuse("\"" + input + "\" is the output and an input; leave it out: what the output holds stays");
  }
  const Interruption interruption;
  const MergeCounts counts = merge_databases(arguments.out, arguments.inputs, [&] { interruption.check(); });
  std::cout << merged_text(arguments.out, arguments.inputs.size(), counts) << '\n';
}

}  // namespace

std::string merged_text(const std::string& out, std::size_t databases, const MergeCounts& counts) {
  const auto several = [](std::int64_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
  };
  std::string text = several(static_cast<std::int64_t>(databases), "database") + ", " + several(counts.rows, "row") +
                     ": " + std::to_string(counts.added) + " added to " + out;
  if (counts.there != 0) text += ", " + std::to_string(counts.there) + " were there already";
  if (counts.duplicates != 0) text += ", " + several(counts.duplicates, "duplicate");
  if (counts.unchecked != 0) text += ", " + std::to_string(counts.unchecked) + " of them without a checksum";
  return text;
}

void add_merge(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "merge",
      "Adds the rows of databases to another one. Rows that are equal in all settings and results are added once "
      "(docs/cluster.md).");
  const auto arguments = std::make_shared<MergeArguments>();
  command->add_option("OUT.db", arguments->out, "database that gets the rows; made if it does not exist")->required();
  command->add_option("IN.db", arguments->inputs, "databases that are read")->required()->expected(-1);
  command->footer(
      "All rows are added, or none is. Two rows with the same settings but other results are an error, unless they are "
      "not reproducible.\nExit codes: 0 merged, 1 the output can't be written, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback([arguments, &action] { action = [arguments](const Environment&) { merge(*arguments); }; });
}

}  // namespace ocs
