// Any command: its exit code, and the JUnit that it may write.
// SPDX-License-Identifier: Apache-2.0
#include "host/core/error.hpp"
#include "testbed/cluster/started_program.hpp"
#include "testbed/regress/junit.hpp"
#include "testbed/regress/run_case.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::regress {
namespace {

constexpr std::size_t max_junit_bytes = std::size_t{1} << 28;

/// {NAME} becomes the value of an axis; {out} the folder of the case.
std::string filled(std::string text, const Case& one, const Place& place) {
  auto marks = one.matrix;
  marks.emplace_back("out", place.folder.string());
  for (const auto& [name, value] : marks) {
    const std::string mark = "{" + name + "}";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  return text;
}

std::string shortened(std::string text) {
  constexpr std::size_t longest = 200;
  text = text.substr(0, text.find('\n'));
  return text.size() <= longest ? text : text.substr(0, longest) + " ...";
}

void judge_junit(const JunitResults& results, Outcome& outcome) {
  if (results.failures.empty()) return;
  outcome.verdict = Verdict::failed;
  const JunitFailure& first = results.failures.front();
  outcome.sentence = std::to_string(results.failures.size()) + " of " + std::to_string(results.tests) +
                     " tests failed; the first: " + first.test + ": " + shortened(first.message);
  outcome.cause = first.test + ": " + cause_of(shortened(first.message));
  for (const JunitFailure& each : results.failures) outcome.log += each.test + ": " + shortened(each.message) + "\n";
}

}  // namespace

Outcome run_command_case(const CaseTable& table, const Case& one, const Suite& suite, const Place& place) {
  std::filesystem::create_directories(place.folder);
  std::vector<std::string> command;
  command.reserve(table.command.size());
  for (const std::string& part : table.command) command.push_back(filled(part, one, place));
  const std::filesystem::path folder = suite.file.parent_path(), log = place.folder / "output.txt";
  const ProgramEnd end = run_program(command, folder, log, log);
  Outcome outcome;
  const std::filesystem::path junit = table.junit.empty() ? "" : folder / filled(table.junit, one, place);
  if (!junit.empty() && (end.exit_code == 0 || std::filesystem::exists(junit)))
    judge_junit(read_junit(read_text_file(junit, "JUnit file", max_junit_bytes), junit.string()), outcome);
  if (outcome.verdict == Verdict::passed && (end.exit_code != 0 || end.signal != 0)) {
    outcome.verdict = Verdict::failed;
    outcome.sentence = one.name + ": the command " + end.how();
  }
  outcome.log += end_of_file(log);
  return outcome;
}

}  // namespace ocs::regress
