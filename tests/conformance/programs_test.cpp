// Runs every register program of a folder on every device, in every mode, and compares everything.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <ostream>
#include <string>

#include "host/conformance/compare.hpp"
#include "host/conformance/program.hpp"
#include "host/conformance/runner.hpp"
#include "tests/common/places.hpp"
#include "tests/conformance/devices.hpp"
#include "tests/conformance/variations.hpp"

namespace ocs::conformance {

/// One case of a file, or the reason why a file has none.
struct Listed {
  std::string file, problem;
  std::optional<Case> program;
  std::string test_name;
};

// GoogleTest shows a parameter by this function in its lists.
void PrintTo(const Listed& listed, std::ostream* out) {
  *out << listed.file;
  if (listed.program) *out << ": " << listed.program->rule;
}

namespace {

std::string identifier(const std::string& text) {
  std::string out;
  for (const char c : text) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
}

std::vector<Listed> all_programs() {
  const char* named = std::getenv("LIGHTLOOP_PROGRAMS");
  const std::filesystem::path folder = named != nullptr
                                           ? std::filesystem::path(named)
                                           : std::filesystem::path(ocs::test::source_dir() + "/tests/goldens/switch");
  std::vector<Listed> out;
  for (ProgramFile& file : load_programs(folder)) {
    const std::string stem = identifier(std::filesystem::path(file.name).replace_extension().generic_string());
    if (!file.problem.empty()) out.push_back({file.name, file.problem, {}, stem});
    for (Case& program : file.cases) {
      const std::string name = identifier(program.name);
      const std::string whole = file.cases.size() == 1 && name == stem ? name : stem + "__" + name;
      out.push_back({file.name, "", std::move(program), whole});
    }
  }
  std::map<std::string, int> seen;
  for (Listed& listed : out)
    if (const int before = seen[listed.test_name]++; before > 0) listed.test_name += "__" + std::to_string(before + 1);
  return out;
}

class Programs : public testing::TestWithParam<Listed> {};

/// Runs the program in all modes of one device; `reference` is the first observation of all devices.
void run_on(const Body& body, const Case& program, std::optional<Observation>& reference) {
  if (!takes_part(body, program.ports, program.fifo_depth)) {
    std::cout << "[ skipped  ] " << program.name << " on " << body.name << ": not built with " << program.ports
              << " ports and a FIFO of " << program.fifo_depth << " records\n";
    return;
  }
  std::uint64_t cycles = reference ? reference->cycles : 0;
  for (const Mode& mode : modes_of(body)) {
    const std::string who = label(body, mode);
    if ((!mode.time_warp || body.word_by_word) && cycles > unwarped_limit) {
      std::cout << "[ skipped  ] " << program.name << " on " << who << ": " << cycles << " cycles, more than "
                << unwarped_limit << "\n";
      continue;
    }
    try {
      const auto device = make_device(body, mode, program.ports, program.fifo_depth);
      Observation got = run_program(*device, program.ports, program.fifo_depth, program.program);
      cycles = got.cycles;
      const std::string wrong = deviations(program, got);
      EXPECT_TRUE(wrong.empty()) << "on " << who << ":\n" << wrong;
      if (reference) {
        const std::string unlike = difference(program.ports, program.program, *reference, got);
        EXPECT_TRUE(unlike.empty()) << who << " isn't like the first device:\n" << unlike;
      } else {
        reference = std::move(got);
      }
    } catch (const Error& e) {
      ADD_FAILURE() << "on " << who << ": " << e.what();
    }
  }
}

TEST_P(Programs, GiveTheExpectedResultOnEveryDevice) {
  const Listed& listed = GetParam();
  if (!listed.program) FAIL() << listed.problem;
  const Case& program = *listed.program;
  SCOPED_TRACE(listed.file + ", case \"" + program.name + "\", rule " + program.rule);
  std::optional<Observation> reference;
  for (const Body& body : bodies()) run_on(body, program, reference);
  if (HasFailure()) std::cout << trace_failure(program.name, program.ports, program.fifo_depth, program.program);
}

TEST_P(Programs, GiveOneResultOnEveryDeviceWhenVaried) {
  const Listed& listed = GetParam();
  if (!listed.program) FAIL() << listed.problem;
  const Case& program = *listed.program;
  const auto run = [&](const std::vector<Op>& varied, const std::string& how) {
    SCOPED_TRACE(listed.file + ", case \"" + program.name + "\", " + how);
    EXPECT_EQ(unlike_when_warped(program.ports, program.fifo_depth, varied, false), "");
    if (HasFailure()) std::cout << trace_failure(program.name, program.ports, program.fifo_depth, varied);
  };
  for (int by = 1; const std::uint64_t late : lateness) {
    run(begun_late(on_other_ports(program.program, program.ports, by), program.ports, late),
        std::to_string(late) + " cycles late, ports moved by " + std::to_string(by));
    ++by;
  }
  run(looked_at_again(program.program), "looked at again");
}

INSTANTIATE_TEST_SUITE_P(Switch, Programs, testing::ValuesIn(all_programs()),
                         [](const auto& listed) { return listed.param.test_name; });

}  // namespace
}  // namespace ocs::conformance
