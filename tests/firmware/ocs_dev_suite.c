/* Every function of the driver: what it does to the registers, and what it refuses without an access.
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/firmware/ocs_dev_suite.h"

#include <stddef.h>

#include "ocs_regs.h"

#define CORE(name) ((uint32_t)(offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, name)))
#define PORT(name) ((uint32_t)(offsetof(ocs_regs_t, port) + offsetof(ocs_regs__port_t, name)))
#define OPTICS(name) ((uint32_t)(offsetof(ocs_regs_t, optics) + offsetof(ocs_regs__optics_t, name)))
#define TOP(name) ((uint32_t)offsetof(ocs_regs_t, name))
#define CHECK(holds) check(m, (holds), __LINE__)

static void check(suite_machine* m, bool holds, uint32_t line) {
  ++m->checks;
  if (!holds) m->failed(m->context, line);
}

static uint32_t reg(const suite_machine* m, uint32_t address) {
  uint32_t value = 0;
  (void)m->bus.read(m->bus.context, address, &value);
  return value;
}

/* ---- a window of a few words, for what no real switch shows ---- */

typedef struct fake {
  uint32_t words[8];
  uint32_t accesses, fail_after;
} fake;

static int fake_read(void* context, uint32_t address, uint32_t* value) {
  fake* const f = context;
  if (f->accesses++ >= f->fail_after) return 7;
  *value = address / 4u < 8u ? f->words[address / 4u] : 0u;
  return OCS_OK;
}

static int fake_write(void* context, uint32_t address, uint32_t value) {
  fake* const f = context;
  (void)address;
  (void)value;
  return f->accesses++ >= f->fail_after ? 7 : OCS_OK;
}

static void probe_refuses(suite_machine* m) {
  fake f = {.words = {OCS_REGS__ID__MAGIC_reset, 1u << 16, 4u | (16u << 16), 64u | (64u << 16), 0x7f, 5120},
            .fail_after = 100};
  const fake good = f;
  ocs_dev dev;
  const ocs_bus bus = {.context = &f, .read = fake_read, .write = fake_write};
  CHECK(ocs_probe(&dev, bus) == OCS_OK && dev.ports == 4 && dev.word_bytes == 64 && dev.cycle_ps == 5120);
  f.words[0] = 1;
  CHECK(ocs_probe(&dev, bus) == OCS_E_IDENTITY);
  f = good;
  f.words[1] = 2u << 16;
  CHECK(ocs_probe(&dev, bus) == OCS_E_VERSION);
  f = good;
  f.words[2] = 1;
  CHECK(ocs_probe(&dev, bus) == OCS_E_VERSION);
  f.words[2] = 257;
  CHECK(ocs_probe(&dev, bus) == OCS_E_VERSION);
  f = good;
  f.words[3] = 0;
  CHECK(ocs_probe(&dev, bus) == OCS_E_VERSION);
  for (uint32_t n = 0; n < 8; ++n) { /* the bus's own code is handed on */
    f = good;
    f.fail_after = n;
    CHECK(ocs_probe(&dev, bus) == 7);
  }
  f = good;
  CHECK(ocs_probe(&dev, bus) == OCS_OK);
  f.fail_after = 0;
  CHECK(ocs_commit_at(&dev, 1) == 7 && ocs_soft_reset(&dev) == 7 && ocs_set_delays(&dev, 0, 1, 1) == 7);
  uint64_t cycle = 0;
  CHECK(ocs_time(&dev, &cycle) == 7);
  /* Without an option. */
  f = good;
  f.words[4] = 0;
  CHECK(ocs_probe(&dev, bus) == OCS_OK);
  CHECK(ocs_rate_set(&dev, 0, OCS_FULL_RATE) == OCS_OK && ocs_rate_set(&dev, 0, 1) == OCS_E_VALUE);
  CHECK(ocs_set_disturb(&dev, 0, 1) == OCS_OK && ocs_set_disturb(&dev, 1, 1) == OCS_E_VALUE);
  CHECK(ocs_set_light(&dev, false, 1, 1, 1, 1) == OCS_OK && ocs_set_light(&dev, true, 1, 1, 1, 1) == OCS_E_VALUE);
  CHECK(ocs_set_ringing(&dev, 1, 1, 0) == OCS_OK && ocs_set_ringing(&dev, 1, 1, 1) == OCS_E_VALUE);
  CHECK(ocs_set_power(&dev, 0, 0, 0) == OCS_OK && ocs_set_power(&dev, 0, -1, 0) == OCS_E_VALUE);
  CHECK(ocs_set_stuck(&dev, 0, true, false) == OCS_OK && ocs_set_stuck(&dev, 0, true, true) == OCS_E_VALUE);
  CHECK(ocs_misrouted(&dev, 0, &cycle) == OCS_E_VALUE);
}

