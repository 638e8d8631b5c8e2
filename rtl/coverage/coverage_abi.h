/* What a compiled switch that counts coverage offers beside switch_abi.h: its counters.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LIGHTLOOP_COVERAGE_ABI_H
#define LIGHTLOOP_COVERAGE_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "../object/switch_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lightloop_coverage {
  /** How many counters a switch has. */
  size_t (*size)(const struct lightloop_switch*);
  /** Copies all counters to or from `values`. */
  void (*get)(const struct lightloop_switch*, uint32_t* values);
  void (*set)(struct lightloop_switch*, const uint32_t* values);
  /** Writes what each counter counts, and how often, in Verilator's format. A disk without room cuts the file off. */
  void (*write)(struct lightloop_switch*, const char* file);
};

/** The second symbol of an object that was compiled with coverage. Its functions take that object's switches. */
const struct lightloop_coverage* lightloop_switch_coverage(void);

#ifdef __cplusplus
}
#endif

#endif
