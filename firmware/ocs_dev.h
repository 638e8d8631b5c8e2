/* Driver of the switch's register window: the only code that knows the registers. Freestanding C11; firmware, host
 * and tests all call it. What a register does is said in docs/switch-contract.md, where it is in docs/registers.md.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every function returns OCS_OK or an error: positive values are the bus's own and are handed on unchanged, negative
 * ones are of enum ocs_error and mean that no access was made (ocs_probe apart, whose reads change nothing). A
 * function that failed half-way has made the accesses up to the one that failed. Nothing here waits or keeps time;
 * the caller owns all memory. Indices: output, input and port below dev->ports, word below (dev->ports + 31) / 32. */
#ifndef OCS_DEV_H
#define OCS_DEV_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ocs_error {
  OCS_OK = 0,
  OCS_E_IDENTITY = -1, /* the window does not begin with 'OCS1' */
  OCS_E_VERSION = -2,  /* the register map has another major version, or its capabilities are impossible */
  OCS_E_INDEX = -3,    /* output, input, port, word or entry out of range, or a mask bit at or above N */
  OCS_E_VALUE = -4     /* a value that its field cannot hold */
};

/* In front of a function whose result has to be looked at. */
#if defined(__GNUC__)
#define OCS_CHECKED __attribute__((warn_unused_result))
#else
#define OCS_CHECKED
#endif

/* 32-bit accesses at byte addresses of the window, in order. Return 0, or a positive code of your own. */
typedef struct ocs_bus {
  void* context;
  int (*read)(void* context, uint32_t address, uint32_t* value);
  int (*write)(void* context, uint32_t address, uint32_t value);
} ocs_bus;

typedef struct ocs_dev {
  ocs_bus bus;
  uint64_t stamp;       /* of the event taken last */
  uint32_t cycle_ps;    /* length of one cycle in picoseconds */
  uint32_t options;     /* CAP_OPTIONS: masks OCS_REGS__CAP_OPTIONS__*_bm */
  uint16_t ports;       /* N, 2 to 256 */
  uint16_t seq_entries; /* S; 0: no sequencer */
  uint16_t word_bytes, fifo_depth;
  uint16_t minor; /* of the register map */
} ocs_dev;

/* A word in two's complement, without a conversion that C leaves to the compiler. */
static inline int32_t ocs_signed(uint32_t word) {
  return (word >> 31) != 0 ? (int32_t)(word & 0x7fffffffu) + INT32_MIN : (int32_t)word;
}

/* Reads identity, version and capabilities into *dev (6 accesses, and 2 for the stamp of the last event taken). */
OCS_CHECKED int ocs_probe(ocs_dev* dev, ocs_bus bus);
/* As after power-up, at once; memories keep their contents. */
OCS_CHECKED int ocs_soft_reset(ocs_dev* dev);
OCS_CHECKED int ocs_time(const ocs_dev* dev, uint64_t* cycle);

/* ---- configuration: in force at once ---- */
OCS_CHECKED int ocs_set_modes(const ocs_dev* dev, bool all_stop, bool multicast);
OCS_CHECKED int ocs_modes(const ocs_dev* dev, bool* all_stop, bool* multicast);
/* The brief form: fewer accesses for ocs_shadow_commit, ocs_burst_start and whole bursts (OCS_WHOLE). OCS_E_VALUE where the
 * register map is older than 1.5, which doesn't have it. */
#define OCS_BRIEF_SINCE 5u /* minor */
OCS_CHECKED int ocs_set_brief(const ocs_dev* dev, bool on);
/* Cycles, 0 to 2^30 - 1: T (without its other terms) and L of an output. */
OCS_CHECKED int ocs_set_delays(const ocs_dev* dev, uint16_t output, uint32_t base, uint32_t lock);
/* Cycles added to T when the output's new input is `input`, 0 to 2^30 - 1. */
OCS_CHECKED int ocs_set_pair(const ocs_dev* dev, uint16_t output, uint16_t input, uint32_t cycles);
/* Serial programming: `lanes` outputs at once, 1 to 256, each further group `cycles` later, 0 to 2^30 - 1. */
OCS_CHECKED int ocs_set_programming(const ocs_dev* dev, uint32_t cycles, uint16_t lanes);
#define OCS_QUANTILES 16u
/* Receivers: LOCK_WARM and LOCK_COLD, OCS_QUANTILES points each, cycles from 0 to 2^30 - 1 that are added to L of a pair
 * that was left less than `warm_time` cycles ago, and of any other. In force from here on. */
