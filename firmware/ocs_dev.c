/* Driver of the switch's register window; the contract of each function is in ocs_dev.h.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ocs_dev.h"

#include <stddef.h>

#include "ocs_regs.h"

#define CORE(name) ((uint32_t)(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, name)))
#define PORT(name) ((uint32_t)(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, name)))
#define OPTICS(name) ((uint32_t)(offsetof(ocs_regs_t, optics) + offsetof(ocs_regs__optics_t, name)))
#define TOP(name) ((uint32_t)offsetof(ocs_regs_t, name))
#define FIELD(value, name) (((value)&name##_bm) >> name##_bp)
#define TRY(call)                                \
  do {                                           \
    const int try_status = (call);               \
    if (try_status != OCS_OK) return try_status; \
  } while (0)

#if defined(__GNUC__)
#define INLINED static inline __attribute__((always_inline))
#else
#define INLINED static inline
#endif

#define CYCLES30_MAX 0x3fffffffu
#define MAX_PORTS 256u
#define MAJOR_VERSION 1u

static int rd(const ocs_dev* dev, uint32_t address, uint32_t* value) {
  return dev->bus.read(dev->bus.context, address, value);
}

static int wr(const ocs_dev* dev, uint32_t address, uint32_t value) {
  return dev->bus.write(dev->bus.context, address, value);
}

/* The low word first: its read latches the high one. */
static int rd64(const ocs_dev* dev, uint32_t address, uint64_t* value) {
  uint32_t low = 0, high = 0;
  TRY(rd(dev, address, &low));
  TRY(rd(dev, address + 4u, &high));
  *value = ((uint64_t)high << 32) | low;
  return OCS_OK;
}

/* The low word first: the high one acts. */
static int wr64(const ocs_dev* dev, uint32_t address, uint64_t value) {
  TRY(wr(dev, address, (uint32_t)(value & 0xffffffffu)));
  return wr(dev, address + 4u, (uint32_t)(value >> 32));
}

static int wr_port(const ocs_dev* dev, uint32_t array, uint16_t port, uint32_t value) {
  if (port >= dev->ports) return OCS_E_INDEX;
  return wr(dev, array + 4u * port, value);
}

static int wr_cycles(const ocs_dev* dev, uint32_t array, uint16_t port, uint32_t cycles) {
  if (cycles > CYCLES30_MAX) return OCS_E_VALUE;
  return wr_port(dev, array, port, cycles);
}

static int rd_port(const ocs_dev* dev, uint32_t array, uint16_t port, uint32_t* value) {
  if (port >= dev->ports) return OCS_E_INDEX;
  return rd(dev, array + 4u * port, value);
}

/* Bits of word `word` of a port mask that name a port. */
static uint32_t ports_of_word(const ocs_dev* dev, uint16_t word) {
  const uint32_t first = 32u * word;
  if (first >= dev->ports) return 0;
  const uint32_t left = dev->ports - first;
  return left >= 32u ? 0xffffffffu : (1u << left) - 1u;
}

static int wr_mask(const ocs_dev* dev, uint32_t array, uint16_t word, uint32_t mask) {
  const uint32_t legal = ports_of_word(dev, word);
  if (legal == 0 || (mask & ~legal) != 0) return OCS_E_INDEX;
  return wr(dev, array + 4u * word, mask);
}

