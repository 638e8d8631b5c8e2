// links: ocs_chakra
// Reads any bytes as a Chakra trace of two ranks that are alike, and as process groups: a graph, or one readable
// sentence.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/chakra/chakra_graph.hpp"

namespace {

void check_refusal(const ocs::Error& error) {
  const std::string_view sentence = error.what();
  if (error.exit_code() != 2 || sentence.empty()) std::abort();
  if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
}

void check_graph(const ocs::ChakraGraph& graph) {
  for (const auto& step : graph.steps) {
    if (step.exchange >= static_cast<std::int32_t>(graph.exchanges.size())) std::abort();
    for (const std::uint32_t after : step.after)
      if (after >= graph.steps.size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const ocs::ChakraTrace trace = ocs::parse_chakra_trace(bytes, "fuzz.et");
    check_graph(ocs::make_chakra_graph({trace, trace}, {{"g", {0, 1}}}));
  } catch (const ocs::Error& error) {
    check_refusal(error);
  }
  try {
    ocs::parse_chakra_groups(bytes, "fuzz.json");
  } catch (const ocs::Error& error) {
    check_refusal(error);
  }
  return 0;
}
