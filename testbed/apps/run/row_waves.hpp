// The waveforms of a row: a file for each plane, in a window of time or around an event of the row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testbed/apps/run/wave_arguments.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

/// What became of them.
struct WavesOutcome {
  std::string text;        ///< a sentence a line
  std::size_t failed = 0;  ///< files that are not there
};

/// @throws Error (input): a row has no RTL whose signals could be shown, or the options contradict each other.
void check_waves(const WaveArguments& arguments, const Experiment& experiment);

class RowWaves {
 public:
  /// Names the files: FILE.fst, FILE-row-3.fst if the experiment has several rows, FILE-plane-1.fst if the row has
  /// several planes. With --around it runs the row once without waveforms, to find the event.
  /// @param options of this row; they are changed so that run_point() records. The object outlives that run.
  /// @throws Error (input) as Waveform::begin(); Error (run): there is no such event; as run_point().
  RowWaves(const WaveArguments& arguments, const Experiment& experiment, std::size_t row, RunOptions& options);
  RowWaves(const RowWaves&) = delete;
  RowWaves& operator=(const RowWaves&) = delete;

  /// Ends the files, also of a row that has failed.
  WavesOutcome finish();

 private:
  struct OfPlane {
    std::string file;
    rtl::Waveform waveform;
    std::set<int> ports;  ///< with events in the window
  };

  rtl::WaveWindow window_of(const WaveArguments& arguments, const Point& point, const RunOptions& options) const;

  rtl::WaveWindow window_;
  std::vector<std::unique_ptr<OfPlane>> planes_;
};

}  // namespace ocs
