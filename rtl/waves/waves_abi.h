/* What a compiled switch that can write waveforms offers beside switch_abi.h: files of any window of its time.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LIGHTLOOP_WAVES_ABI_H
#define LIGHTLOOP_WAVES_ABI_H

#include <stdint.h>

#include "../object/switch_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lightloop_waves {
  /** Begins an FST file of all signals, after which dump_waveform counts steps of 1 ps. A file that was begun before is
   * ended. @return 0: the file can't be made. */
  int (*begin)(struct lightloop_switch*, const char* fst);
  /** Ends the file that was begun, if there is one. Files that no disk has room for are cut off without a word. */
  void (*end)(struct lightloop_switch*);
  /** Writes the signals of an FST file as VCD. @return 0: one of the files can't be read or written. */
  int (*to_vcd)(const char* fst, const char* vcd);
};

/** The second symbol of an object that was compiled with waveforms. Its functions take that object's switches. */
const struct lightloop_waves* lightloop_switch_waves(void);

#ifdef __cplusplus
}
#endif

#endif
