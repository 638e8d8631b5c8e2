/* Commands that change circuits: maps, presets, the sequencer's table.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ocs_circuits.h"

#include <stddef.h>

#include "ocs_commands.h"
#include "ocs_maps.h"
#include "ocs_regs.h"

/* ---- maps ---- */

static void answer_blocked(ocs_app* app, const ocs_frame* frame, const ocs_blocked* blocked) {
  const uint32_t words[] = {blocked->output, blocked->input, blocked->by};
  ocs_answer_words(app, frame, blocked->status, words, 3);
}

static void commit(ocs_app* app, const ocs_frame* frame) {
  uint64_t taken = 0;
  const int result = ocs_map_commit(app, ocs_frame_word64(frame, 0), &taken);
  if (result == OCS_OK)
    ocs_answer_cycle(app, frame, taken);
  else
    ocs_answer_result(app, frame, result);
}

static void change_map(ocs_app* app, const ocs_frame* frame, uint32_t first, uint32_t count) {
  const ocs_blocked blocked = ocs_map_change(app, frame->payload + first, count);
  if (blocked.status == OCS_MB_OK)
    commit(app, frame);
  else if (blocked.status == OCS_MB_E_BUS)
    ocs_answer_status(app, frame, OCS_MB_E_BUS);
  else
    answer_blocked(app, frame, &blocked);
}

void ocs_circuits_map(ocs_app* app, const ocs_frame* frame) { change_map(app, frame, 2, frame->words - 2u); }

void ocs_circuits_connect(ocs_app* app, const ocs_frame* frame) {
  if ((ocs_frame_word(frame, 2) & 0xffffu) == OCS_DARK)
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
  else
    change_map(app, frame, 2, 1);
}

/* Changes that aren't in the ring: outputs that differ from `map`, each looked at by itself. */
static void recall(ocs_app* app, const ocs_frame* frame, const uint16_t* map) {
  for (uint16_t o = 0; o < app->dev.ports; ++o) {
    if (app->map[o] == map[o]) continue;
    const int result = ocs_shadow_set(&app->dev, o, map[o]);
    if (result != OCS_OK) {
      ocs_app_adopt_map(app);
      ocs_answer_result(app, frame, result);
      return;
    }
    app->map[o] = map[o];
  }
  for (uint32_t i = 0; i < app->dev.ports; ++i) app->feeds[i] = OCS_DARK;
  for (uint16_t o = 0; o < app->dev.ports; ++o)
    if (map[o] != OCS_DARK) app->feeds[map[o]] = o;
  commit(app, frame);
}

void ocs_circuits_disconnect(ocs_app* app, const ocs_frame* frame) {
  const uint32_t entry[3] = {ocs_frame_word(frame, 0), ocs_frame_word(frame, 1),
                             (ocs_frame_word(frame, 2) << 16) | OCS_DARK};
  if (ocs_frame_word(frame, 2) >= app->dev.ports) {
    ocs_answer_port(app, frame, OCS_MB_E_PORT, ocs_frame_word(frame, 2));
    return;
  }
  ocs_frame one = *frame;
  one.payload = entry;
  change_map(app, &one, 2, 1);
}

void ocs_circuits_preset_store(ocs_app* app, const ocs_frame* frame) {
  const uint32_t preset = ocs_frame_word(frame, 0);
  if (preset >= OCS_MB_PRESETS) {
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  uint16_t map[OCS_APP_PORTS];
  for (uint32_t o = 0; o < OCS_APP_PORTS; ++o) map[o] = OCS_DARK;
  const ocs_blocked blocked = ocs_map_store(app, frame->payload + 1, frame->words - 1u, map);
  if (blocked.status != OCS_MB_OK) {
    answer_blocked(app, frame, &blocked);
    return;
  }
  for (uint32_t o = 0; o < OCS_APP_PORTS; ++o) app->presets[preset][o] = map[o];
  app->preset_known[preset] = true;
  ocs_answer_status(app, frame, OCS_MB_OK);
}

void ocs_circuits_preset_recall(ocs_app* app, const ocs_frame* frame) {
  const uint32_t preset = ocs_frame_word(frame, 2);
  if (preset >= OCS_MB_PRESETS)
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
  else if (!app->preset_known[preset])
    ocs_answer_status(app, frame, OCS_MB_E_OPTION);
  else
    recall(app, frame, app->presets[preset]);
}

/* ---- the table ---- */

static int set_shadow(const ocs_app* app, const uint16_t* map) {
  for (uint16_t o = 0; o < app->dev.ports; ++o) {
    const int result = ocs_shadow_set(&app->dev, o, map[o]);
    if (result != OCS_OK) return result;
  }
  return OCS_OK;
}

void ocs_circuits_entry(ocs_app* app, const ocs_frame* frame) {
  const uint32_t entry = ocs_frame_word(frame, 0);
  if (entry >= app->dev.seq_entries) {
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  if (entry == 0)
    for (uint32_t o = 0; o < app->dev.ports; ++o) app->row[o] = app->map[o];
  const ocs_blocked blocked = ocs_map_store(app, frame->payload + 2, frame->words - 2u, app->row);
  if (blocked.status != OCS_MB_OK) {
    answer_blocked(app, frame, &blocked);
    return;
  }
  int result = set_shadow(app, app->row);
  if (result == OCS_OK) result = ocs_seq_store(&app->dev, (uint16_t)entry, ocs_frame_word(frame, 1), NULL);
  const int restored = set_shadow(app, app->map);
  if (restored != OCS_OK) app->map_unknown = true;
  ocs_answer_result(app, frame, result != OCS_OK ? result : restored);
}

void ocs_circuits_table_go(ocs_app* app, const ocs_frame* frame) {
  const uint32_t entries = ocs_frame_word(frame, 2);
  if (entries < 1u || entries > app->dev.seq_entries) {
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  const int result = ocs_seq_go(&app->dev, ocs_frame_word64(frame, 0), (uint16_t)entries, ocs_frame_word(frame, 3));
  app->table = result == OCS_OK;
  ocs_answer_result(app, frame, result);
}

void ocs_circuits_table_stop(ocs_app* app, const ocs_frame* frame) {
  const int result = ocs_seq_stop(&app->dev);
  ocs_answer_result(app, frame, result);
}

/* What was played once ends by itself; circuits stay as the table has left them. */
bool ocs_circuits_table_plays(ocs_app* app) {
  uint32_t status = 0;
  if (!app->table) return false;
  if (ocs_status(&app->dev, &status) != OCS_OK) return true;
  app->table = (status & OCS_REGS__CORE__STATUS__SEQ_RUNNING_bm) != 0;
  if (!app->table) ocs_app_adopt_map(app);
  return app->table;
}