int ocs_probe(ocs_dev* dev, ocs_bus bus) {
  uint32_t value = 0;
  dev->bus = bus;
  dev->ports = 0;
  TRY(rd(dev, TOP(ID), &value));
  if (value != OCS_REGS__ID__MAGIC_reset) return OCS_E_IDENTITY;
  TRY(rd(dev, TOP(VERSION), &value));
  if (FIELD(value, OCS_REGS__VERSION__MAJOR) != MAJOR_VERSION) return OCS_E_VERSION;
  dev->minor = (uint16_t)FIELD(value, OCS_REGS__VERSION__MINOR);
  TRY(rd(dev, TOP(CAP_SIZE), &value));
  const uint32_t ports = FIELD(value, OCS_REGS__CAP_SIZE__PORTS);
  if (ports < 2u || ports > MAX_PORTS) return OCS_E_VERSION;
  dev->seq_entries = (uint16_t)FIELD(value, OCS_REGS__CAP_SIZE__SEQ_ENTRIES);
  TRY(rd(dev, TOP(CAP_WORD), &value));
  dev->word_bytes = (uint16_t)FIELD(value, OCS_REGS__CAP_WORD__WORD_BYTES);
  dev->fifo_depth = (uint16_t)FIELD(value, OCS_REGS__CAP_WORD__FIFO_DEPTH);
  TRY(rd(dev, TOP(CAP_OPTIONS), &dev->options));
  TRY(rd(dev, TOP(CYCLE_PS), &dev->cycle_ps));
  if (dev->word_bytes == 0 || dev->cycle_ps == 0) return OCS_E_VERSION;
  TRY(rd64(dev, CORE(EVENT_TIME), &dev->stamp));
  dev->ports = (uint16_t)ports;
  return OCS_OK;
}

int ocs_soft_reset(ocs_dev* dev) {
  TRY(wr(dev, CORE(SOFT_RESET), OCS_REGS__CORE__SOFT_RESET__GO_bm));
  dev->stamp = 0;
  return OCS_OK;
}

int ocs_time(const ocs_dev* dev, uint64_t* cycle) { return rd64(dev, CORE(TIME), cycle); }

int ocs_set_modes(const ocs_dev* dev, bool all_stop, bool multicast) {
  return wr(dev, TOP(CTRL),
            (all_stop ? OCS_REGS__CTRL__ALL_STOP_bm : 0u) | (multicast ? OCS_REGS__CTRL__MULTICAST_bm : 0u));
}

int ocs_modes(const ocs_dev* dev, bool* all_stop, bool* multicast) {
  uint32_t value = 0;
  TRY(rd(dev, TOP(CTRL), &value));
  *all_stop = (value & OCS_REGS__CTRL__ALL_STOP_bm) != 0;
  *multicast = (value & OCS_REGS__CTRL__MULTICAST_bm) != 0;
  return OCS_OK;
}

int ocs_set_brief(const ocs_dev* dev, bool on) {
  if (dev->minor < OCS_BRIEF_SINCE) return OCS_E_VALUE;
  return wr(dev, TOP(BRIEF), on ? OCS_REGS__BRIEF__ON_bm : 0u);
}

int ocs_set_delays(const ocs_dev* dev, uint16_t output, uint32_t base, uint32_t lock) {
  if (lock > CYCLES30_MAX) return OCS_E_VALUE;
  TRY(wr_cycles(dev, PORT(BASE), output, base));
  return wr_cycles(dev, PORT(LOCK), output, lock);
}

int ocs_set_pair(const ocs_dev* dev, uint16_t output, uint16_t input, uint32_t cycles) {
  if (output >= dev->ports || input >= dev->ports) return OCS_E_INDEX;
  if (cycles > CYCLES30_MAX) return OCS_E_VALUE;
  return wr(dev, TOP(PAIR) + 4u * (MAX_PORTS * output + input), cycles);
}

int ocs_set_programming(const ocs_dev* dev, uint32_t cycles, uint16_t lanes) {
  if (cycles > CYCLES30_MAX || lanes < 1u || lanes > MAX_PORTS) return OCS_E_VALUE;
  TRY(wr(dev, TOP(PROG_LANES), lanes));
  return wr(dev, TOP(PROG), cycles);
}

