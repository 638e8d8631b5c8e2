/* Reads frames of the command ring, carries them out, and answers each one.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ocs_commands.h"

#include <stddef.h>

#include "ocs_regs.h"

/* A start is made so many cycles after its gap has been computed: the writes in between take fewer. */
#define START_CYCLES 700u
#define MOST_CYCLES32 0xffffffffu

/* ---- answers ---- */

bool ocs_answer_begin(ocs_app* app, ocs_answer* answer, uint32_t code, uint32_t sequence, uint32_t status,
                      uint32_t words) {
  const uint32_t payload = words + OCS_MB_STAMP_WORDS;
  const uint32_t used = app->answer_head - ocs_platform_answer_tail(app->platform.context);
  if (used + payload + OCS_MB_FRAME_WORDS > OCS_MB_RING_WORDS) return false;
  answer->at = app->answer_head;
  answer->alert = status != OCS_MB_OK;
  ocs_answer_word(app, answer, code | (status << 8) | (payload << 16));
  ocs_answer_word(app, answer, sequence);
  answer->stamp = answer->at;
  answer->at += OCS_MB_STAMP_WORDS;
  return true;
}

void ocs_answer_word(ocs_app* app, ocs_answer* answer, uint32_t word) {
  app->platform.answers[answer->at++ % OCS_MB_RING_WORDS] = word;
}

void ocs_answer_end(ocs_app* app, ocs_answer* answer) {
  const uint64_t now = ocs_platform_time(app->platform.context);
  app->platform.answers[answer->stamp % OCS_MB_RING_WORDS] = (uint32_t)now;
  app->platform.answers[(answer->stamp + 1u) % OCS_MB_RING_WORDS] = (uint32_t)(now >> 32);
  app->answer_head = answer->at;
  ocs_platform_answers_written(app->platform.context, answer->at, answer->alert);
}

/* Room has been made sure of before the command was taken. */
static void answer_words(ocs_app* app, const ocs_frame* frame, uint32_t status, const uint32_t* words, uint32_t count) {
  ocs_answer answer;
  if (!ocs_answer_begin(app, &answer, frame->code, frame->sequence, status, count)) return;
  for (uint32_t n = 0; n < count; ++n) ocs_answer_word(app, &answer, words[n]);
  ocs_answer_end(app, &answer);
}

static void answer_status(ocs_app* app, const ocs_frame* frame, uint32_t status) {
  answer_words(app, frame, status, NULL, 0);
}

static void answer_port(ocs_app* app, const ocs_frame* frame, uint32_t status, uint32_t port) {
  answer_words(app, frame, status, &port, 1);
}

static void answer_cycle(ocs_app* app, const ocs_frame* frame, uint64_t cycle) {
  const uint32_t words[] = {(uint32_t)cycle, (uint32_t)(cycle >> 32)};
  answer_words(app, frame, OCS_MB_OK, words, 2);
}

/* What the driver says of a command's values. */
static uint32_t status_of(int result) {
  if (result == OCS_OK) return OCS_MB_OK;
  if (result == OCS_E_INDEX) return OCS_MB_E_PORT;
  return result < 0 ? OCS_MB_E_VALUE : OCS_MB_E_BUS;
}

static void answer_result(ocs_app* app, const ocs_frame* frame, int result) {
  answer_status(app, frame, status_of(result));
}

static uint32_t word(const ocs_frame* frame, uint32_t n) { return frame->payload[n]; }

static uint64_t word64(const ocs_frame* frame, uint32_t n) {
  return ((uint64_t)frame->payload[n + 1u] << 32) | frame->payload[n];
}

/* ---- the switch as a whole ---- */

static void read_version(ocs_app* app, const ocs_frame* frame) {
  const uint32_t words[] = {OCS_MB_VERSION,       OCS_APP_VERSION, app->dev.ports,
                            app->dev.seq_entries, app->cause,      app->image_bytes};
  answer_words(app, frame, OCS_MB_OK, words, 6);
}

static void self_test(ocs_app* app, const ocs_frame* frame) {
  answer_port(app, frame, OCS_MB_OK, ocs_app_self_test(app));
}

