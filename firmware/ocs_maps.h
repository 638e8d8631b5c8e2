/* Maps of circuits: what may be changed, and committing it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_MAPS_H
#define OCS_MAPS_H

#include "ocs_app.h"

typedef struct ocs_blocked {
  uint32_t status; /* enum ocs_mb_status */
  uint32_t output, input, by;
} ocs_blocked;

/* Validates `count` entries and makes the changes in app->map and in the shadow map: what is taken away first, then
 * what is added. Not OCS_MB_OK: nothing has changed; after OCS_MB_E_BUS the switch's map is adopted. */
ocs_blocked ocs_map_change(ocs_app* app, const volatile uint32_t* entries, uint32_t count);
/* The same in `row` alone, for an entry of the table or a preset. */
ocs_blocked ocs_map_store(ocs_app* app, const volatile uint32_t* entries, uint32_t count, uint16_t* row);
/* Commits the shadow map in cycle `at`, or at once; *taken: the cycle in which it is to be. Not OCS_OK: as the driver
 * says, and the switch's map is adopted. */
int ocs_map_commit(ocs_app* app, uint64_t at, uint64_t* taken);

#endif
