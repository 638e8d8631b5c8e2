// A switch from the installed package that counts a microsecond.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/module/tlm_switch.hpp"
int sc_main(int, char**) {
  ocs::sysc::TlmSwitch fabric("fabric", {});
  sc_core::sc_signal<bool> irq;
  fabric.irq.bind(irq);
  sc_core::sc_start(1, sc_core::SC_US);
  std::cout << "cycle " << fabric.cycle_now() << "\n";
  return fabric.cycle_now() == 195 ? 0 : 1;
}