OCS_CHECKED int ocs_set_receivers(const ocs_dev* dev, uint32_t warm_time, const uint32_t* warm, const uint32_t* cold);
/* Neighbours: each output that starts disturbs those at distance k + 1 for each bit k of `distances`, for `cycles` cycles,
 * 0 (nobody) to 2^30 - 1. OCS_E_VALUE also where it would and the switch has no such option. */
OCS_CHECKED int ocs_set_disturb(const ocs_dev* dev, uint32_t cycles, uint32_t distances);
/* Detectors of light: hundredths of a dBm, -32768 to 32767, below which it is missing, and of a dB, 0 to 32767, that a dim
 * output needs more; cycles beyond the first one, 0 to 2^30 - 1, after which a loss is asserted and released. With `on` they
 * go by the power, in force from here on. OCS_E_VALUE also where they would and the switch has no such option; as below. */
OCS_CHECKED int ocs_set_light(const ocs_dev* dev, bool on, int32_t threshold, uint32_t hysteresis,
                              uint32_t assert_after, uint32_t release_after);
/* Ringing: a mirror that arrives has light for `after` cycles, then none for `ring` cycles, `rings` times: cycles from 0 to
 * 2^30 - 1, rings from 0 to 255; with ring or rings 0 it doesn't. */
OCS_CHECKED int ocs_set_ringing(const ocs_dev* dev, uint32_t after, uint32_t ring, uint32_t rings);
/* Hundredths of a dBm of the laser at input `port`, -32768 to 32767; hundredths of a dB that light loses on its way to
 * output `port`, 0 to 65535. */
OCS_CHECKED int ocs_set_power(const ocs_dev* dev, uint16_t port, int32_t laser, uint32_t loss);
#define OCS_NO_POWER INT32_MIN
/* Hundredths of a dBm at an output now, or OCS_NO_POWER: there is no light, or the switch has no such option. */
OCS_CHECKED int ocs_power(const ocs_dev* dev, uint16_t output, int32_t* power);
/* Bits of the draw that count, 0 to 2^30 - 1. */
OCS_CHECKED int ocs_set_jitter(const ocs_dev* dev, uint16_t output, uint32_t mask);
OCS_CHECKED int ocs_seed(const ocs_dev* dev, uint32_t seed);
/* Masks OCS_REGS__PORT__FAULTX__*_bm: loss of light (input), dead (both ways), stuck (output); and whether a mirror that is
 * stuck keeps its light (output), which a switch without the POSITIONS option (ocs_dev.options) refuses as its bus does. */
OCS_CHECKED int ocs_set_faults(const ocs_dev* dev, uint16_t port, uint32_t faults);
/* The mirror of an output is stuck from now on, or no more; with `keeps` it goes on to show the input at which it stands.
 * Takes back what ocs_set_faults said of the port. OCS_E_VALUE where it keeps and the switch has no such option. */
OCS_CHECKED int ocs_set_stuck(const ocs_dev* dev, uint16_t output, bool stuck, bool keeps);
/* Cycles, 0 to 2^30 - 1: added to T; of UP before a flap, 0 for none. */
OCS_CHECKED int ocs_set_slow(const ocs_dev* dev, uint16_t output, uint32_t cycles);
OCS_CHECKED int ocs_set_flap(const ocs_dev* dev, uint16_t output, uint32_t cycles);
/* Command: the outputs 32 * word + bit of the mask that are FAILED start again. */
OCS_CHECKED int ocs_retry(const ocs_dev* dev, uint16_t word, uint32_t mask);

/* ---- map: prepare the shadow, then commit it as a whole ---- */
#define OCS_DARK 0xffffu /* no input: dark on purpose */

/* input: below 512 (the commit refuses one at or above N), or OCS_DARK. */
OCS_CHECKED int ocs_shadow_set(const ocs_dev* dev, uint16_t output, uint16_t input);
/* ocs_shadow_set and ocs_commit in 1 access, where the brief form is on; where it is off, the former alone. */
OCS_CHECKED int ocs_shadow_commit(const ocs_dev* dev, uint16_t output, uint16_t input);
/* The entries of this output and the next two (those below N) in 1 access, where the brief form is on; where it is off, the
 * first one alone. With `commit` as ocs_shadow_commit. */