/* ---- a real switch ---- */

/* LEVEL.ON stays 0: what follows expects that light is there. */
static void light(suite_machine* m, const ocs_dev* dev) {
  const uint16_t n = dev->ports;
  int32_t power = 0;
  uint64_t words = 1;
  CHECK(ocs_set_light(dev, false, -1400, 50, 7, 8) == OCS_OK && reg(m, TOP(LEVEL)) == (50u << 16 | 0xfa88u));
  CHECK(reg(m, TOP(LOS_ASSERT)) == 7u && reg(m, TOP(LOS_RELEASE)) == 8u);
  CHECK(ocs_set_light(dev, true, 32768, 0, 0, 0) == OCS_E_VALUE &&
        ocs_set_light(dev, true, 0, 32768, 0, 0) == OCS_E_VALUE);
  CHECK(ocs_set_light(dev, true, 0, 0, 1u << 30, 0) == OCS_E_VALUE);
  CHECK(ocs_set_light(dev, true, 0, 0, 0, 1u << 30) == OCS_E_VALUE && ocs_set_light(dev, false, 0, 0, 0, 0) == OCS_OK);
  CHECK(ocs_set_ringing(dev, 5, 6, 255) == OCS_OK && reg(m, TOP(RING_AFTER)) == 5u && reg(m, TOP(RING)) == 6u);
  CHECK(reg(m, TOP(RINGS)) == 255u && ocs_set_ringing(dev, 0, 0, 256) == OCS_E_VALUE);
  CHECK(ocs_set_ringing(dev, 1u << 30, 0, 0) == OCS_E_VALUE && ocs_set_ringing(dev, 0, 1u << 30, 0) == OCS_E_VALUE);
  CHECK(ocs_set_ringing(dev, 0, 0, 0) == OCS_OK && reg(m, TOP(RINGS)) == 0u);
  CHECK(ocs_set_power(dev, 1, -300, 65535) == OCS_OK && reg(m, OPTICS(LASER) + 4u) == 0xfed4u);
  CHECK(reg(m, OPTICS(LOSS) + 4u) == 65535u && ocs_set_power(dev, 1, 0, 65536) == OCS_E_VALUE);
  CHECK(ocs_set_power(dev, 1, 32768, 0) == OCS_E_VALUE && ocs_set_power(dev, n, 0, 0) == OCS_E_INDEX);
  CHECK(ocs_set_power(dev, 1, 0, 0) == OCS_OK && ocs_power(dev, n, &power) == OCS_E_INDEX);
  CHECK(ocs_power(dev, 0, &power) == OCS_OK && power == OCS_NO_POWER);
  CHECK(ocs_misrouted(dev, 0, &words) == OCS_OK && words == 0u && ocs_misrouted(dev, n, &words) == OCS_E_INDEX);
  CHECK(ocs_set_stuck(dev, 3, true, true) == OCS_OK && reg(m, PORT(FAULT) + 12u) == 12u);
  CHECK(ocs_set_stuck(dev, 3, false, false) == OCS_OK && reg(m, PORT(FAULT) + 12u) == 0u);
  CHECK(ocs_set_stuck(dev, n, false, false) == OCS_E_INDEX);
}