int ocs_set_receivers(const ocs_dev* dev, uint32_t warm_time, const uint32_t* warm, const uint32_t* cold) {
  if (warm_time > CYCLES30_MAX) return OCS_E_VALUE;
  for (uint32_t k = 0; k < OCS_QUANTILES; k++)
    if (warm[k] > CYCLES30_MAX || cold[k] > CYCLES30_MAX) return OCS_E_VALUE;
  for (uint32_t k = 0; k < OCS_QUANTILES; k++) {
    TRY(wr(dev, CORE(LOCK_WARM) + 4u * k, warm[k]));
    TRY(wr(dev, CORE(LOCK_COLD) + 4u * k, cold[k]));
  }
  return wr(dev, TOP(RECEIVER), OCS_REGS__RECEIVER__ON_bm | warm_time);
}

int ocs_set_disturb(const ocs_dev* dev, uint32_t cycles, uint32_t distances) {
  if (cycles > CYCLES30_MAX) return OCS_E_VALUE;
  if (!(dev->options & OCS_REGS__CAP_OPTIONS__NEIGHBOURS_bm)) return cycles == 0 ? OCS_OK : OCS_E_VALUE;
  TRY(wr(dev, TOP(DISTURB_AT), distances));
  return wr(dev, TOP(DISTURB), cycles);
}

static bool has(const ocs_dev* dev, uint32_t option) { return (dev->options & option) != 0; }

static bool is_hundredths(int32_t value) { return value >= INT16_MIN && value <= INT16_MAX; }

int ocs_set_light(const ocs_dev* dev, bool on, int32_t threshold, uint32_t hysteresis, uint32_t assert_after,
                  uint32_t release_after) {
  if (!is_hundredths(threshold) || hysteresis > INT16_MAX) return OCS_E_VALUE;
  if (assert_after > CYCLES30_MAX || release_after > CYCLES30_MAX) return OCS_E_VALUE;
  if (!has(dev, OCS_REGS__CAP_OPTIONS__POWER_bm)) return on ? OCS_E_VALUE : OCS_OK;
  TRY(wr(dev, TOP(LOS_ASSERT), assert_after));
  TRY(wr(dev, TOP(LOS_RELEASE), release_after));
  return wr(dev, TOP(LEVEL),
            ((uint32_t)threshold & OCS_REGS__LEVEL__THRESHOLD_bm) | hysteresis << OCS_REGS__LEVEL__HYSTERESIS_bp |
                (on ? OCS_REGS__LEVEL__ON_bm : 0u));
}

int ocs_set_ringing(const ocs_dev* dev, uint32_t after, uint32_t ring, uint32_t rings) {
  if (after > CYCLES30_MAX || ring > CYCLES30_MAX || rings > OCS_REGS__RINGS__VALUE_bm) return OCS_E_VALUE;
  if (!has(dev, OCS_REGS__CAP_OPTIONS__POWER_bm)) return ring != 0 && rings != 0 ? OCS_E_VALUE : OCS_OK;
  TRY(wr(dev, TOP(RING_AFTER), after));
  TRY(wr(dev, TOP(RING), ring));
  return wr(dev, TOP(RINGS), rings);
}

int ocs_set_power(const ocs_dev* dev, uint16_t port, int32_t laser, uint32_t loss) {
  if (!is_hundredths(laser) || loss > OCS_REGS__OPTICS__LOSSX__VALUE_bm) return OCS_E_VALUE;
  if (port >= dev->ports) return OCS_E_INDEX;
  if (!has(dev, OCS_REGS__CAP_OPTIONS__POWER_bm)) return laser != 0 || loss != 0 ? OCS_E_VALUE : OCS_OK;
  TRY(wr_port(dev, OPTICS(LASER), port, (uint32_t)laser & OCS_REGS__OPTICS__LASERX__VALUE_bm));
  return wr_port(dev, OPTICS(LOSS), port, loss);
}

int ocs_power(const ocs_dev* dev, uint16_t output, int32_t* power) {
  uint32_t value = 0;
  TRY(rd_port(dev, OPTICS(POWER), output, &value));
  *power = ocs_signed(value);
  return OCS_OK;
}

int ocs_set_jitter(const ocs_dev* dev, uint16_t output, uint32_t mask) {
  return wr_cycles(dev, PORT(JITTER_MASK), output, mask);
}

