// links: ocs_conformance ocs_device
// Register programs: the parser, then short ones on the model, which must do the same warped and unwarped.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "host/conformance/compare.hpp"
#include "host/conformance/program.hpp"
#include "host/conformance/runner.hpp"
#include "host/core/error.hpp"
#include "host/device/model/model.hpp"

namespace {

using namespace ocs;
using namespace ocs::conformance;

constexpr std::size_t longest_program = 200;
constexpr std::uint64_t longest_advance = 50, latest_limit = 1000;
constexpr int most_ports = 16;

Observation run(const Case& program, bool time_warp) {
  DeviceConfig config;
  config.ports = program.ports;
  config.fifo_depth = program.fifo_depth;
  config.time_warp = time_warp;
  return run_program(*make_model(config), program.ports, program.fifo_depth, program.program);
}

void check(Case program) {
  if (program.program.size() > longest_program || program.ports > most_ports) return;
  for (Op& op : program.program) {
    if (op.kind == Op::Kind::advance) op.value = std::min(op.value, longest_advance);
    if (op.kind == Op::Kind::advance_irq) op.value = std::min(op.value, latest_limit);
  }
  const Observation warped = run(program, true), unwarped = run(program, false);
  const std::string wrong = difference(program.ports, program.program, unwarped, warped);
  if (wrong.empty() && warped.breaches.empty()) return;
  std::fprintf(stderr, "%s%s\n", wrong.c_str(), warped.breaches.empty() ? "" : warped.breaches[0].c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<Case> cases;
  try {
    cases = parse_cases({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) std::abort();
    return 0;
  }
  for (Case& program : cases) check(std::move(program));
  return 0;
}
