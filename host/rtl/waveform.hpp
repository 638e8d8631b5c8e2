// Records a switch that was compiled with waveforms: all signals of the RTL in a window of virtual time, as FST or VCD.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "host/core/units.hpp"
#include "host/rtl/compiled_switch.hpp"
#include "host/rtl/parameters.hpp"

namespace ocs::rtl {

/// Both ends belong to it.
struct WaveWindow {
  Picos from{0};
  Picos to = never<Picos>;
  std::optional<Picos> mark = {};  ///< what the views put their cursor at
};

/// Instants of the first and the last values in a file.
struct WaveReport {
  Picos first, last;
};

/// One recorder, of one switch, which writes one file after another. A file that is not ended before the recorder goes is
/// discarded. It costs the switch a look at its pins an edge while no window is open.
///
/// Edges that move time stand at the instant at which their cycle begins. Edges of the bus that take no time follow one
/// another by 2 ps, so that they can be seen, up to the middle of the cycle: further ones show their result only. Each
/// edge raises its clock for 1 ps.
class Waveform {
 public:
  Waveform();
  ~Waveform();
  Waveform(const Waveform&) = delete;
  Waveform& operator=(const Waveform&) = delete;

  /// Names the next file, FILE.fst or FILE.vcd, and the window that it is to hold. What is there under this name stays
  /// until end(). Of a switch that runs, the window begins now at the earliest. @throws Error (input) for another suffix, an empty window, or a file that can't be written.
  void begin(const std::filesystem::path& file, WaveWindow window);

  /// Makes the switch that is recorded, compiled with waveforms (store.hpp). It is called once.
  Instance record(Parameters parameters);

  /// Counts time from this instant of the device, which a switch over it calls 0. One with firmware is recorded only
  /// after this call: its time goes on while it boots.
  void count_from(Picos origin);

  /// Whether a file was begun and has not been ended.
  bool is_recording() const;

  /// Ports that the views for GTKWave and Surfer show; default: all. It takes effect in end().
  void show_ports(std::vector<int> ports);

  /// Ends the file, renames it to what it was to be called, and writes its views (wave_files.hpp).
  /// @throws Error (run): the window lies behind the end of the run, or the disk has not taken all of it. No file is
  /// left then.
  WaveReport end();

 private:
  class Recorder;
  std::shared_ptr<Recorder> recorder_;  ///< the switch has its share: that of a SystemC simulation lives on
};

}  // namespace ocs::rtl
