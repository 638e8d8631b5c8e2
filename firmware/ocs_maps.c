/* Validates changes of the map as a whole, names what blocks them, and programs them: what is taken away first.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ocs_maps.h"

#include <stddef.h>

#include "ocs_commands.h"

/* From here on a timed commit can't be armed in time for certain. */
#define ARM_CYCLES 250u

static ocs_blocked blocked(uint32_t status, uint32_t entry, uint32_t by) {
  return (ocs_blocked){.status = status, .output = entry >> 16, .input = entry & 0xffffu, .by = by};
}

/* Ports that are there, no output twice. */
static bool check_entries(ocs_app* app, const volatile uint32_t* entries, uint32_t count, ocs_blocked* why) {
  const uint32_t ports = app->dev.ports;
  if (++app->mark == 0) { /* marks of long ago would count again */
    for (uint32_t o = 0; o < ports; ++o) app->marked[o] = 0;
    app->mark = 1;
  }
  const uint16_t mark = app->mark;
  uint16_t* const marked = app->marked;
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t entry = entries[n], output = entry >> 16, input = entry & 0xffffu;
    if (output >= ports || (input >= ports && input != OCS_DARK)) {
      *why = blocked(OCS_MB_E_PORT, entry, OCS_DARK);
      return false;
    }
    if (marked[output] == mark) {
      *why = blocked(OCS_MB_E_TWICE, entry, output);
      return false;
    }
    marked[output] = mark;
  }
  return true;
}

/* Inputs of the entries' outputs in app->map are free, or not any more. */
static void free_inputs(ocs_app* app, const volatile uint32_t* entries, uint32_t count, bool free) {
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t output = entries[n] >> 16;
    const uint16_t input = app->map[output];
    if (input != OCS_DARK) app->feeds[input] = free ? (uint16_t)OCS_DARK : (uint16_t)output;
  }
}

/* Gives the entries' outputs their inputs in app->feeds; on conflict all is as before. */
static bool take_inputs(ocs_app* app, const volatile uint32_t* entries, uint32_t count, ocs_blocked* why) {
  free_inputs(app, entries, count, true);
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t entry = entries[n], input = entry & 0xffffu;
    if (input == OCS_DARK) continue;
    const uint16_t other = app->feeds[input];
    if (other == OCS_DARK) {
      app->feeds[input] = (uint16_t)(entry >> 16);
      continue;
    }
    *why = blocked(OCS_MB_E_CONFLICT, entry, other);
    for (uint32_t k = 0; k < n; ++k) {
      const uint32_t taken = entries[k] & 0xffffu;
      if (taken != OCS_DARK) app->feeds[taken] = OCS_DARK;
    }
    free_inputs(app, entries, count, false);
    return false;
  }
  return true;
}

/* Programs what is taken away, or what is added; *others: how many of the others there are. */
static int program(ocs_app* app, const volatile uint32_t* entries, uint32_t count, bool additions, uint32_t* others) {
  *others = 0;
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t entry = entries[n];
    const uint16_t output = (uint16_t)(entry >> 16), input = (uint16_t)(entry & 0xffffu);
    if ((input != OCS_DARK) != additions) {
      ++*others;
    } else if (app->map[output] != input) {
      const int result = ocs_shadow_set(&app->dev, output, input);
      if (result != OCS_OK) return result;
      app->map[output] = input;
    }
  }
  return OCS_OK;
}

ocs_blocked ocs_map_change(ocs_app* app, const volatile uint32_t* entries, uint32_t count) {
  ocs_blocked why = {.status = OCS_MB_OK};
  if (!check_entries(app, entries, count, &why)) return why;
  if (!app->multicast && !take_inputs(app, entries, count, &why)) return why;
  uint32_t others = 0;
  int result = program(app, entries, count, false, &others);
  if (result == OCS_OK && others != 0) result = program(app, entries, count, true, &others);
  if (result != OCS_OK) {
    ocs_app_adopt_map(app);
    why.status = OCS_MB_E_BUS;
  }
  return why;
}

ocs_blocked ocs_map_store(ocs_app* app, const volatile uint32_t* entries, uint32_t count, uint16_t* row) {
  ocs_blocked why = {.status = OCS_MB_OK};
  if (!check_entries(app, entries, count, &why)) return why;
  if (!app->multicast) {
    uint16_t feeds[OCS_APP_PORTS];
    for (uint32_t i = 0; i < app->dev.ports; ++i) feeds[i] = OCS_DARK;
    for (uint16_t o = 0; o < app->dev.ports; ++o)
      if (app->marked[o] != app->mark && row[o] != OCS_DARK) feeds[row[o]] = o;
    for (uint32_t n = 0; n < count; ++n) {
      const uint32_t entry = entries[n], input = entry & 0xffffu;
      if (input == OCS_DARK) continue;
      if (feeds[input] != OCS_DARK) return blocked(OCS_MB_E_CONFLICT, entry, feeds[input]);
      feeds[input] = (uint16_t)(entry >> 16);
    }
  }
  for (uint32_t n = 0; n < count; ++n) row[entries[n] >> 16] = (uint16_t)(entries[n] & 0xffffu);
  return why;
}

int ocs_map_commit(ocs_app* app, uint64_t at, uint64_t* taken) {
  const uint64_t now = ocs_platform_time(app->platform.context);
  const bool timed = at > now + ARM_CYCLES;
  if (!timed && at > now) ocs_platform_hold(app->platform.context, at);
  const int result = timed ? ocs_commit_at(&app->dev, at) : ocs_commit(&app->dev);
  if (result != OCS_OK) {
    ocs_app_adopt_map(app);
    return result;
  }
  if (timed) {
    app->armed = true;
    app->armed_at = now;
  }
  *taken = at > now ? at : ocs_platform_time(app->platform.context);
  if (at != 0 && *taken > at) ocs_app_alarm(app, OCS_MB_ALARM_LATE, (uint32_t)(*taken - at), 0);
  return OCS_OK;
}