int ocs_seed(const ocs_dev* dev, uint32_t seed) { return wr(dev, CORE(SEED), seed); }

int ocs_set_faults(const ocs_dev* dev, uint16_t port, uint32_t faults) {
  return wr_port(dev, PORT(FAULT), port, faults);
}

int ocs_set_stuck(const ocs_dev* dev, uint16_t output, bool stuck, bool keeps) {
  if (keeps && !has(dev, OCS_REGS__CAP_OPTIONS__POSITIONS_bm)) return OCS_E_VALUE;
  return wr_port(dev, PORT(FAULT), output,
                 (stuck ? OCS_REGS__PORT__FAULTX__STUCK_bm : 0u) | (keeps ? OCS_REGS__PORT__FAULTX__KEEPS_bm : 0u));
}

int ocs_set_slow(const ocs_dev* dev, uint16_t output, uint32_t cycles) {
  return wr_cycles(dev, PORT(SLOW), output, cycles);
}

int ocs_set_flap(const ocs_dev* dev, uint16_t output, uint32_t cycles) {
  return wr_cycles(dev, PORT(FLAP), output, cycles);
}

int ocs_retry(const ocs_dev* dev, uint16_t word, uint32_t mask) { return wr_mask(dev, CORE(RETRY), word, mask); }

/* Inlined, since a soft core takes a call for each output of a map. */
INLINED int wr_shadow(const ocs_dev* dev, uint16_t output, uint16_t input, uint32_t also) {
  if (input == OCS_DARK) return wr_port(dev, PORT(SHADOW), output, also);
  if ((input & ~OCS_REGS__PORT__SHADOWX__INPUT_bm) != 0) return OCS_E_VALUE;
  return wr_port(dev, PORT(SHADOW), output, OCS_REGS__PORT__SHADOWX__VALID_bm | input | also);
}

int ocs_shadow_set(const ocs_dev* dev, uint16_t output, uint16_t input) { return wr_shadow(dev, output, input, 0); }

int ocs_shadow_commit(const ocs_dev* dev, uint16_t output, uint16_t input) {
  return wr_shadow(dev, output, input, OCS_REGS__PORT__SHADOWX__COMMIT_bm);
}

/* Ten bits: VALID and INPUT. */
static int entry_of(uint16_t input, uint32_t* entry) {
  *entry = 0;
  if (input == OCS_DARK) return OCS_OK;
  if ((input & ~OCS_REGS__PORT__SHADOWX__INPUT_bm) != 0) return OCS_E_VALUE;
  *entry = OCS_REGS__PORT__SHADOWX__INPUT_bm + 1u + input;
  return OCS_OK;
}

int ocs_shadow_block(const ocs_dev* dev, uint16_t output, const uint16_t* inputs, bool commit) {
  uint32_t next = 0, last = 0;
  if (output + 1u < dev->ports) TRY(entry_of(inputs[1], &next));
  if (output + 2u < dev->ports) TRY(entry_of(inputs[2], &last));
  return wr_shadow(dev, output, inputs[0],
                   OCS_REGS__PORT__SHADOWX__BLOCK_bm | (commit ? OCS_REGS__PORT__SHADOWX__COMMIT_bm : 0u) |
                       next << OCS_REGS__PORT__SHADOWX__INPUT_1_bp | last << OCS_REGS__PORT__SHADOWX__INPUT_2_bp);
}

int ocs_shadow_load(const ocs_dev* dev) { return wr(dev, CORE(SHADOW_LOAD), OCS_REGS__CORE__SHADOW_LOAD__GO_bm); }

int ocs_active(const ocs_dev* dev, uint16_t output, uint16_t* input) {
  uint32_t value = 0;
  TRY(rd_port(dev, PORT(ACTIVE), output, &value));
  *input = (value & OCS_REGS__PORT__ACTIVEX__VALID_bm) != 0 ? (uint16_t)FIELD(value, OCS_REGS__PORT__ACTIVEX__INPUT)
                                                            : (uint16_t)OCS_DARK;
  return OCS_OK;
}

