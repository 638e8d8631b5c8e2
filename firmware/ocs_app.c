/* Start, and the loop that serves events, retries and commands; what each command does is in ocs_commands.c.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ocs_app.h"

#include <stddef.h>

#include "ocs_commands.h"
#include "ocs_frames.h"
#include "ocs_regs.h"

#define FIELD(value, name) (((value)&name##_bm) >> name##_bp)

static void say(const ocs_app* app, const char* text, uint32_t first, uint32_t second) {
  ocs_platform_log(app->platform.context, text, first, second);
}

void ocs_app_alarm(ocs_app* app, uint32_t alarm, uint32_t first, uint32_t second) {
  ocs_answer answer;
  const uint32_t status = alarm == OCS_MB_ALARM_RESTART ? OCS_MB_E_RESET
                          : alarm == OCS_MB_ALARM_BUS   ? OCS_MB_E_BUS
                                                        : OCS_MB_OK;
  if (!ocs_answer_begin(app, &answer, OCS_MB_ALARM, 0, status, 3)) return;
  ocs_answer_word(app, &answer, alarm);
  ocs_answer_word(app, &answer, first);
  ocs_answer_word(app, &answer, second);
  ocs_answer_end(app, &answer);
}

/* ---- self-test ---- */

static bool shadow_keeps(ocs_app* app, uint16_t output, uint16_t input) {
  uint16_t active = 0;
  return ocs_shadow_set(&app->dev, output, input) == OCS_OK && ocs_active(&app->dev, output, &active) == OCS_OK;
}

uint32_t ocs_app_self_test(ocs_app* app) {
  ocs_dev dev;
  if (ocs_probe(&dev, app->platform.bus) != OCS_OK) return OCS_MB_TEST_IDENTITY;
  uint32_t failed = 0;
  uint64_t before = 0, after = 0;
  if (ocs_time(&dev, &before) != OCS_OK || ocs_time(&dev, &after) != OCS_OK || after < before)
    failed |= OCS_MB_TEST_TIME;
  if (app->armed || app->table) return failed; /* what waits reads the shadow map */
  /* The last output: a write must be accepted, and leave the active map alone. */
  const uint16_t last = (uint16_t)(dev.ports - 1u);
  uint16_t active = 0, then = 0;
  if (ocs_active(&dev, last, &active) != OCS_OK || !shadow_keeps(app, last, 0) ||
      ocs_active(&dev, last, &then) != OCS_OK || then != active || ocs_shadow_set(&dev, last, app->map[last]) != OCS_OK)
    failed |= OCS_MB_TEST_SHADOW;
  return failed;
}

/* ---- start ---- */

void ocs_app_adopt_map(ocs_app* app) {
  app->map_unknown = ocs_shadow_load(&app->dev) != OCS_OK;
  for (uint16_t o = 0; o < app->dev.ports; ++o) app->feeds[o] = OCS_DARK;
  for (uint16_t o = 0; o < app->dev.ports; ++o) {
    uint16_t input = OCS_DARK;
    if (ocs_active(&app->dev, o, &input) != OCS_OK) app->map_unknown = true;
    app->map[o] = input;
    if (input != OCS_DARK) app->feeds[input] = o;
  }
}

/* False: the switch didn't say, and they are left as they were. */
static bool adopt_engines(ocs_app* app) {
  for (uint16_t i = 0; i < app->dev.ports; ++i) {
    enum ocs_engine_state engine = OCS_ENGINE_OFF;
    if (ocs_engine(&app->dev, i, &engine) != OCS_OK) return false;
    app->running[i] = engine != OCS_ENGINE_OFF;
  }
  return true;
}

/* The watchdog resets the core alone, so that the switch still has the modes that the host gave it. */
static bool adopt_modes(ocs_app* app) {
  bool all_stop = false;
  return ocs_modes(&app->dev, &all_stop, &app->multicast) == OCS_OK;
}

/* What the switch does while nobody looks after it goes on; nothing that is armed is taken over. After power-up its
 * modes and its engines' parameters are those of a reset, after a restart any. False: an access was refused. */
static bool adopt_switch(ocs_app* app) {
  const bool fresh = app->cause == OCS_MB_RESET_POWER;
  const uint64_t now = ocs_platform_time(app->platform.context);
  for (uint16_t i = 0; i < app->dev.ports; ++i) {
    app->bursts[i] = (ocs_burst){0};
    app->burst_known[i] = fresh;
    app->rates[i] = fresh ? OCS_FULL_RATE : 0;
    app->started_at[i] = now;
    app->retry_at[i] = OCS_APP_NEVER;
    app->tries[i] = 0;
  }
  if (!fresh && !adopt_modes(app)) return false;
  if (ocs_commit_cancel(&app->dev) != OCS_OK || ocs_seq_stop(&app->dev) != OCS_OK) return false;
  ocs_app_adopt_map(app);
  return adopt_engines(app) && !app->map_unknown;
}

