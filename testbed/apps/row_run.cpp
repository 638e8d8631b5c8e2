// Sets up what is watched, and catches what fails.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/row_run.hpp"

#include <new>
#include <utility>

#include "host/core/out_of_memory.hpp"
#include "testbed/timeline/timeline.hpp"

namespace ocs {

namespace {

/// DIR/row-3.json, by the row's number in the experiment.
std::string trace_file(const RunArguments& arguments, std::size_t row) {
  return arguments.trace + "/row-" + std::to_string(row + 1) + (arguments.trace_gzip ? ".json.gz" : ".json");
}

}  // namespace

RowRunner::RowRunner(const RunArguments& arguments, const Experiment& experiment, std::string version,
                     FirmwareWatch* firmware)
    : arguments_(arguments), experiment_(experiment), version_(std::move(version)), firmware_(firmware) {}

RowOutcome RowRunner::run(std::size_t row, Progress& progress, const std::function<void()>& pause, Crews& crews) const {
  RowOutcome outcome;
  RunOptions options{
      .version = version_, .progress = &progress, .pause = pause, .on_event = {}, .crew = crews.by_point()};
  try {
    run(row, options, outcome);
  } catch (const Error& failure) {
    outcome.failure = failure;
  } catch (const std::bad_alloc&) {
    outcome.failure.emplace(ErrorKind::run, out_of_memory);
  }
  return outcome;
}

Row RowRunner::run_with_waves(std::size_t row, RunOptions& options, WavesOutcome& outcome) const {
  RowWaves waves(arguments_.waves, experiment_, row, options);
  try {
    Row done = run_point(experiment_.points[row], options);
    outcome = waves.finish();
    return done;
  } catch (const Error&) {
    outcome = waves.finish();  // the signals up to the failure are what is looked for
    throw;
  }
}

void RowRunner::run(std::size_t row, RunOptions& options, RowOutcome& outcome) const {
  const Point& point = experiment_.points[row];
  if (arguments_.firmware.any() && firmware_ != nullptr) {
    if (point.packets)
      throw Error(ErrorKind::input,
                  "--firmware-log and --firmware-trace need a switch, but network is \"packet\": nothing is switched");
    const bool several = point.fabric.planes > 1;
    options.on_device = [this, several](Device& device, std::size_t plane) {
      firmware_->attach(device, several ? std::optional(plane) : std::nullopt);
    };
  }
  if (arguments_.profile) {
    options.profile = &outcome.profile.emplace();
    outcome.profile->start();
  }
  std::optional<ExecutedChart> chart;
  if (arguments_.charts != nullptr) {
    chart.emplace(point.policy + ", as " + point.fabric.device + " did it", point.fabric.cycle);
    options.on_carried = [&chart](const Carried& carried) { chart->on(carried); };
  }
  if (arguments_.events || chart)
    options.on_event = [&](const Event& event) {
      if (arguments_.events) outcome.log.push_back(event);
      if (chart) chart->on(event);
    };
  std::optional<Timeline> timeline;
  if (!arguments_.trace.empty()) options.watch = &timeline.emplace(trace_file(arguments_, row), arguments_.trace_gzip);
  if (arguments_.waves.any())
    outcome.row = run_with_waves(row, options, outcome.waves);
  else
    outcome.row = run_point(point, options);
  if (timeline) timeline->finish(outcome.row);
  if (firmware_ != nullptr) firmware_->finish();
  if (chart) outcome.chart = std::move(*chart).finish();
}

}  // namespace ocs
