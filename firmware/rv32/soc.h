/* The machine that the firmware runs on, for its main programs.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_RV32_SOC_H
#define OCS_RV32_SOC_H

#include "firmware/ocs_app.h"

/* The longest command, and much: a whole map of 256 ports takes about 80,000 cycles. */
#define SOC_WATCHDOG_CYCLES 1000000u

ocs_bus soc_bus(void);
ocs_platform soc_platform(void);
/* One line; text may have %u twice. */
void soc_print(const char* text, uint32_t first, uint32_t second);
void soc_boot(uint32_t code);    /* enum ocs_boot */
uint32_t soc_cause(void);        /* OCS_MB_RESET_* */
void soc_watch(uint32_t cycles); /* the watchdog bites after so many cycles of work; 0: never */
void soc_sleep(uint32_t wake);   /* until one of OCS_SOC_WAKE_* */

#endif
