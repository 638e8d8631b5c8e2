// links: ocs_workloads
// Reads any text as a trace of compute times, and as what the keys of compute times hold.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/workloads/compute_model.hpp"

namespace {

/// A parser returns or throws an input error.
template <class Parse>
void expect_sound(const Parse& parse) {
  try {
    parse();
  } catch (const ocs::Error& error) {
    if (error.exit_code() != 2) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ocs::ComputeModel model;
  model.base = ocs::Picos{1'000'000};
  expect_sound([&] { model.trace = ocs::parse_compute_trace(text, "trace"); });
  for (const auto& times : model.trace)
    if (times.empty()) std::abort();
  model.trace.clear();
  expect_sound([&] { model.factors = ocs::parse_factors(text); });
  expect_sound([&] { ocs::parse_jitter(text, model); });
  expect_sound([&] { ocs::parse_stragglers(text, model); });
  if (model.time(0, 0) < ocs::Picos{0}) std::abort();
  return 0;
}