static void clear(ocs_app* app) {
  for (uint32_t p = 0; p < OCS_APP_PORTS; ++p) {
    app->map[p] = app->feeds[p] = app->row[p] = OCS_DARK;
    app->marked[p] = 0;
  }
  for (uint32_t n = 0; n < OCS_MB_PRESETS; ++n) app->preset_known[n] = false;
  app->mark = 0;
  app->multicast = app->armed = app->table = app->blocked = false;
  app->map_unknown = app->lost = app->losing = false;
  app->armed_at = 0;
  app->next_retry = OCS_APP_NEVER;
  app->woken_at = OCS_APP_NEVER;
  app->retries = 3;
  app->pause = 10000;
  app->fault_count = 0;
}

uint32_t ocs_app_start(ocs_app* app, const ocs_platform* platform, uint32_t cause, uint32_t image_bytes) {
  app->platform = *platform;
  app->cause = cause;
  app->image_bytes = image_bytes;
  clear(app);
  void* const context = platform->context;
  ocs_platform_wake_at(context, OCS_APP_NEVER); /* what a start before this one asked for waits no longer */
  app->bus_errors = ocs_platform_bus_errors(context);
  app->answer_head = ocs_platform_answer_head(context);
  app->head = app->tail = ocs_platform_command_tail(context);
  if (ocs_probe(&app->dev, platform->bus) != OCS_OK) return OCS_MB_TEST_IDENTITY;
  const bool adopted = adopt_switch(app);
  uint32_t failed = ocs_app_self_test(app);
  const uint32_t enabled =
      OCS_REGS__IRQ_ENABLE__EVENT_bm | OCS_REGS__IRQ_ENABLE__OVERFLOW_bm | OCS_REGS__IRQ_ENABLE__ERROR_bm;
  if (ocs_irq_enable(&app->dev, enabled) != OCS_OK || !adopted) failed |= OCS_MB_TEST_BUS;
  const uint32_t dropped = ocs_commands_drop(app);
  if (cause != OCS_MB_RESET_POWER) ocs_app_alarm(app, OCS_MB_ALARM_RESTART, cause, dropped);
  say(app, "started: reset cause %u, failed self-tests %u", cause, failed);
  return failed;
}

/* ---- faults ---- */

static void plan_wake(ocs_app* app) {
  if (app->woken_at == app->next_retry) return;
  app->woken_at = app->next_retry;
  ocs_platform_wake_at(app->platform.context, app->next_retry);
}

static void log_fault(ocs_app* app, uint16_t output, uint32_t cause, uint32_t cycle) {
  ocs_app_fault* const entry = &app->faults[app->fault_count % OCS_MB_FAULTS];
  ++app->fault_count;
  entry->cycle = cycle;
  entry->what = output | (cause << 16) | ((uint32_t)app->tries[output] << 24);
}

static void failed(ocs_app* app, uint16_t output, uint32_t cycle) {
  enum ocs_output_state state = OCS_IDLE;
  enum ocs_failure cause = OCS_CAUSE_NONE;
  if (ocs_state(&app->dev, output, &state, &cause) != OCS_OK || state != OCS_FAILED) return; /* it was long ago */
  log_fault(app, output, (uint32_t)cause, cycle);
  say(app, "output %u failed, cause %u", output, (uint32_t)cause);
  if (app->tries[output] == 0) ocs_app_alarm(app, OCS_MB_ALARM_FAULT, output, (uint32_t)cause);
  if (cause == OCS_CAUSE_LIGHT) return; /* it comes back by itself */
  if (app->tries[output] >= app->retries) {
    ocs_app_alarm(app, OCS_MB_ALARM_GIVEN_UP, output, app->tries[output]);
    return;
  }
  const uint32_t shift = app->tries[output] < 20u ? app->tries[output] : 20u;
  app->retry_at[output] = ocs_platform_time(app->platform.context) + ((uint64_t)app->pause << shift);
  if (app->retry_at[output] < app->next_retry) app->next_retry = app->retry_at[output];
  ++app->tries[output];
}

static void recovered(ocs_app* app, uint16_t output) {
  if (app->tries[output] == 0) return;
  ocs_app_alarm(app, OCS_MB_ALARM_RECOVERED, output, app->tries[output]);
  app->tries[output] = 0;
}

static void retry_due(ocs_app* app) {
  const uint64_t now = ocs_platform_time(app->platform.context);
  if (now < app->next_retry) return;
  app->next_retry = OCS_APP_NEVER;
  for (uint16_t o = 0; o < app->dev.ports; ++o) {
    if (app->retry_at[o] <= now) {
      app->retry_at[o] = OCS_APP_NEVER;
      say(app, "output %u: retry %u", o, app->tries[o]);
      if (ocs_retry(&app->dev, (uint16_t)(o / 32u), 1u << (o % 32u)) != OCS_OK) app->retry_at[o] = now + app->pause;
    }
    if (app->retry_at[o] < app->next_retry) app->next_retry = app->retry_at[o];
  }
  ocs_app_tell_refusals(app, 0);
}

