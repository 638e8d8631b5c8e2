/* The firmware: starts the controller, then works whenever something wakes it.
 * SPDX-License-Identifier: Apache-2.0 */
#include "firmware/ocs_soc.h"
#include "firmware/rv32/soc.h"

static ocs_app app;

extern const uint32_t __image_end; /* of the linker script */

int main(void) {
  soc_watch(SOC_WATCHDOG_CYCLES);
  const ocs_platform platform = soc_platform();
  const uint32_t failed = ocs_app_start(&app, &platform, soc_cause(), (uint32_t)(uintptr_t)&__image_end);
  if (failed != 0) {
    soc_print("self-test failed: %u", failed, 0);
    soc_watch(0);
    soc_boot(OCS_BOOT_E_SELF_TEST);
    for (;;) soc_sleep(0);
  }
  soc_boot(OCS_BOOT_READY);
  for (;;) {
    soc_watch(SOC_WATCHDOG_CYCLES);
    ocs_app_work(&app);
    soc_sleep(OCS_SOC_WAKE_EVENT | OCS_SOC_WAKE_TIMER | OCS_SOC_WAKE_LOST | (app.blocked ? 0u : OCS_SOC_WAKE_COMMAND));
  }
}
