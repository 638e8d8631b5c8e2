// A switch with coverage: switch_object.cpp, and the functions of coverage_abi.h. It is compiled in place of that file.
// SPDX-License-Identifier: Apache-2.0
#include "coverage_abi.h"
#include "switch_object.cpp"  // its Switch has no declaration elsewhere: other objects have one source, and one hash

namespace {

auto& counters_of(const lightloop_switch* self) {
  return static_cast<const Switch*>(self)->top.rootp->vlSymsp->__Vcoverage;
}

std::size_t size(const lightloop_switch* self) { return std::size(counters_of(self)); }

void get(const lightloop_switch* self, std::uint32_t* values) {
  const auto& counters = counters_of(self);
  for (std::size_t k = 0; k < std::size(counters); ++k) values[k] = counters[k];
}

void set(lightloop_switch* self, const std::uint32_t* values) {
  auto& counters = counters_of(self);
  for (std::size_t k = 0; k < std::size(counters); ++k) counters[k] = values[k];
}

void write_counts(lightloop_switch* self, const char* file) { Switch::of(self).context.coveragep()->write(file); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const lightloop_coverage* lightloop_switch_coverage() {
  static const lightloop_coverage coverage{size, get, set, write_counts};
  return &coverage;
}
