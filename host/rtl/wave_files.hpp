// The files of a waveform: whether an FST file is whole, and what viewers read beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "host/core/units.hpp"
#include "host/rtl/parameters.hpp"

namespace ocs::rtl {

/// Whether the blocks of the file follow one another to its end, and names and values are among them. It finds what a
/// full disk leaves, since the writer does not say.
bool is_whole_fst(const std::filesystem::path& file);

struct WaveView {
  Core core = Core::counter;
  std::vector<int> ports;  ///< ascending
  Picos from, to;          ///< that the viewer zooms to
  Picos mark;              ///< where its cursor is
};

/// Writes FILE.gtkw (GTKWave) and FILE.sucl (commands for Surfer) beside `waveform`, where FILE is its name without
/// suffix. Names of states are in an FST file; a VCD file has none. @throws Error (run): one can't be written.
void write_views(const std::filesystem::path& waveform, const WaveView& view);

}  // namespace ocs::rtl
