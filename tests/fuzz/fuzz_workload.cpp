// links: ocs_workloads
// Reads any bytes as a table of tensors: sizes agree, or one readable sentence says why not.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/workloads/workload.hpp"

namespace {

void check(const ocs::Workload& workload) {
  std::int64_t total = 0;
  for (const ocs::Tensor& tensor : workload.tensors) {
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.shape) elements *= size;
    if (tensor.elements < 1 || elements != tensor.elements ||
        (tensor.bytes.n != 4 * elements && tensor.bytes.n != 2 * elements && tensor.bytes.n != elements))
      std::abort();
    total += tensor.bytes.n;
  }
  if (workload.tensors.empty() || total != workload.total.n) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check(ocs::parse_workload({reinterpret_cast<const char*>(data), size}, "fuzz", "fuzz.csv"));
  } catch (const ocs::Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 2 || !sentence.starts_with("fuzz.csv:")) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
  return 0;
}
