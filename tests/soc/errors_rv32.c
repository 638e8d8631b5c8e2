/* Accesses that the switch refuses: the driver's bus says so, and only of those.
 * SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ocs_soc.h"
#include "firmware/rv32/soc.h"

#define NOWHERE 0x300u
#define ID 0u

static void access(const ocs_bus* bus, uint32_t address) {
  uint32_t value = 5;
  const int read = bus->read(bus->context, address, &value);
  const int written = bus->write(bus->context, address, value);
  soc_print("read %u, written %u", (uint32_t)read, (uint32_t)written);
}

int main(void) {
  const ocs_bus bus = soc_bus();
  ocs_dev dev;
  soc_boot(OCS_BOOT_READY);
  soc_sleep(OCS_SOC_WAKE_COMMAND);
  access(&bus, NOWHERE);
  access(&bus, ID);
  const int probed = ocs_probe(&dev, bus);
  dev.ports = 256; /* of a switch with fewer */
  const int refused = ocs_shadow_set(&dev, 200, 0);
  const int done = ocs_shadow_set(&dev, 1, 0);
  soc_print("probed %u, refused %u", (uint32_t)probed, (uint32_t)refused);
  soc_print("done %u, errors %u", (uint32_t)done, ocs_platform_bus_errors(bus.context));
  for (;;) soc_sleep(0);
}