static void configuration(suite_machine* m, const ocs_dev* dev) {
  const uint16_t n = dev->ports;
  bool all_stop = false, multicast = false;
  CHECK(ocs_set_modes(dev, true, true) == OCS_OK && reg(m, TOP(CTRL)) == 3u);
  CHECK(ocs_modes(dev, &all_stop, &multicast) == OCS_OK && all_stop && multicast);
  CHECK(ocs_set_modes(dev, true, false) == OCS_OK && ocs_modes(dev, &all_stop, &multicast) == OCS_OK);
  CHECK(all_stop && !multicast);
  CHECK(ocs_set_modes(dev, false, false) == OCS_OK && reg(m, TOP(CTRL)) == 0u);
  CHECK(ocs_modes(dev, &all_stop, &multicast) == OCS_OK && !all_stop && !multicast);
  CHECK(ocs_set_delays(dev, 1, 30, 5) == OCS_OK && reg(m, PORT(BASE) + 4u) == 30u && reg(m, PORT(LOCK) + 4u) == 5u);
  CHECK(ocs_set_delays(dev, n, 0, 0) == OCS_E_INDEX && ocs_set_delays(dev, 0, 1u << 30, 0) == OCS_E_VALUE);
  CHECK(ocs_set_delays(dev, 0, 0, 1u << 30) == OCS_E_VALUE);
  CHECK(ocs_set_pair(dev, 1, 2, 9) == OCS_OK && reg(m, TOP(PAIR) + 4u * (256u + 2u)) == 9u);
  CHECK(ocs_set_pair(dev, 1, 2, 0) == OCS_OK && ocs_set_pair(dev, n, 0, 0) == OCS_E_INDEX);
  CHECK(ocs_set_pair(dev, 0, n, 0) == OCS_E_INDEX && ocs_set_pair(dev, 0, 0, 1u << 30) == OCS_E_VALUE);
  CHECK(ocs_set_programming(dev, 9, 3) == OCS_OK && reg(m, TOP(PROG)) == 9u && reg(m, TOP(PROG_LANES)) == 3u);
  CHECK(ocs_commit_tag(dev, 63) == OCS_OK && reg(m, TOP(COMMIT_TAG)) == 63u && ocs_commit_tag(dev, 64) == OCS_E_VALUE);
  CHECK(ocs_set_programming(dev, 0, 256) == OCS_OK && ocs_set_programming(dev, 1u << 30, 1) == OCS_E_VALUE);
  uint32_t warm[OCS_QUANTILES], cold[OCS_QUANTILES];
  for (uint32_t k = 0; k < OCS_QUANTILES; k++) warm[k] = k, cold[k] = 100u + k;
  CHECK(ocs_set_receivers(dev, 7, warm, cold) == OCS_OK && reg(m, TOP(RECEIVER)) == (0x80000000u | 7u));
  CHECK(reg(m, CORE(LOCK_WARM)) == 0u && reg(m, CORE(LOCK_WARM) + 60u) == 15u);
  CHECK(reg(m, CORE(LOCK_COLD)) == 100u && reg(m, CORE(LOCK_COLD) + 60u) == 115u);
  for (uint32_t k = 0; k < OCS_QUANTILES; k++) warm[k] = cold[k] = 0u; /* what follows expects LOCK alone */
  CHECK(ocs_set_receivers(dev, 0, warm, cold) == OCS_OK && reg(m, CORE(LOCK_COLD) + 60u) == 0u);
  warm[15] = 1u << 30;
  CHECK(ocs_set_receivers(dev, 7, warm, cold) == OCS_E_VALUE &&
        ocs_set_receivers(dev, 1u << 30, cold, cold) == OCS_E_VALUE);
  CHECK(ocs_set_disturb(dev, 9, 0x80000001u) == OCS_OK && reg(m, TOP(DISTURB)) == 9u);
  CHECK(reg(m, TOP(DISTURB_AT)) == 0x80000001u && ocs_set_disturb(dev, 1u << 30, 1) == OCS_E_VALUE);
  CHECK(ocs_set_disturb(dev, 0, 0) == OCS_OK && reg(m, TOP(DISTURB)) == 0u && reg(m, TOP(DISTURB_AT)) == 0u);
  CHECK(ocs_set_programming(dev, 1, 0) == OCS_E_VALUE && ocs_set_programming(dev, 1, 257) == OCS_E_VALUE);
  CHECK(ocs_set_jitter(dev, 2, 7) == OCS_OK && reg(m, PORT(JITTER_MASK) + 8u) == 7u);
  CHECK(ocs_set_jitter(dev, 2, 0) == OCS_OK && ocs_seed(dev, 5) == OCS_OK);
  CHECK(ocs_set_faults(dev, 3, 4) == OCS_OK && reg(m, PORT(FAULT) + 12u) == 4u);
  CHECK(ocs_set_faults(dev, 3, 0) == OCS_OK && ocs_set_faults(dev, n, 0) == OCS_E_INDEX);
  CHECK(ocs_set_slow(dev, 3, 8) == OCS_OK && reg(m, PORT(SLOW) + 12u) == 8u && ocs_set_slow(dev, 3, 0) == OCS_OK);
  CHECK(ocs_set_flap(dev, 3, 8) == OCS_OK && reg(m, PORT(FLAP) + 12u) == 8u && ocs_set_flap(dev, 3, 0) == OCS_OK);
  light(m, dev);
  CHECK(ocs_irq_enable(dev, 7) == OCS_OK && reg(m, TOP(IRQ_ENABLE)) == 7u && ocs_irq_enable(dev, 0) == OCS_OK);
}

