// links: ocs_experiment_file
// Reads any bytes as the charges of a row and as a value of charge_planning: what is read is written and read again as
// the same, or one readable sentence says why not.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/experiment/planning_charge.hpp"
#include "tests/fuzz/one_sentence.hpp"

namespace {

void twice(std::string_view text) {
  const std::vector<ocs::Picos> charges = ocs::charges_from_text(text);
  if (charges.size() > 10'000) return;
  std::vector<ocs::Cycles> cycles;
  for (const ocs::Picos charge : charges) cycles.push_back({charge.n});
  if (ocs::charges_from_text(ocs::charges_text(cycles, ocs::Picos{1})) != charges) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  ocs::one_sentence([&] { twice(text); });
  ocs::one_sentence([&] {
    ocs::PlanningSettings planning;
    ocs::read_charge(text, planning);
    if (planning.fixed.n < 0 || planning.row < 0) std::abort();
  });
  return 0;
}
