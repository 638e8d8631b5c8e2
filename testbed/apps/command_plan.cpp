// lightloop plan: one synchronisation planned without a device, and plans made elsewhere checked.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/new_file.hpp"
#include "testbed/apps/plan_output.hpp"
#include "testbed/apps/policy_output.hpp"
#include "testbed/apps/run/experiment_arguments.hpp"
#include "testbed/apps/run/run_experiment.hpp"
#include "testbed/apps/run/terminal_style.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/shown_settings.hpp"

namespace ocs {
namespace {

struct PlanArguments {
  RunArguments run;    ///< experiment, and for --execute all else
  std::string check;   ///< a file of plans; empty: none
  std::string svg;     ///< where to draw; empty: nowhere
  bool gantt = false;  ///< draws on standard output
};

void write_json(const Experiment& experiment, const std::string& name) {
  NewFile file(name, "the plan");
  Json plans = Json::array();
  for (const Point& point : experiment.points) {
    if (point.sets_maps()) {
      plans.push_back(policies_json(point));
    } else if (planned_in_phases(point)) {
      plans.push_back(plan_json(point, plan_job(point)));
    } else {
      const Point paper = on_paper(point, 1);
      plans.push_back(paper_json(paper, run_on_paper(paper)));
    }
  }
  file.write(
      Json{{"schema_version", 1}, {"plans", std::move(plans)}}.dump(1, ' ', false, Json::error_handler_t::replace) +
      "\n");
}

/// Every rule of every phase: the sentence of the first one that is broken is an Error.
void check_plans(const Experiment& experiment) {
  for (const Point& point : experiment.points) {
    if (!planned_in_phases(point)) {
      const PaperRun run = run_on_paper(on_paper(point, 1));
      std::printf("%s: keeps all rules, an iteration of %zu reservations\n", point.planning.scheduler.c_str(),
                  run.reservations.size());
      continue;
    }
    const PlannedJob planned = plan_job(point);
    std::printf("%s: keeps all rules, push of %zu and pull of %zu reservations\n", point.planning.scheduler.c_str(),
                planned.push.plan.list.size(), planned.pull.plan.list.size());
  }
}

/// @throws Error (input): outputs of several planes would share lines.
void check_one_plane(const Point& point) {
  if (point.fabric.planes > 1)
    throw Error(ErrorKind::input, "fabric.planes is " + std::to_string(point.fabric.planes) +
                                      ", but must be 1 with --gantt or --svg: a line of a chart is an output of one "
                                      "switch");
}

/// @throws Error (input): a policy plans maps.
void check_has_reservations(const Point& point) {
  if (point.sets_maps())
    throw Error(ErrorKind::input, "collective.reconfigure is \"" + point.job.reconfigure +
                                      "\", but must be \"scheduler\" with --gantt or --svg, which draw reservations");
}

/// What the row has of each axis but the policy: "fabric.tuning 1 ms, seed 2"; empty: nothing else varies.
std::string axes_text(const Experiment& experiment, std::size_t row) {
  std::string text;
  for (const ShownSetting& setting : shown_settings(experiment, row))
    if (setting.axis) text += (text.empty() ? "" : ", ") + setting.key + " " + setting.value;
  return text;
}

std::vector<GanttChart> charts_of(const Experiment& experiment) {
  std::vector<GanttChart> charts;
  for (std::size_t row = 0; row < experiment.points.size(); ++row) {
    const Point& point = experiment.points[row];
    const std::string axes = axes_text(experiment, row), behind = axes.empty() ? "" : ", " + axes;
    check_has_reservations(point);
    if (!planned_in_phases(point)) {
      check_one_plane(point);
      charts.push_back(run_on_paper(on_paper(point, 1)).chart);
      charts.back().title += behind;
      continue;
    }
    const PlannedJob planned = plan_job(point);
    GanttChart& chart = charts.emplace_back(GanttChart{
        .title = point.policy + ", as " + scheduler_name(point, *planned.prepared.policy) + " plans it" + behind,
        .cycle = point.fabric.cycle});
    for (const PlannedPhase* phase : {&planned.push, &planned.pull})
      add_plan(chart, phase->plan, control_times(point), point.fabric.ports);
  }
  return charts;
}

void draw(const std::vector<GanttChart>& charts, const PlanArguments& arguments) {
  if (arguments.gantt)
    for (const GanttChart& chart : charts) std::printf("%s\n", gantt_text(chart, terminal_style()).c_str());
  if (!arguments.svg.empty()) NewFile(arguments.svg, "the plan").write(gantt_svg(charts));
}

void execute(const PlanArguments& arguments, const Environment& environment) {
  RunArguments run = arguments.run;
  std::vector<GanttChart> charts;
  if (arguments.gantt || !arguments.svg.empty()) run.charts = &charts;
  run_experiment(run, environment);
  draw(charts, arguments);
}

void print(const Experiment& experiment, std::size_t row) {
  const Point& point = experiment.points[row];
  if (const std::string axes = axes_text(experiment, row); !axes.empty())
    std::printf("row %zu: %s\n", row + 1, axes.c_str());
  if (point.sets_maps()) return print_policies(point);
  if (planned_in_phases(point)) return print_plan(point, plan_job(point));
  const Point paper = on_paper(point, 1);
  print_paper(paper, run_on_paper(paper));
}

void plan(const PlanArguments& arguments, const Environment& environment) {
  if (!arguments.run.plans.empty()) return execute(arguments, environment);
  const Experiment experiment = load(arguments.run.experiment, environment, arguments.run.outputs.database);
  warn_of_settings_without_effect(experiment);
  if (!arguments.check.empty()) return check_plans(with_plans(experiment, arguments.check));
  if (!arguments.run.outputs.json.empty()) return write_json(experiment, arguments.run.outputs.json);
  if (arguments.gantt || !arguments.svg.empty()) return draw(charts_of(experiment), arguments);
  for (std::size_t row = 0; row < experiment.points.size(); ++row) print(experiment, row);
}

/// Options of pictures, which a check of plans doesn't make.
void add_drawing(CLI::App& command, PlanArguments& arguments, CLI::Option* check) {
  command
      .add_flag(
          "--gantt", arguments.gantt,
          "draws each output as a line over time: tuning, locking, data; with --execute, what the device did, with "
          "losses")
      ->excludes(check);
  command.add_option("--svg", arguments.svg, "draws the same chart to a new SVG file; default: none")
      ->type_name("FILE")
      ->excludes(check);
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "plan",
      "Plans one synchronisation of each row without a device, and prints the placement, the blocks, the reservations "
      "of push and pull, and the lower bound. Of a job without phases, a collective, peers, or several planes it "
      "prints "
      "the reservations of one iteration; with collective.reconfigure what each policy plans. It also checks or runs "
      "plans that were made elsewhere (docs/plans.md).");
  const auto arguments = std::make_shared<PlanArguments>();
  RunArguments& run = arguments->run;
  run.experiment.add_to(*command);
  CLI::Option* json =
      command
          ->add_option(
              "--json", run.outputs.json,
              "writes demand and plan as JSON to a new file, or to standard output (-), instead of text; default: none")
          ->type_name("FILE|-");
  CLI::Option* check =
      command
          ->add_option(
              "--check", arguments->check,
              "checks the plans of this file, one for each row, against all rules, and names the first rule that is "
              "broken; plans nothing")
          ->type_name("PLAN.json")
          ->excludes(json);
  CLI::Option* execute =
      command
          ->add_option(
              "--execute", run.plans,
              "runs the experiment with the plans of this file, one for each row, after it has checked them; plans "
              "nothing; --json then writes the rows, as `lightloop run` does")
          ->type_name("PLAN.json")
          ->excludes(check);
  command
      ->add_option("--db", run.outputs.database,
                   "with --execute: appends the rows to this SQLite database; otherwise: database with the row that "
                   "charge_planning = \"row:ID\" names; default: none")
      ->type_name("FILE");
  command->add_flag("--events", run.events, "keeps the event log of each row in the database")->needs(execute);
  command->add_flag("--quiet", run.outputs.quiet, "prints no table and no progress")->needs(execute);
  add_drawing(*command, *arguments, check);
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { plan(*arguments, given); }; });
}

}  // namespace ocs
