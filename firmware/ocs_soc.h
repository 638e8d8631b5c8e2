/* Addresses of the system on chip as its core sees them (rtl/soc/ocs_soc.sv); docs/firmware.md tells what they do.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_SOC_H
#define OCS_SOC_H

#define OCS_SOC_RAM 0x00000000u
#define OCS_SOC_RAM_BYTES 0x10000u
#define OCS_SOC_ROM 0x10000000u
#define OCS_SOC_ROM_BYTES 0x400u
#define OCS_SOC_REGISTERS 0x20000000u
#define OCS_SOC_COMMANDS 0x30000000u /* ring, read only */
#define OCS_SOC_ANSWERS 0x38000000u  /* ring */
#define OCS_SOC_SWITCH 0x40000000u   /* register window of the switch */

/* Registers: byte offsets. */
#define OCS_SOC_PENDING 0x00u      /* R: OCS_SOC_WAKE_* */
#define OCS_SOC_SLEEP 0x04u        /* W: mask; done when PENDING has one of its bits */
#define OCS_SOC_COMMAND_HEAD 0x08u /* R: words ever written, of the host */
#define OCS_SOC_COMMAND_TAIL 0x0cu /* RW: words ever taken */
#define OCS_SOC_ANSWER_HEAD 0x10u  /* RW: words ever written */
#define OCS_SOC_ANSWER_TAIL 0x14u  /* R: words ever taken by the host */
#define OCS_SOC_EVENT 0x18u        /* R: the next event as register EVENT shows it, 0 if there is none; takes it */
#define OCS_SOC_EVENT_TIME 0x1cu   /* R: low word of the cycle of the event taken last */
#define OCS_SOC_TIMER 0x20u        /* W: low word; the high one (+4) arms */
#define OCS_SOC_TIMER_OFF 0x28u    /* W: any */
#define OCS_SOC_TIME 0x2cu         /* R: low word, latches the high one (+4) */
#define OCS_SOC_HOLD 0x34u         /* W: low word of the cycle in which the next access to the switch is made */
#define OCS_SOC_CONSOLE 0x38u      /* W: a character */
#define OCS_SOC_BOOT 0x3cu         /* RW: enum ocs_boot */
#define OCS_SOC_WATCHDOG 0x40u     /* W: it bites after so many cycles in which the core runs; 0: never */
#define OCS_SOC_CAUSE 0x44u        /* R: OCS_MB_RESET_* */
#define OCS_SOC_ALERT 0x48u        /* W: any: stops the host's clock, for bad news among the answers */
#define OCS_SOC_BUS_ERRORS 0x4cu   /* R: accesses to the switch that weren't done, ever */
#define OCS_SOC_EVENTS_LOST 0x50u  /* R: events that found no place, ever */
#define OCS_SOC_ACCESS 0x54u       /* R: how the access to the switch that was made last has ended: OCS_SOC_ACCESS_* */

#define OCS_SOC_ACCESS_OK 0u
#define OCS_SOC_ACCESS_REFUSED 1u /* SLVERR */
#define OCS_SOC_ACCESS_SILENT 2u  /* the switch didn't answer in time; it isn't asked any more before a reset */

#define OCS_SOC_WAKE_COMMAND 1u
#define OCS_SOC_WAKE_EVENT 2u
#define OCS_SOC_WAKE_TIMER 4u
#define OCS_SOC_WAKE_LOST 8u /* events were lost, until EVENTS_LOST is read */

#endif
