// Options for waveforms, and the recording of a command's one device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "host/core/switch.hpp"
#include "host/rtl/waveform.hpp"

namespace ocs {

/// --waves and the options that say when.
struct WaveArguments {
  std::string file, from, to;
  std::string around, margin;  ///< only of commands whose runs can be repeated

  void add_to(CLI::App& command);
  void add_around_to(CLI::App& command);

  bool any() const { return !file.empty(); }
  /// @throws Error (input): --from and the others without --waves, or together with one that they exclude; no time.
  void check() const;
  /// The window that --from and --to name. @throws Error (input) as check().
  rtl::WaveWindow window() const;
  /// @param set_up time that a circuit of this switch takes to be set up. @return time before and after an event.
  Picos margin_or(Picos set_up) const;
  /// The first event of a kind, or that of a number in the log, from 0. Empty: --around was not given.
  std::optional<std::variant<EventKind, std::size_t>> event() const;
};

/// "x.fst holds 12 ms to 12.1 ms; `gtkwave x.fst x.gtkw` or `surfer -c x.sucl x.fst` shows it"
std::string text_of_waveform(const std::string& file, const rtl::WaveReport& report);

/// Does the work, with a recorder if a waveform is asked for, and ends the waveform, also if the work fails.
/// @throws Error as the work, and Waveform::end().
void with_waveform(const WaveArguments& arguments, const std::function<void(rtl::Waveform* recorder)>& work);

}  // namespace ocs
