// Random register programs give the same result on every device, warped, unwarped and in random strides.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
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

using Chosen = bool (*)(const Body&);
bool any_body(const Body&) { return true; }
bool a_core(const Body& body) { return body.name == "verilated_counter" || body.name == "verilated"; }

std::vector<Way> ways(const Setting& setting, Chosen chosen) {
  std::vector<Way> out;
  for (const Body& body : bodies()) {
    if (!chosen(body) || !takes_part(body, setting.ports, setting.fifo_depth)) continue;
    for (Mode mode : modes_of(body)) {
      if (mode.stride_seed != 0) mode.stride_seed = setting.stride_seed;
      out.push_back({body, mode, false});
    }
    if (setting.every_cycle) out.push_back({body, modes_of(body)[0], true});
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
std::string disagreement(const Setting& setting, const std::vector<Op>& program, Chosen chosen) {
  std::optional<Observation> first;
  for (const Way& way : ways(setting, chosen)) {
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

/// 1,000 programs from seed 1 unless LIGHTLOOP_RANDOM_PROGRAMS or RC_PARAMS say otherwise; a `share`-th of them.
rc::detail::Configuration configuration(int share) {
  rc::detail::Configuration defaults;
  defaults.testParams.seed = 1;
  const char* programs = std::getenv("LIGHTLOOP_RANDOM_PROGRAMS");
  const char* params = std::getenv("RC_PARAMS");
  defaults.testParams.maxSuccess = std::max(1, (programs != nullptr ? std::stoi(programs) : 1000) / share);
  return rc::detail::configFromString(params != nullptr ? params : "", defaults);
}

/// Programs of the given number of ports (0: of any) agree on the chosen devices in every mode.
void hold(const std::string& name, int ports, Chosen chosen, int share) {
  rc::detail::Configuration config;
  try {
    config = configuration(share);
  } catch (const std::exception& e) {
    FAIL() << "LIGHTLOOP_RANDOM_PROGRAMS has to be a number, RC_PARAMS as RapidCheck wants it: " << e.what();
  }
  std::cout << "RC_PARAMS=\"" << rc::detail::configToString(config) << "\"\n";
  std::optional<std::pair<Setting, std::vector<Op>>> smallest;  // that failed: RapidCheck shrinks what fails alone
  const auto property = [&] {
    Setting setting = *arbitrary_setting();
    if (ports != 0) {
      setting.ports = ports;
      setting.fifo_depth = 64;
      setting.every_cycle = setting.every_cycle && ports <= 8;
    }
    const auto steps = *arbitrary_steps(setting);
    const std::string wrong = disagreement(setting, join(steps), chosen);
    if (wrong.empty()) return;
    smallest.emplace(setting, join(steps));
    RC_FAIL(wrong);
  };
  rc::detail::TestMetadata about;
  about.id = name;
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

TEST(RandomPrograms, AgreeOnEveryDeviceInEveryMode) {
  hold("RandomPrograms/AgreeOnEveryDeviceInEveryMode", 0, any_body, 1);
}

/// The fast core against the counter-style one, which is its specification: 1,000 programs of each
/// size, of more than 16 ports 50, of more than 64 ports 10. Sizes are powers of two and others, and of one chunk of 32 ports and more.
class Cores : public testing::TestWithParam<int> {};

TEST_P(Cores, AgreeInEveryModeOnProgramsOfTheirSize) {
  const int ports = GetParam();
  for (const Body& body : bodies())
    if (a_core(body) && !body.available(ports, 64))
      GTEST_SKIP() << body.name << " isn't built with " << ports << " ports";
  hold("Cores/AgreeInEveryModeOnProgramsOfTheirSize/" + std::to_string(ports), ports, a_core,
       ports > 64   ? 100
       : ports > 16 ? 20
                    : 1);
}

INSTANTIATE_TEST_SUITE_P(Size, Cores, testing::Values(4, 8, 16, 24, 33, 64, 128, 136, 256),
                         [](const auto& ports) { return std::to_string(ports.param); });

}  // namespace
}  // namespace ocs::conformance