static void maps(suite_machine* m, ocs_dev* dev) {
  uint16_t input = 0;
  uint32_t status = 0;
  uint64_t cycle = 0;
  enum ocs_output_state state = OCS_IDLE;
  enum ocs_failure cause = OCS_CAUSE_NONE;
  CHECK(ocs_shadow_set(dev, 1, 2) == OCS_OK && reg(m, PORT(SHADOW) + 4u) == (2u | 1u << 31));
  CHECK(ocs_shadow_set(dev, 1, OCS_DARK) == OCS_OK && (reg(m, PORT(SHADOW) + 4u) >> 31) == 0u);
  CHECK(ocs_shadow_set(dev, 1, 512) == OCS_E_VALUE && ocs_shadow_set(dev, dev->ports, 0) == OCS_E_INDEX);
  CHECK(ocs_shadow_set(dev, 1, 2) == OCS_OK && ocs_commit(dev) == OCS_OK);
  m->wait(m->context, 100);
  CHECK(ocs_active(dev, 1, &input) == OCS_OK && input == 2);
  CHECK(ocs_state(dev, 1, &state, &cause) == OCS_OK && state == OCS_UP && cause == OCS_CAUSE_NONE);
  CHECK(ocs_active(dev, dev->ports, &input) == OCS_E_INDEX);
  CHECK(ocs_state(dev, dev->ports, &state, &cause) == OCS_E_INDEX);
  CHECK(ocs_active(dev, 0, &input) == OCS_OK && input == OCS_DARK);
  CHECK(ocs_shadow_set(dev, 1, OCS_DARK) == OCS_OK && ocs_shadow_load(dev) == OCS_OK);
  CHECK(reg(m, PORT(SHADOW) + 4u) == (2u | 1u << 31));
  CHECK(ocs_time(dev, &cycle) == OCS_OK && ocs_commit_at(dev, cycle + 100000u) == OCS_OK);
  CHECK(ocs_status(dev, &status) == OCS_OK && (status & OCS_REGS__CORE__STATUS__COMMIT_ARMED_bm) != 0);
  CHECK(ocs_commit_cancel(dev) == OCS_OK && ocs_status(dev, &status) == OCS_OK && status == 0);
  CHECK(ocs_retry(dev, 0, 2) == OCS_OK && ocs_retry(dev, 0, 1u << 31) == (dev->ports < 32 ? OCS_E_INDEX : OCS_OK));
  CHECK(ocs_retry(dev, 8, 0) == OCS_E_INDEX);
}

