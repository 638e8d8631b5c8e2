// links: ocs_cluster
// What squeue and sacct print, and the file `job` of a folder: read, or refused in one sentence.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "testbed/cluster/slurm.hpp"
#include "tests/fuzz/one_sentence.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& tasks : {ocs::parse_squeue(text), ocs::parse_sacct(text)})
    for (const auto& [number, task] : tasks) ocs::explanation_of(task);
  ocs::one_sentence([&] { ocs::array_text(ocs::parse_kept_job(text, "input").numbers); });
  return 0;
}
