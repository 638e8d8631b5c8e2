/* Commands of the mailbox, and what they need of the controller; used by the files of the controller alone.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_COMMANDS_H
#define OCS_COMMANDS_H

#include "ocs_app.h"

void ocs_app_alarm(ocs_app* app, uint32_t alarm, uint32_t first, uint32_t second);
uint32_t ocs_app_self_test(ocs_app* app);
/* Takes the switch's active map for that of the last commit; what it doesn't say is dark, and asked for again. */
void ocs_app_adopt_map(ocs_app* app);
/* The alarm for accesses that the switch has refused since the last one. code: of the command that made them, or 0. */
void ocs_app_tell_refusals(ocs_app* app, uint32_t code);

/* Carries out the next command; false: there is none, or it has to wait. */
bool ocs_commands_next(ocs_app* app);
/* Answers every command that waits with OCS_MB_E_RESET; how many these are. */
uint32_t ocs_commands_drop(ocs_app* app);

#endif