static void bursts(suite_machine* m, ocs_dev* dev) {
  const ocs_burst burst = {.length = 20, .gap = 3, .repeat = 0, .tag = 9, .gated = true};
  ocs_burst other = burst;
  other.length = 6;
  other.repeat = 1;
  enum ocs_engine_state engine = OCS_ENGINE_SEND;
  uint64_t passed = 0;
  uint32_t low = 0, full = 0, changed = 0, ended = 0;
  ocs_segment segment;
  CHECK(ocs_burst_set(dev, 2, &burst, NULL) == OCS_OK && reg(m, PORT(LEN) + 8u) == 20u && reg(m, PORT(GAP) + 8u) == 3u);
  CHECK(reg(m, PORT(BURST) + 8u) == (9u | 1u << 16));
  CHECK(ocs_burst_set(dev, 2, &other, &burst) == OCS_OK && reg(m, PORT(LEN) + 8u) == 6u);
  CHECK(reg(m, PORT(REPEAT) + 8u) == 1u && ocs_burst_set(dev, 2, &burst, &other) == OCS_OK);
  CHECK(ocs_burst_set(dev, dev->ports, &burst, NULL) == OCS_E_INDEX);
  CHECK(ocs_rate_set(dev, 2, 20000) == OCS_OK && (reg(m, PORT(SOURCE) + 8u) & 0xffffu) == 20000u);
  CHECK(ocs_rate_set(dev, 2, OCS_FULL_RATE) == OCS_OK && ocs_rate_set(dev, 2, 0) == OCS_E_VALUE);
  CHECK(ocs_rate_set(dev, dev->ports, 1) == OCS_E_INDEX && ocs_rate_set(dev, 2, OCS_FULL_RATE + 1u) == OCS_E_VALUE);
  CHECK(ocs_start(dev, 0, 4) == OCS_OK);
  m->wait(m->context, 200);
  CHECK(ocs_engine(dev, 2, &engine) == OCS_OK && engine == OCS_ENGINE_OFF);
  CHECK(ocs_engine(dev, dev->ports, &engine) == OCS_E_INDEX);
  CHECK(ocs_counter(dev, OCS_PASSED, 1, &passed) == OCS_OK && passed == 20);
  CHECK(ocs_counter_low(dev, OCS_SENT, 2, &low) == OCS_OK && low == 20);
  CHECK(ocs_counter(dev, OCS_PASSED, dev->ports, &passed) == OCS_E_INDEX);
  CHECK(ocs_counter_low(dev, OCS_PASSED, dev->ports, &low) == OCS_E_INDEX);
  CHECK(ocs_segments_full(dev, 0, &full) == OCS_OK && full == 2);
  CHECK(ocs_segments_full(dev, 8, &full) == OCS_E_INDEX);
  CHECK(ocs_segment_read(dev, 1, &segment) == OCS_OK && segment.input == 2 && segment.tag == 9);
  CHECK(segment.first == 0 && segment.count == 20 && ocs_segment_read(dev, dev->ports, &segment) == OCS_E_INDEX);
  CHECK(ocs_reported(dev, 0, &changed, &ended) == OCS_OK && changed == 2 && ended == 4);
  CHECK(ocs_reported_clear(dev, 0, 0, 4) == OCS_OK && ocs_reported(dev, 0, &changed, &ended) == OCS_OK);
  CHECK(changed == 2 && ended == 0 && ocs_reported(dev, 8, &changed, &ended) == OCS_E_INDEX);
  CHECK(ocs_segments_clear(dev, 0, 2) == OCS_OK && ocs_segments_full(dev, 0, &full) == OCS_OK && full == 0);
  CHECK(ocs_stop(dev, 0, 4) == OCS_OK && ocs_device_counter(dev, OCS_COMMITS, &passed) == OCS_OK && passed == 1);
}

