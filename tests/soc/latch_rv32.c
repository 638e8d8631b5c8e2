/* Reads registers of 64 bits again and again, word by word, while the host does the same; says what was torn.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "firmware/ocs_soc.h"
#include "firmware/rv32/soc.h"
#include "ocs_regs.h"

#define COMMIT_AT ((uint32_t)(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, COMMIT_AT)))
#define TIME ((uint32_t)(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, TIME)))
#define HIGH 7u /* of what is armed; that of the time is 0 */

static uint32_t torn, failed;

static void look_at(const ocs_bus* bus, uint32_t address, uint32_t right) {
  uint32_t low = 0, high = 0;
  if (bus->read(bus->context, address, &low) != OCS_OK) ++failed;
  if (bus->read(bus->context, address + 4u, &high) != OCS_OK) ++failed;
  if (high != right) ++torn;
}

int main(void) {
  const ocs_bus bus = soc_bus();
  ocs_dev dev;
  if (ocs_probe(&dev, bus) != OCS_OK || ocs_commit_at(&dev, ((uint64_t)HIGH << 32) + 5u) != OCS_OK) ++failed;
  soc_boot(OCS_BOOT_READY);
  soc_sleep(OCS_SOC_WAKE_COMMAND);
  for (uint32_t n = 0; n < 1000u; ++n) look_at(&bus, COMMIT_AT, HIGH);
  for (uint32_t n = 0; n < 1000u; ++n) look_at(&bus, TIME, 0);
  soc_print("%u torn, %u failed", torn, failed);
  for (;;) soc_sleep(0);
}