int ocs_commit(const ocs_dev* dev) { return wr(dev, CORE(COMMIT), OCS_REGS__CORE__COMMIT__GO_bm); }

int ocs_commit_at(const ocs_dev* dev, uint64_t cycle) { return wr64(dev, CORE(COMMIT_AT), cycle); }

int ocs_commit_cancel(const ocs_dev* dev) { return wr(dev, CORE(COMMIT_CANCEL), OCS_REGS__CORE__COMMIT_CANCEL__GO_bm); }

int ocs_commit_tag(const ocs_dev* dev, uint8_t tag) {
  if (tag > OCS_REGS__COMMIT_TAG__VALUE_bm) return OCS_E_VALUE;
  return wr(dev, TOP(COMMIT_TAG), tag);
}

static uint32_t burst_word(const ocs_burst* burst) {
  return burst->tag | (burst->gated ? OCS_REGS__PORT__BURSTX__GATED_bm : 0u);
}

/* All but tag and gate. */
INLINED int wr_lengths(const ocs_dev* dev, uint16_t input, const ocs_burst* burst, const ocs_burst* before) {
  if (input >= dev->ports) return OCS_E_INDEX;
  if (!before || before->length != burst->length) TRY(wr_port(dev, PORT(LEN), input, burst->length));
  if (!before || before->gap != burst->gap) TRY(wr_port(dev, PORT(GAP), input, burst->gap));
  if (!before || before->repeat != burst->repeat) TRY(wr_port(dev, PORT(REPEAT), input, burst->repeat));
  return OCS_OK;
}

int ocs_burst_set(const ocs_dev* dev, uint16_t input, const ocs_burst* burst, const ocs_burst* before) {
  TRY(wr_lengths(dev, input, burst, before));
  if (!before || burst_word(before) != burst_word(burst)) TRY(wr_port(dev, PORT(BURST), input, burst_word(burst)));
  return OCS_OK;
}

int ocs_burst_start(const ocs_dev* dev, uint16_t input, const ocs_burst* burst, const ocs_burst* before) {
  TRY(wr_lengths(dev, input, burst, before));
  return wr_port(dev, PORT(BURST), input, burst_word(burst) | OCS_REGS__PORT__BURSTX__START_bm);
}

int ocs_rate_set(const ocs_dev* dev, uint16_t input, uint16_t rate) {
  if (input >= dev->ports) return OCS_E_INDEX;
  if (rate == 0 || rate > OCS_FULL_RATE) return OCS_E_VALUE;
  if (!(dev->options & OCS_REGS__CAP_OPTIONS__RATE_bm)) return rate == OCS_FULL_RATE ? OCS_OK : OCS_E_VALUE;
  uint32_t source = 0;
  TRY(rd_port(dev, PORT(SOURCE), input, &source));
  const uint32_t other = source & ~(uint32_t)OCS_REGS__PORT__SOURCEX__RATE_bm;
  return wr_port(dev, PORT(SOURCE), input, other | rate);
}

int ocs_start(const ocs_dev* dev, uint16_t word, uint32_t mask) { return wr_mask(dev, CORE(START), word, mask); }

int ocs_stop(const ocs_dev* dev, uint16_t word, uint32_t mask) { return wr_mask(dev, CORE(STOP), word, mask); }

/* The record, and whether its stamp isn't that of the event before. */
static int take_record(const ocs_dev* dev, ocs_event* event, bool* new_stamp) {
  uint32_t value = 0;
  TRY(rd(dev, CORE(EVENT), &value));
  event->valid = (value & OCS_REGS__CORE__EVENT__VALID_bm) != 0;
  *new_stamp = event->valid && (value & OCS_REGS__CORE__EVENT__NEW_STAMP_bm) != 0;
  event->class_ = (uint8_t)FIELD(value, OCS_REGS__CORE__EVENT__CLASS);
  event->kind = (uint8_t)FIELD(value, OCS_REGS__CORE__EVENT__KIND);
  event->tag = (uint8_t)FIELD(value, OCS_REGS__CORE__EVENT__TAG);
  event->port = (uint16_t)FIELD(value, OCS_REGS__CORE__EVENT__PORT);
  return OCS_OK;
}

