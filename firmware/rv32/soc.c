/* The system on chip as the controller's platform: its registers, its sleep, its console.
 * SPDX-License-Identifier: Apache-2.0 */
#include "firmware/rv32/soc.h"

#include <stddef.h>

#include "firmware/ocs_soc.h"

static uint32_t get(uint32_t offset) { return *(const volatile uint32_t*)(OCS_SOC_REGISTERS + offset); }
static void put(uint32_t offset, uint32_t value) { *(volatile uint32_t*)(OCS_SOC_REGISTERS + offset) = value; }

/* 0, or how the access that was made last has failed: OCS_SOC_ACCESS_*. */
static int outcome(void) { return (int)get(OCS_SOC_ACCESS); }

static int window_read(void* context, uint32_t address, uint32_t* value) {
  (void)context;
  *value = *(const volatile uint32_t*)(OCS_SOC_SWITCH + address);
  return outcome();
}

static int window_write(void* context, uint32_t address, uint32_t value) {
  (void)context;
  *(volatile uint32_t*)(OCS_SOC_SWITCH + address) = value;
  return outcome();
}

ocs_bus soc_bus(void) { return (ocs_bus){.context = NULL, .read = window_read, .write = window_write}; }

uint32_t ocs_platform_command_head(void* context) {
  (void)context;
  return get(OCS_SOC_COMMAND_HEAD);
}

uint32_t ocs_platform_command_tail(void* context) {
  (void)context;
  return get(OCS_SOC_COMMAND_TAIL);
}

void ocs_platform_commands_taken(void* context, uint32_t tail) {
  (void)context;
  put(OCS_SOC_COMMAND_TAIL, tail);
  put(OCS_SOC_WATCHDOG, SOC_WATCHDOG_CYCLES);
}

uint32_t ocs_platform_answer_head(void* context) {
  (void)context;
  return get(OCS_SOC_ANSWER_HEAD);
}

uint32_t ocs_platform_answer_tail(void* context) {
  (void)context;
  return get(OCS_SOC_ANSWER_TAIL);
}

void ocs_platform_answers_written(void* context, uint32_t head, bool alert) {
  (void)context;
  put(OCS_SOC_ANSWER_HEAD, head);
  if (alert) put(OCS_SOC_ALERT, 1);
}

uint64_t ocs_platform_time(void* context) {
  (void)context;
  const uint32_t low = get(OCS_SOC_TIME);
  return ((uint64_t)get(OCS_SOC_TIME + 4u) << 32) | low;
}

void ocs_platform_hold(void* context, uint64_t cycle) {
  (void)context;
  put(OCS_SOC_HOLD, (uint32_t)cycle);
}

void ocs_platform_wake_at(void* context, uint64_t cycle) {
  (void)context;
  if (cycle == OCS_APP_NEVER) {
    put(OCS_SOC_TIMER_OFF, 1);
    return;
  }
  put(OCS_SOC_TIMER, (uint32_t)cycle);
  put(OCS_SOC_TIMER + 4u, (uint32_t)(cycle >> 32));
}

bool ocs_platform_event(void* context, uint32_t* event, uint32_t* cycle) {
  (void)context;
  *event = get(OCS_SOC_EVENT);
  if (*event == 0) return false;
  *cycle = get(OCS_SOC_EVENT_TIME);
  return true;
}

bool ocs_platform_events_lost(void* context) {
  (void)context;
  if ((get(OCS_SOC_PENDING) & OCS_SOC_WAKE_LOST) == 0) return false;
  (void)get(OCS_SOC_EVENTS_LOST); /* clears */
  return true;
}

uint32_t ocs_platform_bus_errors(void* context) {
  (void)context;
  return get(OCS_SOC_BUS_ERRORS);
}

void ocs_platform_log(void* context, const char* text, uint32_t first, uint32_t second) {
  (void)context;
  soc_print(text, first, second);
}

void ocs_platform_hang(void* context) {
  (void)context;
  for (;;) {
  }
}

/* In decimal, without the C library's printf, which would be half of the image. */
static void print_number(uint32_t number) {
  char digits[10];
  uint32_t count = 0;
  do {
    digits[count++] = (char)('0' + number % 10u);
    number /= 10u;
  } while (number != 0);
  while (count > 0) put(OCS_SOC_CONSOLE, (uint32_t)(unsigned char)digits[--count]);
}

void soc_print(const char* text, uint32_t first, uint32_t second) {
  for (const char* c = text; *c != 0; ++c) {
    if (c[0] != '%' || c[1] != 'u') {
      put(OCS_SOC_CONSOLE, (uint32_t)(unsigned char)*c);
      continue;
    }
    print_number(first);
    first = second;
    ++c;
  }
  put(OCS_SOC_CONSOLE, '\n');
}

void soc_boot(uint32_t code) { put(OCS_SOC_BOOT, code); }
uint32_t soc_cause(void) { return get(OCS_SOC_CAUSE); }
void soc_watch(uint32_t cycles) { put(OCS_SOC_WATCHDOG, cycles); }
void soc_sleep(uint32_t wake) { put(OCS_SOC_SLEEP, wake); }

ocs_platform soc_platform(void) {
  return (ocs_platform){.context = NULL,
                        .bus = soc_bus(),
                        .commands = (const volatile uint32_t*)OCS_SOC_COMMANDS,
                        .answers = (volatile uint32_t*)OCS_SOC_ANSWERS};
}
