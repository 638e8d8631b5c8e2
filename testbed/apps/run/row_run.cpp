// Sets up what is watched, and catches what fails.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/row_run.hpp"

#include <map>
#include <memory>
#include <new>
#include <utility>

#include "host/core/out_of_memory.hpp"
#include "testbed/apps/run/row_selection.hpp"
#include "testbed/engine/watch_pair.hpp"
#include "testbed/live/live_row.hpp"
#include "testbed/timeline/timeline.hpp"
#include "testbed/why/chain.hpp"

namespace ocs {

namespace {

/// DIR/row-3.json, by the row's number in the experiment.
std::string trace_file(const RunArguments& arguments, std::size_t row) {
  return arguments.trace + "/row-" + std::to_string(row + 1) + (arguments.trace_gzip ? ".json.gz" : ".json");
}

}  // namespace

/// What looks on at a row: its timeline, the chain of waits, the page.
class RowRunner::Watches {
 public:
  Watches(const RowRunner& runner, std::size_t row, RunOptions& options) {
    const RunArguments& arguments = runner.arguments_;
    if (!arguments.trace.empty()) {
      add(options, timeline_.emplace(trace_file(arguments, row), arguments.trace_gzip));
      add(options, starts_);
    }
    if (arguments.trace_why) add(options, history_.emplace());
    if (runner.page_ == nullptr) return;
    LiveRow& live = live_.emplace(*runner.page_, *options.progress, row + 1, name_of_row(runner.experiment_, row));
    options.progress = &live;
    add(options, live);
  }
  Watches(const Watches&) = delete;
  Watches& operator=(const Watches&) = delete;

  /// Sees what the firmware of a plane prints; empty: nobody wants to, or there is none.
  Mailbox::ConsoleLine firmware(Device& device, std::size_t plane) {
    if (!timeline_ || device.mailbox() == nullptr) return {};
    devices_[plane] = &device;
    return [this, plane](Cycles at, std::string_view line) { timeline_->firmware(plane, at, line); };
  }
  void finish(const Row& row) {
    if (history_)
      for (const Link& link : chain_of(*history_, longest_span(*history_)))
        timeline_->waited(cause_names.at(static_cast<std::size_t>(link.cause)), link.from, link.to, link.what,
                          link.behind);
    if (timeline_) timeline_->finish(row);
  }

 private:
  /// Is asked for watchers of a plane when its switch has been set up: the run's cycles begin then.
  class Starts final : public RunWatch {
   public:
    explicit Starts(Watches& watches) : watches_(watches) {}
    OutputWatcher* outputs(std::size_t plane) override {
      if (const auto device = watches_.devices_.find(plane); device != watches_.devices_.end())
        watches_.timeline_->starts(plane, device->second->clock().now());
      return nullptr;
    }

   private:
    Watches& watches_;
  };

  void add(RunOptions& options, RunWatch& watch) {
    if (options.watch != nullptr)
      options.watch = pairs_.emplace_back(std::make_unique<WatchPair>(*options.watch, watch)).get();
    else
      options.watch = &watch;
  }

  std::map<std::size_t, Device*> devices_;  ///< with firmware, by plane
  Starts starts_{*this};
  std::optional<Timeline> timeline_;
  std::optional<History> history_;
  std::optional<LiveRow> live_;
  std::vector<std::unique_ptr<WatchPair>> pairs_;
};

RowRunner::RowRunner(const RunArguments& arguments, const Experiment& experiment, std::string version,
                     FirmwareWatch* firmware, LivePage* page)
    : arguments_(arguments), experiment_(experiment), version_(std::move(version)), firmware_(firmware), page_(page) {}

RowOutcome RowRunner::run(std::size_t row, Progress& progress, const std::function<void()>& pause,
                          NodeRunners& runners) const {
  RowOutcome outcome;
  RunOptions options{
      .version = version_, .progress = &progress, .pause = pause, .on_event = {}, .runner = runners.by_point()};
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
  if (arguments_.firmware.any() && firmware_ != nullptr && point.packets)
    throw Error(ErrorKind::input,
                "--firmware-log and --firmware-trace need a switch, but network is \"packet\": nothing is switched");
  Watches watches(*this, row, options);
  const bool several = point.fabric.planes > 1;
  options.on_device = [this, several, &watches](Device& device, std::size_t plane) {
    const Mailbox::ConsoleLine see = watches.firmware(device, plane);
    if (firmware_ != nullptr)
      firmware_->attach(device, several ? std::optional(plane) : std::nullopt, see);
    else if (see)
      device.mailbox()->on_console(see);
  };
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
  if (arguments_.waves.any())
    outcome.row = run_with_waves(row, options, outcome.waves);
  else
    outcome.row = run_point(point, options);
  watches.finish(outcome.row);
  if (firmware_ != nullptr) firmware_->finish();
  if (chart) outcome.chart = std::move(*chart).finish();
}

}  // namespace ocs
