// A netlist of the switch as a shared object whose input `mutant_i` says which mutant it is (netlist_mutants.py compiles it).
// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "rtl/object/switch_object.cpp"

/// @param self a switch of this object; 0 is the switch as it is
extern "C" __attribute__((visibility("default"))) void ocs_choose_mutant(lightloop_switch* self, std::uint32_t mutant) {
  auto& choice = Switch::of(self).top.mutant_i;
  choice = static_cast<std::remove_reference_t<decltype(choice)>>(mutant);
}

/// @param high with which the high words of time and counters begin after a reset; their low words are 0 then
extern "C" __attribute__((visibility("default"))) void ocs_begin_at(lightloop_switch* self, std::uint32_t high) {
  Switch::of(self).top.origin_i = high;
}

/// Of each mutant one bit: whether it has changed anything so far, though another one was chosen. Lowest bits first.
extern "C" __attribute__((visibility("default"))) const void* ocs_mutants_that_act(lightloop_switch* self,
                                                                                   std::size_t* bytes) {
  const auto& active = Switch::of(self).top.active_o;
  *bytes = sizeof active;
  return &active;
}