static void set_modes(ocs_app* app, const ocs_frame* frame) {
  const uint32_t modes = word(frame, 0);
  if ((modes & ~(OCS_MB_MODE_ALL_STOP | OCS_MB_MODE_MULTICAST)) != 0) {
    answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  const bool multicast = (modes & OCS_MB_MODE_MULTICAST) != 0, all_stop = (modes & OCS_MB_MODE_ALL_STOP) != 0;
  const uint32_t options = app->dev.options;
  if ((multicast && !(options & OCS_REGS__CAP_OPTIONS__MULTICAST_bm)) ||
      (all_stop && !(options & OCS_REGS__CAP_OPTIONS__ALL_STOP_bm))) {
    answer_status(app, frame, OCS_MB_E_OPTION);
    return;
  }
  bool circuits = false; /* inputs of several outputs aren't looked after with multicast */
  for (uint32_t o = 0; o < app->dev.ports; ++o) circuits |= app->map[o] != OCS_DARK;
  if (multicast != app->multicast && circuits) {
    answer_status(app, frame, OCS_MB_E_BUSY);
    return;
  }
  app->multicast = multicast;
  answer_result(app, frame, ocs_set_modes(&app->dev, all_stop, multicast));
}

static void set_delays(ocs_app* app, const ocs_frame* frame) {
  const uint32_t output = word(frame, 0);
  if (output >= app->dev.ports) {
    answer_port(app, frame, OCS_MB_E_PORT, output);
    return;
  }
  answer_result(app, frame, ocs_set_delays(&app->dev, (uint16_t)output, word(frame, 1), word(frame, 2)));
}

static void set_pairs(ocs_app* app, const ocs_frame* frame) {
  const uint32_t where = word(frame, 0), output = where >> 16, first = where & 0xffffu;
  if (output >= app->dev.ports || first + frame->words - 1u > app->dev.ports) {
    answer_port(app, frame, OCS_MB_E_PORT, where);
    return;
  }
  if ((app->dev.options & OCS_REGS__CAP_OPTIONS__PAIR_bm) == 0) {
    answer_status(app, frame, OCS_MB_E_OPTION);
    return;
  }
  int result = OCS_OK;
  for (uint32_t n = 1; n < frame->words && result == OCS_OK; ++n)
    result = ocs_set_pair(&app->dev, (uint16_t)output, (uint16_t)(first + n - 1u), word(frame, n));
  answer_result(app, frame, result);
}

static void set_retries(ocs_app* app, const ocs_frame* frame) {
  const uint32_t times = word(frame, 0), pause = word(frame, 1);
  if (times > 255u || pause == 0u) {
    answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  app->retries = times;
  app->pause = pause;
  answer_status(app, frame, OCS_MB_OK);
}

static void inject(ocs_app* app, const ocs_frame* frame) {
  const uint32_t port = word(frame, 0), faults = word(frame, 1);
  const uint32_t known =
      OCS_REGS__PORT__FAULTX__LOS_bm | OCS_REGS__PORT__FAULTX__DEAD_bm | OCS_REGS__PORT__FAULTX__STUCK_bm;
  if (port >= app->dev.ports) {
    answer_port(app, frame, OCS_MB_E_PORT, port);
    return;
  }
  if ((faults & ~known) != 0 || (app->dev.options & OCS_REGS__CAP_OPTIONS__FAULTS_bm) == 0) {
    answer_status(app, frame, (faults & ~known) != 0 ? OCS_MB_E_VALUE : OCS_MB_E_OPTION);
    return;
  }
  answer_result(app, frame, ocs_set_faults(&app->dev, (uint16_t)port, faults));
}

/* ---- maps ---- */

static void answer_blocked(ocs_app* app, const ocs_frame* frame, const ocs_blocked* blocked) {
  const uint32_t words[] = {blocked->output, blocked->input, blocked->by};
  answer_words(app, frame, blocked->status, words, 3);
}

static void change_map(ocs_app* app, const ocs_frame* frame, uint32_t first, uint32_t count) {
  const ocs_blocked blocked = ocs_map_change(app, frame->payload + first, count);
  if (blocked.status != OCS_MB_OK)
    answer_blocked(app, frame, &blocked);
  else
    answer_cycle(app, frame, ocs_map_commit(app, word64(frame, 0)));
}

static void change_all(ocs_app* app, const ocs_frame* frame) { change_map(app, frame, 2, frame->words - 2u); }

static void connect(ocs_app* app, const ocs_frame* frame) {
  if ((word(frame, 2) & 0xffffu) == OCS_DARK)
    answer_status(app, frame, OCS_MB_E_VALUE);
  else
    change_map(app, frame, 2, 1);
}

/* Changes that aren't in the ring: outputs that differ from `map`, each looked at by itself. */
static void recall(ocs_app* app, const ocs_frame* frame, const uint16_t* map) {
  for (uint16_t o = 0; o < app->dev.ports; ++o) {
    if (app->map[o] == map[o]) continue;
    (void)ocs_shadow_set(&app->dev, o, map[o]);
    app->map[o] = map[o];
  }
  for (uint32_t i = 0; i < app->dev.ports; ++i) app->feeds[i] = OCS_DARK;
  for (uint16_t o = 0; o < app->dev.ports; ++o)
    if (map[o] != OCS_DARK) app->feeds[map[o]] = o;
  answer_cycle(app, frame, ocs_map_commit(app, word64(frame, 0)));
}

static void disconnect(ocs_app* app, const ocs_frame* frame) {
  const uint32_t entry[3] = {word(frame, 0), word(frame, 1), (word(frame, 2) << 16) | OCS_DARK};
  if (word(frame, 2) >= app->dev.ports) {
    answer_port(app, frame, OCS_MB_E_PORT, word(frame, 2));
    return;
  }
  ocs_frame one = *frame;
  one.payload = entry;
  change_map(app, &one, 2, 1);
}

static void store_preset(ocs_app* app, const ocs_frame* frame) {
  const uint32_t preset = word(frame, 0);
  if (preset >= OCS_MB_PRESETS) {
    answer_status(app, frame, OCS_MB_E_VALUE);
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
  answer_status(app, frame, OCS_MB_OK);
}

static void recall_preset(ocs_app* app, const ocs_frame* frame) {
  const uint32_t preset = word(frame, 2);
  if (preset >= OCS_MB_PRESETS)
    answer_status(app, frame, OCS_MB_E_VALUE);
  else if (!app->preset_known[preset])
    answer_status(app, frame, OCS_MB_E_OPTION);
  else
    recall(app, frame, app->presets[preset]);
}

/* ---- bursts ---- */

/* In which cycle the engine starts, and with which gap: then its first word leaves in cycle `first`. */
static uint64_t start_at(ocs_app* app, uint64_t first, uint32_t* gap) {
  const uint64_t now = ocs_platform_time(app->platform.context);
  *gap = 0;
  if (first <= now + 1u) return now;
  if (first <= now + START_CYCLES) return first - 1u;
  *gap = (uint32_t)(first - (now + START_CYCLES) - 1u);
  return now + START_CYCLES;
}

static void start_burst(ocs_app* app, const ocs_frame* frame) {
  const uint32_t who = word(frame, 0), input = who & 0xffffu, rate = word(frame, 4);
  if (input >= app->dev.ports) {
    answer_port(app, frame, OCS_MB_E_PORT, input);
    return;
  }
  const uint32_t words = rate & 0xffffu;
  if ((rate & ~(OCS_MB_GATED | 0xffffu)) != 0 || words < 1u || words > OCS_FULL_RATE) {
    answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  if (words != OCS_FULL_RATE && !(app->dev.options & OCS_REGS__CAP_OPTIONS__RATE_bm)) {
    answer_status(app, frame, OCS_MB_E_OPTION);
    return;
  }
  const uint64_t first = word64(frame, 2), now = ocs_platform_time(app->platform.context);
  if (first > now && first - now > MOST_CYCLES32) {
    answer_status(app, frame, OCS_MB_E_VALUE); /* a gap has 32 bits */
    return;
  }
  if (app->running[input]) {
    answer_port(app, frame, OCS_MB_E_BUSY, input);
    return;
  }
  const uint16_t i = (uint16_t)input;
  if (words != app->rates[i]) (void)ocs_rate_set(&app->dev, i, (uint16_t)words);
  app->rates[i] = (uint16_t)words;
  ocs_burst* const before = &app->bursts[i];
  ocs_burst burst = {.length = word(frame, 1),
                     .gap = before->gap,
                     .repeat = 0,
                     .tag = (uint16_t)(who >> 16),
                     .gated = (rate & OCS_MB_GATED) != 0};
  (void)ocs_burst_set(&app->dev, i, &burst, before);
  *before = burst;
  const uint64_t at = start_at(app, first, &burst.gap);
  (void)ocs_burst_set(&app->dev, i, &burst, before);
  *before = burst;
  ocs_platform_hold(app->platform.context, at);
  const int result = ocs_start(&app->dev, (uint16_t)(i / 32u), 1u << (i % 32u));
  app->running[i] = result == OCS_OK;
  answer_cycle(app, frame, at);
}

static void stop_burst(ocs_app* app, const ocs_frame* frame) {
  const uint32_t input = word(frame, 0);
  if (input >= app->dev.ports)
    answer_port(app, frame, OCS_MB_E_PORT, input);
  else
    answer_result(app, frame, ocs_stop(&app->dev, (uint16_t)(input / 32u), 1u << (input % 32u)));
}

/* ---- what is observed ---- */

static void read_state(ocs_app* app, const ocs_frame* frame) {
  const uint32_t first = word(frame, 0), count = word(frame, 1);
  if (first >= app->dev.ports || count > app->dev.ports - first) {
    answer_port(app, frame, OCS_MB_E_PORT, first >= app->dev.ports ? first : first + count);
    return;
  }
  ocs_answer answer;
  if (!ocs_answer_begin(app, &answer, frame->code, frame->sequence, OCS_MB_OK, count)) return;
  for (uint32_t o = first; o < first + count; ++o) {
    enum ocs_output_state state = OCS_IDLE;
    enum ocs_failure cause = OCS_CAUSE_NONE;
    uint16_t input = OCS_DARK;
    (void)ocs_state(&app->dev, (uint16_t)o, &state, &cause);
    (void)ocs_active(&app->dev, (uint16_t)o, &input);
    ocs_answer_word(app, &answer, (uint32_t)state | ((uint32_t)cause << 8) | ((uint32_t)input << 16));
  }
  ocs_answer_end(app, &answer);
}

static void read_counters(ocs_app* app, const ocs_frame* frame) {
  static const enum ocs_port_counter order[] = {OCS_PASSED,   OCS_LOST, OCS_DARK_CYCLES, OCS_TUNINGS,
                                                OCS_RESTARTS, OCS_SENT, OCS_UNROUTED};
  const uint32_t port = word(frame, 0);
  if (port >= app->dev.ports) {
    answer_port(app, frame, OCS_MB_E_PORT, port);
    return;
  }
  ocs_answer answer;
  if (!ocs_answer_begin(app, &answer, frame->code, frame->sequence, OCS_MB_OK, 14)) return;
  for (uint32_t n = 0; n < 7; ++n) {
    uint64_t value = 0;
    (void)ocs_counter(&app->dev, order[n], (uint16_t)port, &value);
    ocs_answer_word(app, &answer, (uint32_t)value);
    ocs_answer_word(app, &answer, (uint32_t)(value >> 32));
  }
  ocs_answer_end(app, &answer);
}

static void read_faults(ocs_app* app, const ocs_frame* frame) {
  const uint32_t kept = app->fault_count < OCS_MB_FAULTS ? app->fault_count : OCS_MB_FAULTS;
  ocs_answer answer;
  if (!ocs_answer_begin(app, &answer, frame->code, frame->sequence, OCS_MB_OK, 1u + 2u * kept)) return;
  ocs_answer_word(app, &answer, app->fault_count);
  for (uint32_t n = app->fault_count - kept; n < app->fault_count; ++n) {
    ocs_answer_word(app, &answer, app->faults[n % OCS_MB_FAULTS].cycle);
    ocs_answer_word(app, &answer, app->faults[n % OCS_MB_FAULTS].what);
  }
  ocs_answer_end(app, &answer);
}

/* ---- the table ---- */

static void store_entry(ocs_app* app, const ocs_frame* frame) {
  const uint32_t entry = word(frame, 0);
  if (entry >= app->dev.seq_entries) {
    answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  if (entry == 0)
    for (uint32_t o = 0; o < app->dev.ports; ++o) app->row[o] = app->map[o];
  const ocs_blocked blocked = ocs_map_store(app, frame->payload + 2, frame->words - 2u, app->row);
  if (blocked.status != OCS_MB_OK) {
    answer_blocked(app, frame, &blocked);
    return;
  }
  for (uint16_t o = 0; o < app->dev.ports; ++o) (void)ocs_shadow_set(&app->dev, o, app->row[o]);
  const int result = ocs_seq_store(&app->dev, (uint16_t)entry, word(frame, 1), NULL);
  for (uint16_t o = 0; o < app->dev.ports; ++o) (void)ocs_shadow_set(&app->dev, o, app->map[o]);
  answer_result(app, frame, result);
}

static void play_table(ocs_app* app, const ocs_frame* frame) {
  const uint32_t entries = word(frame, 2);
  if (entries < 1u || entries > app->dev.seq_entries) {
    answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  app->table = true;
  answer_result(app, frame, ocs_seq_go(&app->dev, word64(frame, 0), (uint16_t)entries, word(frame, 3)));
}

static void stop_table(ocs_app* app, const ocs_frame* frame) {
  const int result = ocs_seq_stop(&app->dev);
  answer_result(app, frame, result);
}

/* What was played once ends by itself; circuits stay as the table has left them. */
static bool table_plays(ocs_app* app) {
  uint32_t status = 0;
  if (!app->table) return false;
  (void)ocs_status(&app->dev, &status);
  app->table = (status & OCS_REGS__CORE__STATUS__SEQ_RUNNING_bm) != 0;
  if (!app->table) ocs_app_adopt_map(app);
  return app->table;
}

static void hang(ocs_app* app, const ocs_frame* frame) {
  (void)frame;
  ocs_platform_hang(app->platform.context);
}

/* ---- frames ---- */

typedef struct command {
  void (*run)(ocs_app* app, const ocs_frame* frame);
  uint16_t least, most; /* words of the payload */
  uint16_t answer;      /* words of the longest answer; 0xffff: as many as there are ports */
  bool commits;         /* needs the shadow map */
} command;

#define PORTS 0xffffu
#define ANY OCS_MB_MOST_WORDS
static const command commands[] = {
    [OCS_MB_VERSION_READ] = {read_version, 0, 0, 6, false},
    [OCS_MB_SELF_TEST] = {self_test, 0, 0, 1, true},
    [OCS_MB_MODES] = {set_modes, 1, 1, 1, false},
    [OCS_MB_DELAYS] = {set_delays, 3, 3, 1, false},
    [OCS_MB_PAIRS] = {set_pairs, 2, 257, 1, false},
    [OCS_MB_CONNECT] = {connect, 3, 3, 3, true},
    [OCS_MB_DISCONNECT] = {disconnect, 3, 3, 3, true},
    [OCS_MB_MAP] = {change_all, 2, ANY, 3, true},
    [OCS_MB_BURST] = {start_burst, 5, 5, 2, false},
    [OCS_MB_BURST_STOP] = {stop_burst, 1, 1, 1, false},
    [OCS_MB_STATE] = {read_state, 2, 2, PORTS, false},
    [OCS_MB_COUNTERS] = {read_counters, 1, 1, 14, false},
    [OCS_MB_PRESET_STORE] = {store_preset, 1, ANY, 3, false},
    [OCS_MB_PRESET_RECALL] = {recall_preset, 3, 3, 3, true},
    [OCS_MB_FAULT_LOG] = {read_faults, 0, 0, 1 + 2 * OCS_MB_FAULTS, false},
    [OCS_MB_RETRIES] = {set_retries, 2, 2, 1, false},
    [OCS_MB_INJECT] = {inject, 2, 2, 1, false},
    [OCS_MB_TABLE_ENTRY] = {store_entry, 2, ANY, 3, true},
    [OCS_MB_TABLE_GO] = {play_table, 4, 4, 1, true},
    [OCS_MB_TABLE_STOP] = {stop_table, 0, 0, 1, false},
    [OCS_MB_HANG] = {hang, 0, 0, 1, false},
};

static bool room_for(const ocs_app* app, uint32_t words) {
  const uint32_t used = app->answer_head - ocs_platform_answer_tail(app->platform.context);
  const uint32_t payload = words == PORTS ? app->dev.ports : words;
  /* and an alarm of 7 words in between */
  return used + payload + 2u * (OCS_MB_FRAME_WORDS + OCS_MB_STAMP_WORDS) + 3u <= OCS_MB_RING_WORDS;
}

static void taken(ocs_app* app, uint32_t tail) {
  app->tail = tail;
  ocs_platform_commands_taken(app->platform.context, tail);
}

static uint32_t ring_word(const ocs_app* app, uint32_t at) { return app->platform.commands[at % OCS_MB_RING_WORDS]; }

/* The payload in one piece: where it is, or put together. */
static const volatile uint32_t* payload_of(ocs_app* app, uint32_t at, uint32_t words) {
  const uint32_t from = at % OCS_MB_RING_WORDS;
  if (from + words <= OCS_MB_RING_WORDS) return app->platform.commands + from;
  for (uint32_t n = 0; n < words; ++n) app->frame[n] = ring_word(app, at + n);
  return app->frame;
}

/* The frame at the tail; false: nothing there. A frame that can't be one drops everything up to the head. */
static bool next_frame(ocs_app* app, ocs_frame* frame) {
  if (app->tail == app->head) app->head = ocs_platform_command_head(app->platform.context);
  const uint32_t waiting = app->head - app->tail;
  if (waiting == 0) return false;
  const uint32_t first = ring_word(app, app->tail);
  frame->code = (first & 0xffu) < OCS_MB_ALARM ? first & 0xffu : 0u; /* answers with such codes would be alarms */
  frame->words = first >> 16;
  frame->sequence = waiting > 1u ? ring_word(app, app->tail + 1u) : 0u;
  frame->next = app->tail + OCS_MB_FRAME_WORDS + frame->words;
  if (waiting <= OCS_MB_RING_WORDS && (first & 0xff00u) == 0 && frame->words <= OCS_MB_MOST_WORDS &&
      frame->words + OCS_MB_FRAME_WORDS <= waiting) {
    frame->payload = payload_of(app, app->tail + OCS_MB_FRAME_WORDS, frame->words);
    return true;
  }
  if (!room_for(app, 0)) return false;
  answer_status(app, frame, OCS_MB_E_FRAME);
  taken(app, app->head);
  return false;
}

bool ocs_commands_next(ocs_app* app) {
  ocs_frame frame;
  app->blocked = false;
  if (!next_frame(app, &frame)) return false;
  const command* const c = frame.code < sizeof commands / sizeof commands[0] && commands[frame.code].run != NULL
                               ? &commands[frame.code]
                               : NULL;
  if (!room_for(app, c == NULL ? 0u : c->answer)) {
    return false; /* until the host reads */
  }
  if (c == NULL) {
    answer_status(app, &frame, OCS_MB_E_COMMAND);
  } else if (frame.words < c->least || frame.words > c->most) {
    answer_status(app, &frame, OCS_MB_E_LENGTH);
  } else if (c->commits && table_plays(app)) {
    answer_status(app, &frame, OCS_MB_E_BUSY);
  } else if (c->commits && app->armed) {
    app->blocked = true; /* the shadow map is still read: events tell when it has been */
    return false;
  } else {
    c->run(app, &frame);
  }
  taken(app, frame.next);
  const uint32_t errors = ocs_platform_bus_errors(app->platform.context);
  if (errors != app->bus_errors) {
    app->bus_errors = errors;
    ocs_app_alarm(app, OCS_MB_ALARM_BUS, errors, frame.code);
  }
  return true;
}

uint32_t ocs_commands_drop(ocs_app* app) {
  ocs_frame frame;
  uint32_t dropped = 0;
  while (next_frame(app, &frame)) {
    if (room_for(app, 0)) answer_status(app, &frame, OCS_MB_E_RESET);
    taken(app, frame.next);
    ++dropped;
  }
  return dropped;
}