/* A whole burst on the circuit that stands: no segment. */
static void brief(suite_machine* m, ocs_dev* dev) {
  const ocs_burst burst = {.length = 20, .gap = 3, .repeat = 0, .tag = 10, .gated = true};
  uint64_t passed = 0;
  uint32_t full = 1;
  CHECK(ocs_set_brief(dev, true) == OCS_OK && reg(m, TOP(BRIEF)) == 1u);
  CHECK(ocs_shadow_commit(dev, 1, 2) == OCS_OK && reg(m, PORT(SHADOW) + 4u) == (2u | 1u << 31));
  CHECK(ocs_burst_start(dev, 2, &burst, NULL) == OCS_OK && reg(m, PORT(BURST) + 8u) == (10u | 1u << 16));
  m->wait(m->context, 200);
  CHECK(ocs_counter(dev, OCS_PASSED, 1, &passed) == OCS_OK && passed == 40);
  CHECK(ocs_segments_full(dev, 0, &full) == OCS_OK && full == 0);
  CHECK(ocs_device_counter(dev, OCS_COMMITS, &passed) == OCS_OK && passed == 2);
  CHECK(ocs_shadow_commit(dev, 1, 512) == OCS_E_VALUE && ocs_shadow_commit(dev, dev->ports, 0) == OCS_E_INDEX);
  CHECK(ocs_burst_start(dev, dev->ports, &burst, NULL) == OCS_E_INDEX);
  const uint16_t map[OCS_BLOCK] = {3, OCS_DARK, 0}, wrong[OCS_BLOCK] = {3, 512, 0};
  CHECK(ocs_shadow_block(dev, 0, map, false) == OCS_OK && reg(m, PORT(SHADOW)) == (3u | 1u << 31));
  CHECK(reg(m, PORT(SHADOW) + 4u) == 0u && reg(m, PORT(SHADOW) + 8u) == 1u << 31);
  CHECK(ocs_shadow_block(dev, 0, wrong, false) == OCS_E_VALUE);
  CHECK(ocs_shadow_block(dev, dev->ports, map, false) == OCS_E_INDEX);
  CHECK(ocs_shadow_load(dev) == OCS_OK && ocs_set_brief(dev, false) == OCS_OK && reg(m, TOP(BRIEF)) == 0u);
}

static void events(suite_machine* m, ocs_dev* dev) {
  ocs_event event = {.valid = false};
  uint64_t before = 0, now = 0;
  uint32_t count = 0, first = 0, mask = 0;
  CHECK(ocs_irq_status(dev, &mask) == OCS_OK && mask == OCS_REGS__CORE__IRQ_STATUS__EVENT_bm);
  CHECK(ocs_time(dev, &now) == OCS_OK);
  for (; ocs_event_take(dev, now, &event) == OCS_OK && event.valid; ++count) {
    if (count == 0) first = event.kind | ((uint32_t)event.class_ << 4);
    CHECK(event.stamp >= before);
    before = event.stamp;
  }
  CHECK(count >= 4 && first == OCS_COMMITTED);
  CHECK(ocs_event_take_present(dev, now, &event) == OCS_OK && !event.valid);
  CHECK(ocs_event_take(dev, 0, &event) == OCS_OK && !event.valid);
  CHECK(ocs_errors(dev, &mask) == OCS_OK && mask == 0 && ocs_errors_clear(dev, 0x7f) == OCS_OK);
}

static void tables(suite_machine* m, ocs_dev* dev) {
  const uint32_t launch[8] = {0};
  uint32_t status = 0;
  uint64_t now = 0;
  if (dev->seq_entries == 0) return;
  CHECK(ocs_shadow_set(dev, 1, 3) == OCS_OK && ocs_seq_store(dev, 0, 10, launch) == OCS_OK);
  CHECK(ocs_seq_store(dev, dev->seq_entries, 0, NULL) == OCS_E_INDEX && ocs_seq_store(dev, 1, 20, NULL) == OCS_OK);
  CHECK(ocs_time(dev, &now) == OCS_OK && ocs_seq_go(dev, now + 1000u, 2, 100) == OCS_OK);
  m->wait(m->context, 10); /* a stop in the cycle of the start would lose */
  CHECK(ocs_seq_swap(dev) == OCS_OK && ocs_status(dev, &status) == OCS_OK);
  CHECK(ocs_seq_stop(dev) == OCS_OK);
  m->wait(m->context, 50);
  CHECK(ocs_status(dev, &status) == OCS_OK && (status & OCS_REGS__CORE__STATUS__SEQ_RUNNING_bm) == 0);
}

void ocs_dev_suite(suite_machine* machine) {
  suite_machine* const m = machine;
  ocs_dev dev;
  machine->checks = 0;
  probe_refuses(machine);
  CHECK(ocs_probe(&dev, machine->bus) == OCS_OK && dev.ports >= 4);
  configuration(machine, &dev);
  maps(machine, &dev);
  bursts(machine, &dev);
  brief(machine, &dev);
  events(machine, &dev);
  tables(machine, &dev);
  CHECK(ocs_soft_reset(&dev) == OCS_OK && dev.stamp == 0 && reg(m, PORT(BASE) + 4u) == 0);
}
