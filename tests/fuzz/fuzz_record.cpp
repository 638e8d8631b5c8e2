// links: ocs_experiment_file
// Reads any bytes as the resolved experiment of a row, as a database keeps it: one possible point, which means the same
// when it is written and read again, or one sentence.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/experiment/point_record.hpp"
#include "tests/fuzz/names.hpp"

namespace {

using namespace ocs;

void check(std::string_view text) {
  const ExperimentRecord record = record_from_json(text, "the row");
  if (to_json(record_from_json(to_json(record), "again")) != to_json(record)) std::abort();
  const Point point = point_of(record, fuzz_names(), "the row");
  if (point.node_count() > point.fabric.ports || point.fabric.cycle.n <= 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check({reinterpret_cast<const char*>(data), size});
  } catch (const ocs::Error& error) {
    if (error.exit_code() != 2) std::abort();
  }
  return 0;
}