int ocs_event_take(ocs_dev* dev, uint64_t now, ocs_event* event) {
  bool new_stamp = false;
  TRY(take_record(dev, event, &new_stamp));
  if (new_stamp && now != 0) {
    uint32_t low = 0;
    TRY(rd(dev, CORE(EVENT_TIME), &low));
    dev->stamp = now - ((uint32_t)(now & 0xffffffffu) - low);
  } else if (new_stamp) {
    TRY(rd64(dev, CORE(EVENT_TIME), &dev->stamp));
  }
  event->stamp = dev->stamp;
  return OCS_OK;
}

int ocs_event_take_present(ocs_dev* dev, uint64_t now, ocs_event* event) {
  bool new_stamp = false;
  TRY(take_record(dev, event, &new_stamp));
  if (new_stamp) dev->stamp = now;
  event->stamp = dev->stamp;
  return OCS_OK;
}

int ocs_reported(const ocs_dev* dev, uint16_t word, uint32_t* changed, uint32_t* ended) {
  if (ports_of_word(dev, word) == 0) return OCS_E_INDEX;
  TRY(rd(dev, CORE(CHANGED) + 4u * word, changed));
  return rd(dev, CORE(ENDED) + 4u * word, ended);
}

int ocs_reported_clear(const ocs_dev* dev, uint16_t word, uint32_t changed, uint32_t ended) {
  const uint32_t legal = ports_of_word(dev, word);
  if (legal == 0 || ((changed | ended) & ~legal) != 0) return OCS_E_INDEX;
  TRY(wr(dev, CORE(CHANGED) + 4u * word, changed));
  return wr(dev, CORE(ENDED) + 4u * word, ended);
}

int ocs_segments_full(const ocs_dev* dev, uint16_t word, uint32_t* mask) {
  if (ports_of_word(dev, word) == 0) return OCS_E_INDEX;
  return rd(dev, CORE(SEG_FULL) + 4u * word, mask);
}

int ocs_segment_read(const ocs_dev* dev, uint16_t output, ocs_segment* segment) {
  uint32_t value = 0;
  TRY(rd_port(dev, PORT(SEG), output, &value));
  segment->input = (uint16_t)FIELD(value, OCS_REGS__PORT__SEGX__INPUT);
  segment->tag = (uint16_t)FIELD(value, OCS_REGS__PORT__SEGX__TAG);
  TRY(rd_port(dev, PORT(SEG_FIRST), output, &segment->first));
  return rd_port(dev, PORT(SEG_COUNT), output, &segment->count);
}

int ocs_segments_clear(const ocs_dev* dev, uint16_t word, uint32_t mask) {
  return wr_mask(dev, CORE(SEG_FULL), word, mask);
}

static int counter_address(const ocs_dev* dev, enum ocs_port_counter which, uint16_t port, uint32_t* address) {
  static const uint32_t arrays[] = {PORT(PASSED),   PORT(LOST), PORT(DARK),    PORT(TUNINGS),
                                    PORT(RESTARTS), PORT(SENT), PORT(UNROUTED)};
  if (port >= dev->ports || (uint32_t)which >= sizeof arrays / sizeof arrays[0]) return OCS_E_INDEX;
  *address = arrays[which] + 8u * port;
  return OCS_OK;
}

int ocs_counter(const ocs_dev* dev, enum ocs_port_counter which, uint16_t port, uint64_t* value) {
  uint32_t address = 0;
  TRY(counter_address(dev, which, port, &address));
  return rd64(dev, address, value);
}

