// links: ocs_llm
// Reads any bytes as a workload "llm:...", and as a table of stage times: settings that fit together, or one readable
// sentence.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/llm/llm_settings.hpp"

namespace {

void check_refusal(const ocs::Error& error) {
  const std::string_view sentence = error.what();
  if (error.exit_code() != 2 || sentence.empty()) std::abort();
  if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
}

void check_settings(const ocs::LlmSettings& one) {
  if (one.nodes() < 2 || one.microbatches() < 1 || one.dp % one.ep != 0 || one.model.layers % one.pp != 0) std::abort();
  if (one.mfu_milli < 1 || one.mfu_milli > 1000 || one.tflops_milli < 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    check_settings(ocs::parse_llm(std::string(ocs::llm_prefix) + text));
  } catch (const ocs::Error& error) {
    check_refusal(error);
  }
  try {
    for (const auto& [forward, backward] : ocs::parse_stage_times(text, "fuzz.csv", 2))
      if (forward.n < 1 || backward.n < 1) std::abort();
  } catch (const ocs::Error& error) {
    check_refusal(error);
  }
  return 0;
}
