/* Commands of the mailbox: reading frames, carrying them out, answering; used by ocs_app.c alone.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_COMMANDS_H
#define OCS_COMMANDS_H

#include "ocs_app.h"

/* An answer being written. */
typedef struct ocs_answer {
  uint32_t at;    /* where its next word goes */
  uint32_t stamp; /* where its cycle goes */
  bool alert;
} ocs_answer;

typedef struct ocs_frame {
  uint32_t code, sequence, words;
  uint32_t next;                    /* ring position behind it */
  const volatile uint32_t* payload; /* in one piece */
} ocs_frame;

/* words: of the payload behind the stamp, all of which have to be written. False: the ring is full; an alarm is left
 * out then, and commands wait. */
bool ocs_answer_begin(ocs_app* app, ocs_answer* answer, uint32_t code, uint32_t sequence, uint32_t status,
                      uint32_t words);
void ocs_answer_word(ocs_app* app, ocs_answer* answer, uint32_t word);
void ocs_answer_end(ocs_app* app, ocs_answer* answer);

void ocs_app_alarm(ocs_app* app, uint32_t alarm, uint32_t first, uint32_t second);
uint32_t ocs_app_self_test(ocs_app* app);
/* Takes the switch's active map for that of the last commit. */
void ocs_app_adopt_map(ocs_app* app);

/* Carries out the next command; false: there is none, or it has to wait. */
bool ocs_commands_next(ocs_app* app);
/* Answers every command that waits with OCS_MB_E_RESET; how many these are. */
uint32_t ocs_commands_drop(ocs_app* app);

/* ---- maps (ocs_maps.c) ---- */

typedef struct ocs_blocked {
  uint32_t status; /* enum ocs_mb_status */
  uint32_t output, input, by;
} ocs_blocked;

/* Validates `count` entries and makes the changes in app->map and in the shadow map: what is taken away first, then
 * what is added. Not OCS_MB_OK: nothing has changed. */
ocs_blocked ocs_map_change(ocs_app* app, const volatile uint32_t* entries, uint32_t count);
/* The same in `row` alone, for an entry of the table or a preset. */
ocs_blocked ocs_map_store(ocs_app* app, const volatile uint32_t* entries, uint32_t count, uint16_t* row);
/* Commits the shadow map in cycle `at`, or at once; returns the cycle in which it is to be taken. */
uint64_t ocs_map_commit(ocs_app* app, uint64_t at);

#endif
