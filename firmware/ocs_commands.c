/* Carries out the commands of the ring and answers each one.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ocs_commands.h"

#include <stddef.h>

#include "ocs_circuits.h"
#include "ocs_frames.h"
#include "ocs_optics.h"
#include "ocs_regs.h"

/* A start is made so many cycles after its gap has been computed: the writes in between take fewer. */
#define START_CYCLES 700u
#define MOST_CYCLES32 0xffffffffu
/* ---- the switch as a whole ---- */

static void read_version(ocs_app* app, const ocs_frame* frame) {
  const uint32_t words[] = {OCS_MB_VERSION,       OCS_APP_VERSION, app->dev.ports,
                            app->dev.seq_entries, app->cause,      app->image_bytes};
  ocs_answer_words(app, frame, OCS_MB_OK, words, 6);
}

static void self_test(ocs_app* app, const ocs_frame* frame) {
  ocs_answer_port(app, frame, OCS_MB_OK, ocs_app_self_test(app));
}

static void set_modes(ocs_app* app, const ocs_frame* frame) {
  const uint32_t modes = ocs_frame_word(frame, 0);
  if ((modes & ~(OCS_MB_MODE_ALL_STOP | OCS_MB_MODE_MULTICAST)) != 0) {
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  const bool multicast = (modes & OCS_MB_MODE_MULTICAST) != 0, all_stop = (modes & OCS_MB_MODE_ALL_STOP) != 0;
  const uint32_t options = app->dev.options;
  if ((multicast && !(options & OCS_REGS__CAP_OPTIONS__MULTICAST_bm)) ||
      (all_stop && !(options & OCS_REGS__CAP_OPTIONS__ALL_STOP_bm))) {
    ocs_answer_status(app, frame, OCS_MB_E_OPTION);
    return;
  }
  bool circuits = false; /* inputs of several outputs aren't looked after with multicast */
  for (uint32_t o = 0; o < app->dev.ports; ++o) circuits |= app->map[o] != OCS_DARK;
  if (multicast != app->multicast && circuits) {
    ocs_answer_status(app, frame, OCS_MB_E_BUSY);
    return;
  }
  const int result = ocs_set_modes(&app->dev, all_stop, multicast);
  if (result == OCS_OK && multicast != app->multicast) {
    app->multicast = multicast;
    for (uint32_t i = 0; i < app->dev.ports; ++i) app->feeds[i] = OCS_DARK; /* there is no circuit */
  }
  ocs_answer_result(app, frame, result);
}

static void set_delays(ocs_app* app, const ocs_frame* frame) {
  const uint32_t output = ocs_frame_word(frame, 0);
  if (output >= app->dev.ports) {
    ocs_answer_port(app, frame, OCS_MB_E_PORT, output);
    return;
  }
  ocs_answer_result(app, frame,
                    ocs_set_delays(&app->dev, (uint16_t)output, ocs_frame_word(frame, 1), ocs_frame_word(frame, 2)));
}

static void set_pairs(ocs_app* app, const ocs_frame* frame) {
  const uint32_t where = ocs_frame_word(frame, 0), output = where >> 16, first = where & 0xffffu;
  if (output >= app->dev.ports || first + frame->words - 1u > app->dev.ports) {
    ocs_answer_port(app, frame, OCS_MB_E_PORT, where);
    return;
  }
  if ((app->dev.options & OCS_REGS__CAP_OPTIONS__PAIR_bm) == 0) {
    ocs_answer_status(app, frame, OCS_MB_E_OPTION);
    return;
  }
  int result = OCS_OK;
  for (uint32_t n = 1; n < frame->words && result == OCS_OK; ++n)
    result = ocs_set_pair(&app->dev, (uint16_t)output, (uint16_t)(first + n - 1u), ocs_frame_word(frame, n));
  ocs_answer_result(app, frame, result);
}

static void set_retries(ocs_app* app, const ocs_frame* frame) {
  const uint32_t times = ocs_frame_word(frame, 0), pause = ocs_frame_word(frame, 1);
  if (times > 255u || pause == 0u) {
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  app->retries = times;
  app->pause = pause;
  ocs_answer_status(app, frame, OCS_MB_OK);
}

static void inject(ocs_app* app, const ocs_frame* frame) {
  const uint32_t port = ocs_frame_word(frame, 0), faults = ocs_frame_word(frame, 1);
  const bool keeps = (faults & OCS_REGS__PORT__FAULTX__KEEPS_bm) != 0;
  const uint32_t known = OCS_REGS__PORT__FAULTX__LOS_bm | OCS_REGS__PORT__FAULTX__DEAD_bm |
                         OCS_REGS__PORT__FAULTX__STUCK_bm | OCS_REGS__PORT__FAULTX__KEEPS_bm;
  const uint32_t needed =
      OCS_REGS__CAP_OPTIONS__FAULTS_bm | (keeps ? (uint32_t)OCS_REGS__CAP_OPTIONS__POSITIONS_bm : 0u);
  if (port >= app->dev.ports) {
    ocs_answer_port(app, frame, OCS_MB_E_PORT, port);
    return;
  }
  if ((faults & ~known) != 0 || (app->dev.options & needed) != needed) {
    ocs_answer_status(app, frame, (faults & ~known) != 0 ? OCS_MB_E_VALUE : OCS_MB_E_OPTION);
    return;
  }
  ocs_answer_result(app, frame, ocs_set_faults(&app->dev, (uint16_t)port, faults));
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

/* What the registers of an engine have after a write that was refused isn't known. */
static int set_rate(ocs_app* app, uint16_t input, uint16_t words) {
  if (words == app->rates[input]) return OCS_OK;
  const int result = ocs_rate_set(&app->dev, input, words);
  app->rates[input] = result == OCS_OK ? words : 0;
  return result;
}

static int set_burst(ocs_app* app, uint16_t input, const ocs_burst* burst) {
  const ocs_burst* const before = app->burst_known[input] ? &app->bursts[input] : NULL;
  const int result = ocs_burst_set(&app->dev, input, burst, before);
  app->bursts[input] = *burst;
  app->burst_known[input] = result == OCS_OK;
  return result;
}

/* Starts it so that its first word leaves in cycle `first`, or as soon as that can be; *at: the cycle of the start. */
static int launch(ocs_app* app, uint16_t input, ocs_burst* burst, uint64_t first, uint64_t* at) {
  const int set = set_burst(app, input, burst);
  if (set != OCS_OK) return set;
  *at = start_at(app, first, &burst->gap);
  const int timed = set_burst(app, input, burst);
  if (timed != OCS_OK) return timed;
  ocs_platform_hold(app->platform.context, *at);
  const int started = ocs_start(&app->dev, (uint16_t)(input / 32u), 1u << (input % 32u));
  app->running[input] = started == OCS_OK;
  app->started_at[input] = *at;
  return started;
}

static void start_burst(ocs_app* app, const ocs_frame* frame) {
  const uint32_t who = ocs_frame_word(frame, 0), input = who & 0xffffu, rate = ocs_frame_word(frame, 4);
  if (input >= app->dev.ports) {
    ocs_answer_port(app, frame, OCS_MB_E_PORT, input);
    return;
  }
  const uint32_t words = rate & 0xffffu;
  if ((rate & ~(OCS_MB_GATED | 0xffffu)) != 0 || words < 1u || words > OCS_FULL_RATE) {
    ocs_answer_status(app, frame, OCS_MB_E_VALUE);
    return;
  }
  if (words != OCS_FULL_RATE && !(app->dev.options & OCS_REGS__CAP_OPTIONS__RATE_bm)) {
    ocs_answer_status(app, frame, OCS_MB_E_OPTION);
    return;
  }
  const uint64_t first = ocs_frame_word64(frame, 2), now = ocs_platform_time(app->platform.context);
  if (first > now && first - now > MOST_CYCLES32) {
    ocs_answer_status(app, frame, OCS_MB_E_VALUE); /* a gap has 32 bits */
    return;
  }
  if (app->running[input]) {
    ocs_answer_port(app, frame, OCS_MB_E_BUSY, input);
    return;
  }
  const uint16_t i = (uint16_t)input;
  ocs_burst burst = {.length = ocs_frame_word(frame, 1),
                     .gap = app->bursts[i].gap,
                     .repeat = 0,
                     .tag = (uint16_t)(who >> 16),
                     .gated = (rate & OCS_MB_GATED) != 0};
  uint64_t at = 0;
  int result = set_rate(app, i, (uint16_t)words);
  if (result == OCS_OK) result = launch(app, i, &burst, first, &at);
  if (result == OCS_OK)
    ocs_answer_cycle(app, frame, at);
  else
    ocs_answer_result(app, frame, result);
}

static void stop_burst(ocs_app* app, const ocs_frame* frame) {
  const uint32_t input = ocs_frame_word(frame, 0);
  if (input >= app->dev.ports)
    ocs_answer_port(app, frame, OCS_MB_E_PORT, input);
  else
    ocs_answer_result(app, frame, ocs_stop(&app->dev, (uint16_t)(input / 32u), 1u << (input % 32u)));
}

/* ---- what is observed ---- */

/* An answer that the switch didn't give whole isn't sent. */
static void end_or_refuse(ocs_app* app, const ocs_frame* frame, const ocs_answer* answer, int result) {
  if (result == OCS_OK)
    ocs_answer_end(app, answer);
  else
    ocs_answer_result(app, frame, result);
}

static void read_state(ocs_app* app, const ocs_frame* frame) {
  const uint32_t first = ocs_frame_word(frame, 0), count = ocs_frame_word(frame, 1);
  if (first >= app->dev.ports || count > app->dev.ports - first) {
    ocs_answer_port(app, frame, OCS_MB_E_PORT, first >= app->dev.ports ? first : first + count);
    return;
  }
  ocs_answer answer;
  if (!ocs_answer_begin(app, &answer, frame->code, frame->sequence, OCS_MB_OK, count)) return;
  int result = OCS_OK;
  for (uint32_t o = first; o < first + count && result == OCS_OK; ++o) {
    enum ocs_output_state state = OCS_IDLE;
    enum ocs_failure cause = OCS_CAUSE_NONE;
    uint16_t input = OCS_DARK;
    result = ocs_state(&app->dev, (uint16_t)o, &state, &cause);
    if (result == OCS_OK) result = ocs_active(&app->dev, (uint16_t)o, &input);
    ocs_answer_word(app, &answer, (uint32_t)state | ((uint32_t)cause << 8) | ((uint32_t)input << 16));
  }
  end_or_refuse(app, frame, &answer, result);
}

static void read_counters(ocs_app* app, const ocs_frame* frame) {
  static const enum ocs_port_counter order[] = {OCS_PASSED,   OCS_LOST, OCS_DARK_CYCLES, OCS_TUNINGS,
                                                OCS_RESTARTS, OCS_SENT, OCS_UNROUTED};
  const uint32_t port = ocs_frame_word(frame, 0);
  if (port >= app->dev.ports) {
    ocs_answer_port(app, frame, OCS_MB_E_PORT, port);
    return;
  }
  ocs_answer answer;
  if (!ocs_answer_begin(app, &answer, frame->code, frame->sequence, OCS_MB_OK, 14)) return;
  int result = OCS_OK;
  for (uint32_t n = 0; n < 7 && result == OCS_OK; ++n) {
    uint64_t value = 0;
    result = ocs_counter(&app->dev, order[n], (uint16_t)port, &value);
    ocs_answer_word(app, &answer, (uint32_t)value);
    ocs_answer_word(app, &answer, (uint32_t)(value >> 32));
  }
  end_or_refuse(app, frame, &answer, result);
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

static void hang(ocs_app* app, const ocs_frame* frame) {
  (void)frame;
  ocs_platform_hang(app->platform.context);
}

/* ---- all of them ---- */

typedef struct command {
  void (*run)(ocs_app* app, const ocs_frame* frame);
  uint16_t least, most; /* words of the payload */
  uint16_t answer;      /* words of the longest answer; 0xffff: as many as there are ports */
  bool commits;         /* needs the shadow map */
} command;

#define ANY OCS_MB_MOST_WORDS
static const command commands[] = {
    [OCS_MB_VERSION_READ] = {read_version, 0, 0, 6, false},
    [OCS_MB_SELF_TEST] = {self_test, 0, 0, 1, true},
    [OCS_MB_MODES] = {set_modes, 1, 1, 1, false},
    [OCS_MB_DELAYS] = {set_delays, 3, 3, 1, false},
    [OCS_MB_PAIRS] = {set_pairs, 2, 257, 1, false},
    [OCS_MB_CONNECT] = {ocs_circuits_connect, 3, 3, 3, true},
    [OCS_MB_DISCONNECT] = {ocs_circuits_disconnect, 3, 3, 3, true},
    [OCS_MB_MAP] = {ocs_circuits_map, 2, ANY, 3, true},
    [OCS_MB_BURST] = {start_burst, 5, 5, 2, false},
    [OCS_MB_BURST_STOP] = {stop_burst, 1, 1, 1, false},
    [OCS_MB_STATE] = {read_state, 2, 2, OCS_FRAMES_PORTS, false},
    [OCS_MB_COUNTERS] = {read_counters, 1, 1, 14, false},
    [OCS_MB_PRESET_STORE] = {ocs_circuits_preset_store, 1, ANY, 3, false},
    [OCS_MB_PRESET_RECALL] = {ocs_circuits_preset_recall, 3, 3, 3, true},
    [OCS_MB_FAULT_LOG] = {read_faults, 0, 0, 1 + 2 * OCS_MB_FAULTS, false},
    [OCS_MB_RETRIES] = {set_retries, 2, 2, 1, false},
    [OCS_MB_INJECT] = {inject, 2, 2, 1, false},
    [OCS_MB_TABLE_ENTRY] = {ocs_circuits_entry, 2, ANY, 3, true},
    [OCS_MB_TABLE_GO] = {ocs_circuits_table_go, 4, 4, 1, true},
    [OCS_MB_TABLE_STOP] = {ocs_circuits_table_stop, 0, 0, 1, false},
    [OCS_MB_HANG] = {hang, 0, 0, 1, false},
    [OCS_MB_SEED] = {ocs_optics_seed, 1, 1, 1, false},
    [OCS_MB_JITTER] = {ocs_optics_jitter, 2, 2, 1, false},
    [OCS_MB_PROGRAMMING] = {ocs_optics_programming, 2, 2, 1, false},
    [OCS_MB_RECEIVERS] = {ocs_optics_receivers, 1 + 2 * OCS_QUANTILES, 1 + 2 * OCS_QUANTILES, 1, false},
    [OCS_MB_DISTURB] = {ocs_optics_disturb, 2, 2, 1, false},
    [OCS_MB_POWER] = {ocs_optics_power, 3, 3, 1, false},
    [OCS_MB_RINGING] = {ocs_optics_ringing, 3, 3, 1, false},
    [OCS_MB_LIGHT] = {ocs_optics_light, 5, 5, 1, false},
    [OCS_MB_SLOW] = {ocs_optics_slow, 2, 2, 1, false},
    [OCS_MB_FLAP] = {ocs_optics_flap, 2, 2, 1, false},
    [OCS_MB_RETRY] = {ocs_optics_retry, 1, 1, 1, false},
};

bool ocs_commands_next(ocs_app* app) {
  ocs_frame frame;
  app->blocked = false;
  if (!ocs_frames_next(app, &frame)) return false;
  const command* const c = frame.code < sizeof commands / sizeof commands[0] && commands[frame.code].run != NULL
                               ? &commands[frame.code]
                               : NULL;
  if (!ocs_frames_room(app, c == NULL ? 0u : c->answer)) {
    return false; /* until the host reads */
  }
  if (c == NULL) {
    ocs_answer_status(app, &frame, OCS_MB_E_COMMAND);
  } else if (frame.words < c->least || frame.words > c->most) {
    ocs_answer_status(app, &frame, OCS_MB_E_LENGTH);
  } else if (c->commits && ocs_circuits_table_plays(app)) {
    ocs_answer_status(app, &frame, OCS_MB_E_BUSY);
  } else if (c->commits && app->armed) {
    app->blocked = true; /* the shadow map is still read: events tell when it has been */
    return false;
  } else {
    c->run(app, &frame);
  }
  ocs_frames_taken(app, frame.next);
  ocs_app_tell_refusals(app, frame.code);
  return true;
}

uint32_t ocs_commands_drop(ocs_app* app) {
  ocs_frame frame;
  uint32_t dropped = 0;
  while (ocs_frames_next(app, &frame)) {
    if (ocs_frames_room(app, 0)) ocs_answer_status(app, &frame, OCS_MB_E_RESET);
    ocs_frames_taken(app, frame.next);
    ++dropped;
  }
  return dropped;
}
