/* What a compiled switch offers to the program that loads it: its pins by name, evaluation, checks, waveforms.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LIGHTLOOP_SWITCH_ABI_H
#define LIGHTLOOP_SWITCH_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Raised with every change of this file that a program compiled earlier would misread. */
#define LIGHTLOOP_SWITCH_ABI 1

/** A pin of the top module, or a variable that remembers the last value of a clock. The place is valid as long as the
 * switch exists. Bits beyond the pin's width are 0. Elements of an unpacked array follow one another. */
struct lightloop_pin {
  const char* name;
  void* place;
  size_t bytes; /**< 1, 2, 4 or 8 for up to 64 bits; a multiple of 4 above, lowest bits first */
};

/** One switch. Functions that are NULL are not available in this object. */
struct lightloop_switch {
  const struct lightloop_pin* pins;
  size_t pin_count;
  /** Evaluates the module after pins have changed. */
  void (*eval)(struct lightloop_switch*);
  /** Ends the switch; counts of coverage are added up first. */
  void (*destroy)(struct lightloop_switch*);
  /** Whether a check has failed since the switch was made; its name is on the standard output. */
  int (*failed)(const struct lightloop_switch*);
  /** Begins to write all signals to an FST file. */
  void (*open_waveform)(struct lightloop_switch*, const char* file);
  /** Writes the present values as those of time step `step`. */
  void (*dump_waveform)(struct lightloop_switch*, uint64_t step);
  void (*flush_waveform)(struct lightloop_switch*);
};

/** The only symbol of the object: makes a switch before its first evaluation. @return NULL if `abi` is not the
 * LIGHTLOOP_SWITCH_ABI that the object was compiled with. */
struct lightloop_switch* lightloop_make_switch(uint32_t abi);

#ifdef __cplusplus
}
#endif

#endif