/* ---- events ---- */

/* Mirrors that got stuck are retried, and those that came free need no retry any more. False: the switch didn't say. */
static bool catch_up_outputs(ocs_app* app, uint32_t cycle) {
  for (uint16_t o = 0; o < app->dev.ports; ++o) {
    enum ocs_output_state state = OCS_IDLE;
    enum ocs_failure cause = OCS_CAUSE_NONE;
    if (ocs_state(&app->dev, o, &state, &cause) != OCS_OK) return false;
    if (state == OCS_UP) recovered(app, o);
    if (state == OCS_FAILED && cause != OCS_CAUSE_LIGHT && app->retry_at[o] == OCS_APP_NEVER &&
        app->tries[o] < app->retries)
      failed(app, o, cycle);
  }
  return true;
}

/* What events would have told is read from the switch. False: it didn't say. */
static bool catch_up(ocs_app* app) {
  uint32_t status = 0;
  if (ocs_status(&app->dev, &status) != OCS_OK) return false;
  app->armed = (status & OCS_REGS__CORE__STATUS__COMMIT_ARMED_bm) != 0;
  app->table = (status & OCS_REGS__CORE__STATUS__SEQ_RUNNING_bm) != 0;
  app->map_unknown = true;
  if (!adopt_engines(app) || !catch_up_outputs(app, (uint32_t)ocs_platform_time(app->platform.context))) return false;
  if (app->losing) return true;
  app->losing = true;
  say(app, "events were lost: %u armed, %u table", app->armed, app->table);
  ocs_app_alarm(app, OCS_MB_ALARM_EVENTS, 0, 0);
  return true;
}

/* The whole cycle of an event. */
static uint64_t stamp_of(const ocs_app* app, uint32_t cycle) {
  const uint64_t now = ocs_platform_time(app->platform.context);
  return now - ((uint32_t)now - cycle);
}

static void on_device_event(ocs_app* app, uint32_t kind, uint16_t source, uint32_t cycle) {
  if (source == 1u && app->armed && stamp_of(app, cycle) > app->armed_at) app->armed = false;
  if (kind != OCS_REFUSED) return;
  ocs_app_alarm(app, OCS_MB_ALARM_REFUSED, source, 0);
  app->map_unknown = true;
}

static void on_event(ocs_app* app, uint32_t word, uint32_t cycle) {
  const uint32_t kind = FIELD(word, OCS_REGS__CORE__EVENT__KIND);
  const uint16_t port = (uint16_t)FIELD(word, OCS_REGS__CORE__EVENT__PORT);
  switch (FIELD(word, OCS_REGS__CORE__EVENT__CLASS)) {
    case OCS_CLASS_DEVICE:
      on_device_event(app, kind, port, cycle);
      break;
    case OCS_CLASS_OUTPUT:
      if (port >= app->dev.ports) break;
      if (kind == OCS_FAILED) failed(app, port, cycle);
      if (kind == OCS_UP) recovered(app, port);
      if (kind == OCS_IDLE) {
        app->tries[port] = 0;
        app->retry_at[port] = OCS_APP_NEVER;
      }
      break;
    default:
      if (port < app->dev.ports && app->running[port] && stamp_of(app, cycle) > app->started_at[port])
        app->running[port] = false;
  }
}

static void serve_events(ocs_app* app) {
  void* const context = app->platform.context;
  uint32_t word = 0, cycle = 0, served = 0;
  while (served < OCS_APP_EVENTS && ocs_platform_event(context, &word, &cycle)) {
    on_event(app, word, cycle);
    ++served;
  }
  if (ocs_platform_events_lost(context)) app->lost = true;
  if (app->lost)
    app->lost = !catch_up(app);
  else if (served < OCS_APP_EVENTS)
    app->losing = false;
  if (app->map_unknown && !app->armed && !app->table) ocs_app_adopt_map(app);
  if (served != 0 || app->lost || app->map_unknown) ocs_app_tell_refusals(app, 0);
}

void ocs_app_tell_refusals(ocs_app* app, uint32_t code) {
  const uint32_t errors = ocs_platform_bus_errors(app->platform.context);
  if (errors == app->bus_errors) return;
  app->bus_errors = errors;
  ocs_app_alarm(app, OCS_MB_ALARM_BUS, errors, code);
}

void ocs_app_work(ocs_app* app) {
  do {
    serve_events(app);
    if (app->next_retry != OCS_APP_NEVER) retry_due(app);
  } while (ocs_commands_next(app));
  plan_wake(app);
}