#define OCS_BLOCK 3u
OCS_CHECKED int ocs_shadow_block(const ocs_dev* dev, uint16_t output, const uint16_t* inputs, bool commit);
OCS_CHECKED int ocs_shadow_load(const ocs_dev* dev); /* shadow = active map */
OCS_CHECKED int ocs_active(const ocs_dev* dev, uint16_t output, uint16_t* input);
OCS_CHECKED int ocs_commit(const ocs_dev* dev);                    /* in the present cycle */
OCS_CHECKED int ocs_commit_at(const ocs_dev* dev, uint64_t cycle); /* arms; arming again replaces */
OCS_CHECKED int ocs_commit_cancel(const ocs_dev* dev);             /* takes back what is pending or armed */
/* From now on ocs_commit, ocs_commit_at and ocs_seq_store give their commit this tag, which its event shows; below 64. */
OCS_CHECKED int ocs_commit_tag(const ocs_dev* dev, uint8_t tag);

/* ---- bursts ---- */
typedef struct ocs_burst {
  uint32_t length, gap, repeat; /* words, cycles before it, further bursts */
  uint16_t tag;                 /* its name in segments */
  bool gated;                   /* words wait for UP */
} ocs_burst;

/* Sets the parameters that the next start of this input copies. before: what they were, so that only differences
 * are written; NULL when unknown. */
OCS_CHECKED int ocs_burst_set(const ocs_dev* dev, uint16_t input, const ocs_burst* burst, const ocs_burst* before);
/* ocs_burst_set and ocs_start of this input, without an access of its own where the brief form is on; where it is off, the
 * former alone. Tag and gate are written in any case. */
OCS_CHECKED int ocs_burst_start(const ocs_dev* dev, uint16_t input, const ocs_burst* burst, const ocs_burst* before);
/* How many words an input's engine offers in OCS_FULL_RATE open cycles, 1 to that, from the next cycle on. A switch
 * without the RATE option (ocs_dev.options) refuses less than all. */
#define OCS_FULL_RATE 40000u
OCS_CHECKED int ocs_rate_set(const ocs_dev* dev, uint16_t input, uint16_t rate);
/* Commands for the inputs 32 * word + bit of the mask. A start acting in s sends from s + gap + 1. */
OCS_CHECKED int ocs_start(const ocs_dev* dev, uint16_t word, uint32_t mask);
OCS_CHECKED int ocs_stop(const ocs_dev* dev, uint16_t word, uint32_t mask);

/* ---- events and segments ---- */
enum ocs_class { OCS_CLASS_DEVICE = 0, OCS_CLASS_OUTPUT = 1, OCS_CLASS_INPUT = 2 };
enum ocs_device_kind {
  OCS_COMMITTED = 0,
  OCS_REFUSED = 1,
  OCS_WRAPPED = 2
}; /* port: 0 software, 1 timed, 2 sequencer */
enum ocs_output_state { OCS_IDLE, OCS_TUNING, OCS_LOCKING, OCS_UP, OCS_HELD, OCS_FAILED }; /* kind of class output */
enum ocs_failure { OCS_CAUSE_NONE, OCS_CAUSE_STUCK, OCS_CAUSE_LIGHT, OCS_CAUSE_MISROUTED };
enum ocs_engine_state { OCS_ENGINE_OFF, OCS_ENGINE_GAP, OCS_ENGINE_SEND };
/* Kind of class input. Whole: all words have passed each output that selects the input, and no segment of it is full. */
enum ocs_burst_end { OCS_DONE, OCS_WHOLE };

typedef struct ocs_event {
  uint64_t stamp; /* first cycle in which the new state holds */
  uint16_t port;
  uint8_t class_, kind;
  uint8_t tag; /* of a commit that was taken or refused */
  bool valid;  /* false: the FIFO was empty, the rest is undefined */
} ocs_event;

typedef struct ocs_segment {
  uint16_t input, tag;
  uint32_t first, count; /* words of the burst */
} ocs_segment;

/* Takes the next event; 1 access, and 1 or 2 when its stamp is a new one. now: any cycle from the stamp to stamp +
 * 2^32 - 1, for instance the present one, which saves an access; 0 when none is known. */
OCS_CHECKED int ocs_event_take(ocs_dev* dev, uint64_t now, ocs_event* event);
/* The same where the clock stands still at every event until it has been taken: a new stamp can only be the present
 * cycle. 1 access. */
