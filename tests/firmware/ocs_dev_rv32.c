/* The driver's tests as an image for the soft core: prints what fails, and how many checks there were.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "firmware/ocs_soc.h"
#include "firmware/rv32/soc.h"
#include "tests/firmware/ocs_dev_suite.h"

static uint32_t failures;

static void wait_cycles(void* context, uint32_t cycles) {
  const uint64_t end = ocs_platform_time(context) + cycles;
  while (ocs_platform_time(context) < end) {
  }
}

static void note(void* context, uint32_t line) {
  (void)context;
  ++failures;
  soc_print("ocs_dev_suite.c:%u fails", line, 0);
}

int main(void) {
  suite_machine machine = {.bus = soc_bus(), .wait = wait_cycles, .failed = note};
  soc_boot(OCS_BOOT_READY); /* the host may listen */
  soc_sleep(OCS_SOC_WAKE_COMMAND);
  ocs_dev_suite(&machine);
  soc_print("%u checks, %u failed", machine.checks, failures);
  for (;;) soc_sleep(0);
}
