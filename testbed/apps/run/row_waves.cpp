// Finds the window, names the files, and hands a recorder to the device of each plane.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/row_waves.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "host/core/error.hpp"
#include "host/device/catalogue.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/events/event_log.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

std::string file_of(const WaveArguments& arguments, const Experiment& experiment, std::size_t row, std::size_t plane) {
  const std::filesystem::path file = arguments.file;
  std::string name = file.stem().string();
  if (experiment.points.size() > 1) name += "-row-" + std::to_string(row + 1);
  if (experiment.points[row].fabric.planes > 1) name += "-plane-" + std::to_string(plane);
  return (file.parent_path() / (name + file.extension().string())).string();
}

bool is_state(EventKind kind) { return kind <= EventKind::failed; }

/// Runs the point as it is. @return the instant of the event. @throws Error (run): it does not happen.
Picos instant_of(const WaveArguments& arguments, const Point& point, RunOptions options) {
  const auto wanted = arguments.event().value();
  std::optional<Picos> found;
  std::size_t count = 0;
  options.on_event = [&](const Event& event) {
    const std::size_t number = count++;
    const bool is_it = std::holds_alternative<EventKind>(wanted) ? event.kind == std::get<EventKind>(wanted)
                                                                 : number == std::get<std::size_t>(wanted);
    if (is_it && !found) found = to_picos(event.at, point.fabric.cycle);
  };
  options.profile = nullptr;
  options.watch = nullptr;
  options.on_device = {};
  options.on_carried = {};
  run_point(point, options);
  if (found) return *found;
  throw Error(ErrorKind::run, "--around is " + in_quotes(arguments.around) + ", but the row has no such event in its " +
                                  std::to_string(count) + " events");
}

}  // namespace

void check_waves(const WaveArguments& arguments, const Experiment& experiment) {
  arguments.check();
  if (!arguments.any()) return;
  for (const Point& point : experiment.points) {
    if (point.packets) refuse("--waves needs a switch, but network is \"packet\": nothing is switched");
    check_has_waveform(point.fabric.device, "--waves");
  }
  rtl::Waveform().begin(file_of(arguments, experiment, 0, 0), {});  // what can't be written is refused before a run
}

RowWaves::RowWaves(const WaveArguments& arguments, const Experiment& experiment, std::size_t row, RunOptions& options) {
  const Point& point = experiment.points[row];
  window_ = window_of(arguments, point, options);
  for (int plane = 0; plane < point.fabric.planes; ++plane) {
    OfPlane& one = *planes_.emplace_back(std::make_unique<OfPlane>());
    one.file = file_of(arguments, experiment, row, static_cast<std::size_t>(plane));
    one.waveform.begin(one.file, window_);
  }
  options.waveform = [this](std::size_t plane) { return &planes_.at(plane)->waveform; };
  options.on_event = [this, see = options.on_event, cycle = point.fabric.cycle](const Event& event) {
    if (see) see(event);
    const Picos at = to_picos(event.at, cycle);
    if (is_state(event.kind) && at >= window_.from && at <= window_.to)
      planes_.at(static_cast<std::size_t>(event.plane))->ports.insert(event.port);
  };
}

rtl::WaveWindow RowWaves::window_of(const WaveArguments& arguments, const Point& point,
                                    const RunOptions& options) const {
  if (!arguments.event()) return arguments.window();
  const Picos at = instant_of(arguments, point, options), margin = arguments.margin_or(point.fabric.delta());
  return {.from = std::max(Picos{0}, at - margin), .to = at + margin, .mark = at};
}

WavesOutcome RowWaves::finish() {
  WavesOutcome outcome;
  for (const std::unique_ptr<OfPlane>& one : planes_) try {
      one->waveform.show_ports({one->ports.begin(), one->ports.end()});
      outcome.text += text_of_waveform(one->file, one->waveform.end()) + "\n";
    } catch (const Error& failure) {
      outcome.text += std::string(failure.what()) + "\n";
      ++outcome.failed;
    }
  return outcome;
}

}  // namespace ocs
