// links: ocs_workloads
// Reads any bytes as a coflow trace: a trace that keeps its rules, or one readable sentence with a line.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/workloads/coflow_trace.hpp"

namespace {

void check(const ocs::CoflowTrace& trace) {
  if (trace.coflows.empty() || trace.ports < 1 || trace.ports > 256) std::abort();
  for (const ocs::TraceCoflow& coflow : trace.coflows) {
    std::size_t local = 0;
    for (const std::uint16_t mapper : coflow.mappers)
      for (const auto& reducer : coflow.reducers) local += mapper == reducer.port ? 1 : 0;
    const auto flows = ocs::flows_of(coflow);
    if (flows.size() + local != coflow.mappers.size() * coflow.reducers.size()) std::abort();
    for (const ocs::TraceFlow& flow : flows)
      if (flow.from >= trace.ports || flow.to >= trace.ports || flow.from == flow.to || flow.bytes.n < 1'000'000)
        std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check(ocs::parse_coflow_trace({reinterpret_cast<const char*>(data), size}, "fuzz", "fuzz.txt"));
  } catch (const ocs::Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 2 || !sentence.starts_with("fuzz.txt:")) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
  return 0;
}