OCS_CHECKED int ocs_event_take_present(ocs_dev* dev, uint64_t now, ocs_event* event);
/* Outputs 32 * word + bit that have entered a state, and inputs whose burst was done, since their bits were cleared:
 * those of dropped event records as well. 2 accesses. */
OCS_CHECKED int ocs_reported(const ocs_dev* dev, uint16_t word, uint32_t* changed, uint32_t* ended);
/* Clears bits that are 1; what happens at the very edge of the access stays. 2 accesses. */
OCS_CHECKED int ocs_reported_clear(const ocs_dev* dev, uint16_t word, uint32_t changed, uint32_t ended);
/* Outputs 32 * word + bit whose segment is written and not cleared. */
OCS_CHECKED int ocs_segments_full(const ocs_dev* dev, uint16_t word, uint32_t* mask);
OCS_CHECKED int ocs_segment_read(const ocs_dev* dev, uint16_t output, ocs_segment* segment);
OCS_CHECKED int ocs_segments_clear(const ocs_dev* dev, uint16_t word, uint32_t mask);

/* ---- counters and state ---- */
enum ocs_port_counter { OCS_PASSED, OCS_LOST, OCS_DARK_CYCLES, OCS_TUNINGS, OCS_RESTARTS, OCS_SENT, OCS_UNROUTED };
enum ocs_switch_counter { OCS_COMMITS, OCS_COMMITS_REFUSED, OCS_COMMITS_LATE, OCS_RECORDS_DROPPED };

/* All 64 bits, of one instant: 2 accesses. */
OCS_CHECKED int ocs_counter(const ocs_dev* dev, enum ocs_port_counter which, uint16_t port, uint64_t* value);
OCS_CHECKED int ocs_device_counter(const ocs_dev* dev, enum ocs_switch_counter which, uint64_t* value);
/* Words that a stuck mirror showed at an output that wasn't to have them, as ocs_counter. OCS_E_VALUE where the switch has no
 * option for the light of stuck mirrors. */
OCS_CHECKED int ocs_misrouted(const ocs_dev* dev, uint16_t output, uint64_t* words);
/* The low 32 bits alone, for differences: 1 access. */
OCS_CHECKED int ocs_counter_low(const ocs_dev* dev, enum ocs_port_counter which, uint16_t port, uint32_t* value);
OCS_CHECKED int ocs_state(const ocs_dev* dev, uint16_t output, enum ocs_output_state* state, enum ocs_failure* cause);
OCS_CHECKED int ocs_engine(const ocs_dev* dev, uint16_t input, enum ocs_engine_state* state);
OCS_CHECKED int ocs_status(const ocs_dev* dev, uint32_t* status); /* masks OCS_REGS__CORE__STATUS__*_bm */

/* ---- interrupt and errors ---- */
OCS_CHECKED int ocs_irq_enable(const ocs_dev* dev,
                               uint32_t mask); /* masks OCS_REGS__IRQ_ENABLE__*_bm; the others are off */
OCS_CHECKED int ocs_irq_status(const ocs_dev* dev, uint32_t* mask); /* the same bits, enabled or not */
OCS_CHECKED int ocs_errors(const ocs_dev* dev, uint32_t* mask);     /* masks OCS_REGS__CORE__ERROR__*_bm */
OCS_CHECKED int ocs_errors_clear(const ocs_dev* dev, uint32_t mask);

/* ---- sequencer ---- */
/* Stores the shadow map as entry `entry` (below S) of the idle bank, due `offset` cycles after the start of a loop.
 * launch: (N + 31) / 32 words, the inputs that the entry starts; NULL: as set before. */
OCS_CHECKED int ocs_seq_store(const ocs_dev* dev, uint16_t entry, uint32_t offset, const uint32_t* launch);
/* Plays entries 0 to entries - 1 from cycle `base`; period: cycles of a loop, 0 for once. */
OCS_CHECKED int ocs_seq_go(const ocs_dev* dev, uint64_t base, uint16_t entries, uint32_t period);
OCS_CHECKED int ocs_seq_swap(const ocs_dev* dev); /* banks change roles at the next wrap */
OCS_CHECKED int ocs_seq_stop(const ocs_dev* dev); /* circuits stay */

#ifdef __cplusplus
}
#endif

#endif