int ocs_misrouted(const ocs_dev* dev, uint16_t output, uint64_t* words) {
  if (output >= dev->ports) return OCS_E_INDEX;
  if (!has(dev, OCS_REGS__CAP_OPTIONS__POSITIONS_bm)) return OCS_E_VALUE;
  return rd64(dev, OPTICS(MISROUTED) + 8u * output, words);
}

int ocs_counter_low(const ocs_dev* dev, enum ocs_port_counter which, uint16_t port, uint32_t* value) {
  uint32_t address = 0;
  TRY(counter_address(dev, which, port, &address));
  return rd(dev, address, value);
}

int ocs_device_counter(const ocs_dev* dev, enum ocs_switch_counter which, uint64_t* value) {
  static const uint32_t counters[] = {CORE(COMMITS), CORE(REFUSED), CORE(LATE), CORE(DROPPED)};
  if ((uint32_t)which >= sizeof counters / sizeof counters[0]) return OCS_E_INDEX;
  return rd64(dev, counters[which], value);
}

int ocs_state(const ocs_dev* dev, uint16_t output, enum ocs_output_state* state, enum ocs_failure* cause) {
  uint32_t value = 0;
  TRY(rd_port(dev, PORT(STATE), output, &value));
  *state = (enum ocs_output_state)FIELD(value, OCS_REGS__PORT__STATEX__STATE);
  *cause = (enum ocs_failure)FIELD(value, OCS_REGS__PORT__STATEX__CAUSE);
  return OCS_OK;
}

int ocs_engine(const ocs_dev* dev, uint16_t input, enum ocs_engine_state* state) {
  uint32_t value = 0;
  TRY(rd_port(dev, PORT(ENGINE), input, &value));
  *state = (enum ocs_engine_state)FIELD(value, OCS_REGS__PORT__ENGINEX__STATE);
  return OCS_OK;
}

int ocs_status(const ocs_dev* dev, uint32_t* status) { return rd(dev, CORE(STATUS), status); }

int ocs_irq_enable(const ocs_dev* dev, uint32_t mask) { return wr(dev, TOP(IRQ_ENABLE), mask); }

int ocs_irq_status(const ocs_dev* dev, uint32_t* mask) { return rd(dev, CORE(IRQ_STATUS), mask); }

int ocs_errors(const ocs_dev* dev, uint32_t* mask) { return rd(dev, CORE(ERROR), mask); }

int ocs_errors_clear(const ocs_dev* dev, uint32_t mask) { return wr(dev, CORE(ERROR), mask); }

int ocs_seq_store(const ocs_dev* dev, uint16_t entry, uint32_t offset, const uint32_t* launch) {
  if (entry >= dev->seq_entries) return OCS_E_INDEX;
  if (launch) {
    for (uint16_t word = 0; 32u * word < dev->ports; word++) TRY(wr_mask(dev, CORE(SEQ_LAUNCH), word, launch[word]));
  }
  TRY(wr(dev, TOP(SEQ_OFFSET), offset));
  return wr(dev, CORE(SEQ_STORE), entry);
}

int ocs_seq_go(const ocs_dev* dev, uint64_t base, uint16_t entries, uint32_t period) {
  if (entries > dev->seq_entries) return OCS_E_VALUE;
  TRY(wr64(dev, CORE(SEQ_BASE), base));
  TRY(wr(dev, TOP(SEQ_LEN), entries));
  TRY(wr(dev, TOP(SEQ_PERIOD), period));
  return wr(dev, CORE(SEQ_GO), OCS_REGS__CORE__SEQ_GO__GO_bm);
}

int ocs_seq_swap(const ocs_dev* dev) { return wr(dev, CORE(SEQ_SWAP), OCS_REGS__CORE__SEQ_SWAP__GO_bm); }

int ocs_seq_stop(const ocs_dev* dev) { return wr(dev, CORE(SEQ_STOP), OCS_REGS__CORE__SEQ_STOP__GO_bm); }
