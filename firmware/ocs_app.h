/* The switch's controller: takes commands from the mailbox, validates them, programs the switch, looks after faults.
 * Freestanding C11 without a heap; the same sources run on the soft core and, for tests, on the host.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef OCS_APP_H
#define OCS_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "ocs_dev.h"
#include "ocs_mailbox.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OCS_APP_PORTS 256u
#define OCS_APP_NEVER UINT64_MAX
#define OCS_APP_VERSION 0x00010001u
/* So many events are served between two commands at most: a port that flaps faster than that leaves commands their
 * turn. On the soft core that is below 10,000 cycles, and whatever the events bring below 100,000. */
#define OCS_APP_EVENTS 32u

/* What the controller needs of the machine that it runs on; the functions are linked, `context` is handed to each.
 * Rings are word arrays of OCS_MB_RING_WORDS; heads and tails count words for ever. */
typedef struct ocs_platform {
  void* context;
  ocs_bus bus; /* the switch */
  const volatile uint32_t* commands;
  volatile uint32_t* answers;
} ocs_platform;

uint32_t ocs_platform_command_head(void* context);
uint32_t ocs_platform_command_tail(void* context);
void ocs_platform_commands_taken(void* context, uint32_t tail);
uint32_t ocs_platform_answer_head(void* context);
uint32_t ocs_platform_answer_tail(void* context);
void ocs_platform_answers_written(void* context, uint32_t head, bool alert);
uint64_t ocs_platform_time(void* context);
/* The next write to the switch is in force in this cycle, or at once. */
void ocs_platform_hold(void* context, uint64_t cycle);
void ocs_platform_wake_at(void* context, uint64_t cycle); /* OCS_APP_NEVER: not by time */
/* The next event: EVENT's word and the low word of its cycle, which is at most 2^32 - 1 cycles ago; false: none. */
bool ocs_platform_event(void* context, uint32_t* event, uint32_t* cycle);
bool ocs_platform_events_lost(void* context);    /* some found no place since this was asked the last time */
uint32_t ocs_platform_bus_errors(void* context); /* refused accesses, ever */
void ocs_platform_log(void* context, const char* text, uint32_t first, uint32_t second); /* text has two %u */
void ocs_platform_hang(void* context);

typedef struct ocs_app_fault {
  uint32_t cycle, what; /* as in OCS_MB_FAULT_LOG */
} ocs_app_fault;

typedef struct ocs_app {
  ocs_platform platform;
  ocs_dev dev;
  uint16_t map[OCS_APP_PORTS];   /* input of each output after the last accepted commit */
  uint16_t feeds[OCS_APP_PORTS]; /* output of each input in it, without multicast */
  uint16_t marked[OCS_APP_PORTS];
  uint16_t mark;
  uint32_t tail, head, answer_head;
  bool multicast, armed, table, blocked;
  bool map_unknown;  /* the switch has another one than `map`: it is read when nothing is armed or played */
  bool lost, losing; /* events were lost: the switch isn't read anew yet; the host has been told of it */
  uint64_t armed_at; /* no later than the timed commit was armed: events up to here are of one before it */
  ocs_burst bursts[OCS_APP_PORTS]; /* as in the registers, */
  bool burst_known[OCS_APP_PORTS]; /* if that is known; */
  uint16_t rates[OCS_APP_PORTS];   /* so are these, 0: unknown */
  bool running[OCS_APP_PORTS];
  uint64_t started_at[OCS_APP_PORTS]; /* events up to here are of a burst before this one */
  uint8_t tries[OCS_APP_PORTS];
  uint64_t retry_at[OCS_APP_PORTS], next_retry, woken_at;
  uint32_t retries, pause;
  uint16_t presets[OCS_MB_PRESETS][OCS_APP_PORTS];
  bool preset_known[OCS_MB_PRESETS];
  uint16_t row[OCS_APP_PORTS]; /* map of the table's entry stored last */
  ocs_app_fault faults[OCS_MB_FAULTS];
  uint32_t fault_count, bus_errors;
  uint32_t cause, image_bytes;
  uint32_t frame[OCS_MB_MOST_WORDS]; /* a payload that goes over the ring's end */
} ocs_app;

/* Probes the switch, tests itself, adopts the circuits that there are, answers what waits in the mailbox with
 * OCS_MB_E_RESET. cause: OCS_MB_RESET_*. Returns the mask of OCS_MB_TEST_* that failed: with OCS_MB_TEST_IDENTITY
 * nothing else may be called. */
uint32_t ocs_app_start(ocs_app* app, const ocs_platform* platform, uint32_t cause, uint32_t image_bytes);

/* Serves OCS_APP_EVENTS events at most, retries that are due, and a command, as long as there is a command. Afterwards
 * the core may sleep until there is an event, one of those that are left included, the time last given to wake_at, or,
 * unless ocs_app.blocked (a timed map waits for the one before it), a command. */
void ocs_app_work(ocs_app* app);

#ifdef __cplusplus
}
#endif

#endif
