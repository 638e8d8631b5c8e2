// A switch with waveforms: switch_object.cpp, and the functions of waves_abi.h. It is compiled in place of that file.
// SPDX-License-Identifier: Apache-2.0
#include <gtkwave/fstapi.h>

#include <cstdio>

#include "switch_object.cpp"  // its Switch has no declaration elsewhere: other objects have one source, and one hash
#include "waves_abi.h"

namespace {

int begin_file(lightloop_switch* self, const char* fst) {
  constexpr int all_levels = 99;
  Switch& made = Switch::of(self);
  Verilated::threadContextp(&made.context);
  made.context.traceEverOn(true);
  made.waveform = std::make_unique<VerilatedFstC>();
  made.waveform->set_time_unit("1ps");
  made.waveform->set_time_resolution("1ps");
  made.top.trace(made.waveform.get(), all_levels);
  made.waveform->open(fst);
  return static_cast<int>(made.waveform->isOpen());
}

void end_file(lightloop_switch* self) { Switch::of(self).waveform.reset(); }

int fst_to_vcd(const char* fst, const char* vcd) {
  void* const in = fstReaderOpen(fst);
  std::FILE* const out = in == nullptr ? nullptr : std::fopen(vcd, "wb");
  bool written = out != nullptr && fstReaderProcessHier(in, out) != 0;
  if (written) {
    fstReaderSetFacProcessMaskAll(in);
    written = fstReaderIterBlocks(in, nullptr, nullptr, out) != 0 && std::ferror(out) == 0;
  }
  if (out != nullptr) written = std::fclose(out) == 0 && written;
  if (in != nullptr) fstReaderClose(in);
  return static_cast<int>(written);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const lightloop_waves* lightloop_switch_waves() {
  static const lightloop_waves waves{begin_file, end_file, fst_to_vcd};
  return &waves;
}
