/* The switch's firmware, after output 1 has been made to flap every 8 cycles: faster than its events are served.
 * SPDX-License-Identifier: Apache-2.0 */
#define main run_controller /* the program as it is, with something before it */
#include "firmware/rv32/main.c"
#undef main

int main(void) {
  ocs_dev dev;
  if (ocs_probe(&dev, soc_bus()) != OCS_OK || ocs_set_flap(&dev, 1, 8) != OCS_OK)
    soc_print("the switch is no switch", 0, 0);
  return run_controller();
}
