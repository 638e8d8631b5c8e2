/* The application: everything by interrupt.
 * SPDX-License-Identifier: Apache-2.0 */
#include "sysc/examples/rotor.h"

#include <stddef.h>

#include "ocs_regs.h"

#define TRY(call)                                               \
  do {                                                          \
    const int status = (call);                                  \
    if (status != OCS_OK) return status > 0 ? -status : status; \
  } while (0)

enum { base_cycles = 200, lock_cycles = 50, timer_pending = 1, switch_pending = 2 };

static int switch_read(void* context, uint32_t address, uint32_t* value) {
  const RotorPlatform* platform = context;
  return platform->read(platform->context, (uint32_t)ROTOR_SWITCH + address, value);
}

static int switch_write(void* context, uint32_t address, uint32_t value) {
  const RotorPlatform* platform = context;
  return platform->write(platform->context, (uint32_t)ROTOR_SWITCH + address, value);
}

static int turn(const ocs_dev* dev, int by) {
  for (uint16_t output = 0; output < dev->ports; ++output)
    TRY(ocs_shadow_set(dev, output, (uint16_t)((output + by) % dev->ports)));
  return ocs_commit(dev);
}

/* Takes all events there are; logs those of outputs behind the `logged` ones. */
static int log_events(const RotorPlatform* platform, ocs_dev* dev, int* logged) {
  for (;;) {
    ocs_event event;
    TRY(ocs_event_take(dev, 0, &event));
    if (!event.valid) return OCS_OK;
    if (event.class_ != OCS_CLASS_OUTPUT) continue;
    const uint32_t place = ROTOR_MEMORY + 8u * (uint32_t)*logged;
    TRY(platform->write(platform->context, place, (uint32_t)event.stamp));
    TRY(platform->write(platform->context, place + 4u, event.port | (uint32_t)event.kind << 16));
    ++*logged;
  }
}

int rotor_run(const RotorPlatform* platform, uint32_t period_ns, int turns) {
  const ocs_bus bus = {(void*)platform, switch_read, switch_write};
  ocs_dev dev;
  int logged = 0, turned = 0;
  TRY(ocs_probe(&dev, bus));
  for (uint16_t output = 0; output < dev.ports; ++output) TRY(ocs_set_delays(&dev, output, base_cycles, lock_cycles));
  TRY(ocs_irq_enable(&dev, OCS_REGS__IRQ_ENABLE__EVENT_bm));
  TRY(platform->write(platform->context, ROTOR_TIMER_PERIOD, period_ns));
  for (;;) {
    uint32_t pending = 0;
    platform->wait_for_interrupt(platform->context);
    TRY(platform->read(platform->context, ROTOR_INTERRUPTS, &pending));
    if ((pending & switch_pending) != 0) TRY(log_events(platform, &dev, &logged));
    if ((pending & timer_pending) == 0) continue;
    TRY(platform->write(platform->context, ROTOR_TIMER_CLEAR, 1));
    if (turned == turns) return logged;
    TRY(turn(&dev, ++turned));
  }
}
