// Hands a case to its kind, and turns what is thrown into an outcome.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/run_case.hpp"

#include <compare>
#include <cstdlib>
#include <set>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/out_of_memory.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/counted.hpp"
#include "host/rtl/places.hpp"
#include "testbed/regress/program_case.hpp"

namespace ocs::regress {
namespace {

Outcome run_kind(const Suite& suite, const CaseTable& table, const Case& one, const Place& place) {
  switch (table.kind) {
    case CaseKind::programs:
      return run_program_case(table, one, place);
    case CaseKind::random:
      return run_random_case(table, one, place);
    case CaseKind::experiment:
      return run_experiment_case(table, one, place);
    case CaseKind::command:
      break;
  }
  return run_command_case(table, one, suite, place);
}

struct SwitchSize {
  std::string device;
  int ports, fifo_depth;
  bool counted;
  std::filesystem::path rtl;
  friend auto operator<=>(const SwitchSize&, const SwitchSize&) = default;
};

/// Compiles and loads a switch; cases, which are copies of this process, find it loaded.
void make_once(const SwitchSize& size, std::set<SwitchSize>& made) {
  const DeviceTraits traits = device_traits(size.device);
  if (!traits.core || traits.one_in_a_process || !made.insert(size).second) return;
  DeviceConfig config;
  config.ports = size.ports;
  config.fifo_depth = size.fifo_depth;
  const RtlOfCase its_rtl(size.rtl);
  if (size.counted)
    make_counted(size.device, config);
  else
    make_device(size.device, config);
}

/// Ports and FIFO of each program in a file; none of a file that can't be read, which its case will say.
std::set<std::pair<int, int>> sizes_of(const std::filesystem::path& file, const CaseTable& table) {
  std::set<std::pair<int, int>> sizes;
  try {
    for (const conformance::Case& each : read_programs(file, table)) sizes.emplace(each.ports, each.fifo_depth);
  } catch (const Error&) {
    sizes.clear();
  }
  return sizes;
}

}  // namespace

RtlOfCase::RtlOfCase(const std::filesystem::path& folder) : named_(!folder.empty()) {
  if (const char* before = std::getenv(rtl::rtl_variable)) before_ = before;
  if (named_) setenv(rtl::rtl_variable, folder.c_str(), 1);
}

RtlOfCase::~RtlOfCase() {
  if (!named_) return;
  if (before_)
    setenv(rtl::rtl_variable, before_->c_str(), 1);
  else
    unsetenv(rtl::rtl_variable);
}

void prepare_devices(const Suite& suite, const std::vector<Case>& cases) {
  std::set<SwitchSize> made;
  const auto make = [&](const std::string& device, int ports, int fifo_depth, const CaseTable& table) {
    make_once({device, ports, fifo_depth, is_counted(device, table), table.rtl}, made);
  };
  std::pair<std::size_t, std::filesystem::path> last;
  std::set<std::pair<int, int>> sizes;
  for (const Case& one : cases) {
    const CaseTable& table = suite.tables[one.table];
    if (table.kind == CaseKind::random)
      for (const std::string& device : table.devices) make(device, one.ports, table.fifo_depth, table);
    if (table.kind != CaseKind::programs) continue;
    if (const std::pair now(one.table, one.program); std::exchange(last, now) != now)
      sizes = sizes_of(one.program, table);
    for (const auto& [ports, fifo_depth] : sizes) make(one.device, ports, fifo_depth, table);
  }
}

Outcome run_case(const Suite& suite, const Case& one, const Place& place) {
  try {
    const CaseTable& table = suite.tables.at(one.table);
    const RtlOfCase its_rtl(table.rtl);
    if (!table.coverage) return run_kind(suite, table, one, place);
    forget_counts();
    Outcome outcome = run_kind(suite, table, one, place);
    outcome.counts = counts_reached(place.folder);
    return outcome;
  } catch (const std::bad_alloc&) {
    return {.verdict = Verdict::broken, .sentence = out_of_memory};
  } catch (const std::exception& failure) {
    return {.verdict = Verdict::broken, .sentence = failure.what()};
  }
}

}  // namespace ocs::regress
