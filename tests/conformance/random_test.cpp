// Random register programs give the same result on every device, warped, unwarped and in random strides.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "host/conformance/compare.hpp"
#include "host/conformance/runner.hpp"
#include "rapidcheck/detail/Configuration.h"
#include "rapidcheck/detail/TestListener.h"
#include "tests/conformance/devices.hpp"
#include "tests/conformance/random_program.hpp"

namespace ocs::conformance {
namespace {

constexpr std::uint64_t single_steps = 64, unwarped_cycles = 20'000;

/// One way to run a program; `whole` advances in one go although the others go cycle by cycle.
struct Way {
  const Body& body;
  Mode mode;
  bool whole;
};

std::vector<Way> ways(const Setting& setting) {
  std::vector<Way> out;
  for (const Body& body : bodies()) {
    if (!takes_part(body, setting.ports, setting.fifo_depth)) continue;
    for (Mode mode : modes()) {
      if (mode.stride_seed != 0) mode.stride_seed = setting.stride_seed;
      out.push_back({body, mode, false});
    }
    if (setting.every_cycle) out.push_back({body, modes()[0], true});
  }
  return out;
}

/// The program as a file that test_conformance can run, with what the first device made of it.
std::string as_file(const Setting& setting, const std::vector<Op>& program, const Observation& seen) {
  Case out;
  out.name = "found-by-chance";
  out.rule = "which? (expectations are those of the first device, not derived)";
  out.ports = setting.ports;
  out.fifo_depth = setting.fifo_depth;
  out.program = program;
  out.expect.time = seen.time;
  out.expect.counters = seen.counters;
  for (const auto& event : seen.events) out.expect.events.push_back(event.value);
  for (const auto& value : seen.reads) out.expect.reads.push_back(value.value);
  return to_text(out);
}

/// What is wrong with the program's runs; empty if nothing is.
std::string disagreement(const Setting& setting, const std::vector<Op>& program) {
  std::optional<Observation> first;
  for (const Way& way : ways(setting)) {
    if (first && (!way.mode.time_warp || way.body.word_by_word) && first->cycles > unwarped_cycles) continue;
    const std::string who = label(way.body, way.mode) + (way.whole ? ", whole advances" : "");
    try {
      const auto device = make_device(way.body, way.mode, setting.ports, setting.fifo_depth);
      const RunOptions options{!way.whole, setting.every_cycle && !way.whole ? single_steps : 0};
      Observation got = run_program(*device, setting.ports, setting.fifo_depth, program, options);
      std::string wrong;
      for (const std::string& breach : got.breaches) wrong += breach + "\n";
      if (first) wrong += difference(setting.ports, program, *first, got);
      if (!first) first = std::move(got);
      if (!wrong.empty()) return who + ":\n" + wrong + "\nThe program as a file:\n" + as_file(setting, program, *first);
    } catch (const Error& e) {
      return who + ": " + e.what();
    }
  }
  return "";
}

/// RapidCheck's own reports of progress are not wanted.
struct Quiet : rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

/// 1,000 programs from seed 1 unless LIGHTLOOP_RANDOM_PROGRAMS or RC_PARAMS say otherwise.
rc::detail::Configuration configuration() {
  rc::detail::Configuration defaults;
  defaults.testParams.seed = 1;
  const char* programs = std::getenv("LIGHTLOOP_RANDOM_PROGRAMS");
  const char* params = std::getenv("RC_PARAMS");
  defaults.testParams.maxSuccess = programs != nullptr ? std::stoi(programs) : 1000;
  return rc::detail::configFromString(params != nullptr ? params : "", defaults);
}

TEST(RandomPrograms, AgreeOnEveryDeviceInEveryMode) {
  rc::detail::Configuration config;
  try {
    config = configuration();
  } catch (const std::exception& e) {
    FAIL() << "LIGHTLOOP_RANDOM_PROGRAMS has to be a number, RC_PARAMS as RapidCheck wants it: " << e.what();
  }
  std::cout << "RC_PARAMS=\"" << rc::detail::configToString(config) << "\"\n";
  std::optional<std::pair<Setting, std::vector<Op>>> smallest;  // that failed: RapidCheck shrinks what fails alone
  const auto property = [&smallest] {
    const Setting setting = *arbitrary_setting();
    const auto steps = *arbitrary_steps(setting);
    const std::string wrong = disagreement(setting, join(steps));
    if (wrong.empty()) return;
    smallest.emplace(setting, join(steps));
    RC_FAIL(wrong);
  };
  rc::detail::TestMetadata about;
  about.id = "RandomPrograms/AgreeOnEveryDeviceInEveryMode";
  about.description = about.id;
  Quiet quiet;
  const auto result =
      rc::detail::checkProperty(rc::detail::toProperty(property), about, config.testParams, quiet, config.reproduce);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream report;
  rc::detail::printResultMessage(result, report);
  if (smallest)
    report << "\n" << trace_failure("random", smallest->first.ports, smallest->first.fifo_depth, smallest->second);
  FAIL() << report.str();
}

}  // namespace
}  // namespace ocs::conformance
