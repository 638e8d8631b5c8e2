/* Unit tests of the driver in C, which run on the host and on the soft core alike.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_DEV_SUITE_H
#define OCS_DEV_SUITE_H

#include "firmware/ocs_dev.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct suite_machine {
  void* context;
  ocs_bus bus;                                  /* of a switch as after reset, with at least 4 ports */
  void (*wait)(void* context, uint32_t cycles); /* lets at least so many cycles pass */
  void (*failed)(void* context, uint32_t line); /* a check in this line of ocs_dev_suite.c doesn't hold */
  uint32_t checks;                              /* counts */
} suite_machine;

void ocs_dev_suite(suite_machine* machine);

#ifdef __cplusplus
}
#endif

#endif
