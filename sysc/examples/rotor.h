/* Software of the example platform: a switch that turns through its maps at every tick of a timer, in C, by the driver
 * that firmware, host and tests share.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef ROTOR_H
#define ROTOR_H

#include "firmware/ocs_dev.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the software runs on: 32-bit accesses at addresses of the platform, and sleep until an interrupt is pending.
 * Accesses return 0, or a positive code. */
typedef struct RotorPlatform {
  void* context;
  int (*read)(void* context, uint32_t address, uint32_t* value);
  int (*write)(void* context, uint32_t address, uint32_t value);
  void (*wait_for_interrupt)(void* context);
} RotorPlatform;

/* The memory map. */
enum {
  ROTOR_MEMORY = 0x00000000,       /* 64 KiB; the log: pairs of words, stamp and port | kind << 16 */
  ROTOR_TIMER_PERIOD = 0x40000000, /* nanoseconds between ticks; writing starts it, 0 stops it */
  ROTOR_TIMER_CLEAR = 0x40000004,  /* any write takes the tick back */
  ROTOR_INTERRUPTS = 0x40010000,   /* pending: bit 0 timer, bit 1 switch */
  ROTOR_SWITCH = (int)0x80000000   /* the switch's window */
};

/* Commits `turns` maps, one a tick of `period_ns`; logs every event of an output. @return events logged, or an error
 * of the driver, negated if it is positive. */
int rotor_run(const RotorPlatform* platform, uint32_t period_ns, int turns);

#ifdef __cplusplus
}
#endif

#endif
