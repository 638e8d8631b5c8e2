// The module lightloop.native.engine: experiments, runs, switches. What users see is python/lightloop.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "host/device/catalogue.hpp"
#include "host/scheduler/catalogue.hpp"
#include "python/src/errors.hpp"
#include "python/src/event_kinds.hpp"
#include "python/src/experiment.hpp"
#include "python/src/function_collective.hpp"
#include "python/src/function_placer.hpp"
#include "python/src/function_scheme.hpp"
#include "python/src/function_selection.hpp"
#include "python/src/hand_network.hpp"
#include "python/src/hand_switch.hpp"
#include "python/src/problem.hpp"
#include "python/src/row_threads.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/rows/failed_row.hpp"
#include "testbed/run/run.hpp"
#include "testbed/selection/catalogue.hpp"
#include "testbed/session/names.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs::python {
namespace {

nb::object to_object(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return nb::int_(*whole);
  if (const auto* real = std::get_if<double>(&value)) return nb::float_(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return nb::str(text->c_str(), text->size());
  return nb::none();
}

/// Column by column: lists, for the package makes arrays of them.
nb::dict log_columns(const std::vector<Event>& log) {
  nb::list at, plane, kind, port, burst, first, count;
  for (const Event& event : log) {
    at.append(event.at.n);
    plane.append(index(event.plane));
    kind.append(event_kinds[static_cast<std::size_t>(event.kind)]);
    port.append(event.port);
    burst.append(index(event.burst));
    first.append(event.words.first.n);
    count.append(event.words.count.n);
  }
  nb::dict columns;
  columns["at"] = at;
  columns["plane"] = plane;
  columns["kind"] = kind;
  columns["port"] = port;
  columns["burst"] = burst;
  columns["first"] = first;
  columns["count"] = count;
  return columns;
}

nb::dict fields_of(const LoadedExperiment& loaded, const RowEnd& end, bool events) {
  nb::dict fields, one;
  for (const auto& [name, value] : to_fields(end.result)) fields[name.c_str()] = to_object(value);
  one["row"] = end.row;
  one["fields"] = fields;
  one["experiment"] = to_json(loaded.record_of_row(end.row));
  if (end.result.learning) {
    nb::list curve;
    for (const CurveEntry& point : end.result.learning->curve)
      curve.append(nb::make_tuple(point.updates, point.at.n, point.loss, point.accuracy));
    one["curve"] = curve;
  }
  if (events) one["events"] = log_columns(end.log);
  return one;
}

nb::dict failure_fields(const LoadedExperiment& loaded, const RowEnd& end) {
  nb::dict one;
  one["row"] = end.row;
  nb::dict fields;
  Row failed = requested_row(loaded.experiment.points[end.row]);
  failed.version = loaded.environment.version;
  failed.error = end.failure->sentence.substr(name_in_errors(loaded.experiment, end.row).size());
  for (const auto& [name, value] : failed_fields(failed)) fields[name.c_str()] = to_object(value);
  one["fields"] = fields;
  one["kind"] = name_of(end.failure->kind);
  one["sentence"] = end.failure->sentence;
  one["rule"] = end.failure->rule
                    ? nb::object(nb::str(name_of(*end.failure->rule).data(), name_of(*end.failure->rule).size()))
                    : nb::none();
  one["raised"] = end.failure->raised.valid() ? nb::borrow(end.failure->raised.get()) : nb::none();
  one["experiment"] = to_json(loaded.record_of_row(end.row));
  return one;
}

/// What ended, as the package takes it. Interrupted rows are none.
nb::list to_list(const LoadedExperiment& loaded, const std::vector<RowEnd>& ends, bool events) {
  nb::list list;
  for (const RowEnd& end : ends)
    if (end.failure)
      list.append(failure_fields(loaded, end));
    else if (!end.interrupted)
      list.append(fields_of(loaded, end, events));
  return list;
}

/// One call of run().
struct RunHandle {
  std::shared_ptr<const LoadedExperiment> loaded;
  bool events;
  std::unique_ptr<RowThreads> threads;

  RunHandle(std::shared_ptr<const LoadedExperiment> experiment, std::vector<std::size_t> rows, std::size_t jobs,
            bool with_events, bool keep_going)
      : loaded(std::move(experiment)),
        events(with_events),
        threads(std::make_unique<RowThreads>(loaded, std::move(rows), jobs, events, keep_going)) {}
  ~RunHandle() {
    const nb::gil_scoped_release release;
    threads.reset();
  }
  RunHandle(const RunHandle&) = delete;
  RunHandle& operator=(const RunHandle&) = delete;

  nb::list wait(int milliseconds) {
    std::vector<RowEnd> ends;
    {
      const nb::gil_scoped_release release;
      ends = threads->wait(std::chrono::milliseconds(milliseconds));
    }
    return to_list(*loaded, ends, events);
  }
  nb::list rest() { return to_list(*loaded, threads->rest(), events); }
  /// Row, share, time in ps, who is waited for.
  std::optional<std::tuple<std::size_t, double, std::int64_t, std::string>> first() const {
    const auto progress = threads->first();
    if (!progress) return std::nullopt;
    return std::tuple(progress->row, progress->fraction, progress->now.n, progress->waiting_for);
  }
};

template <class E>
nb::list names_and_summaries(std::span<const E> catalogue) {
  nb::list list;
  for (const E& entry : catalogue) list.append(nb::make_tuple(std::string(entry.name), std::string(entry.summary)));
  return list;
}

/// Errors of ours as exceptions of the package.
void raise(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    set_error(error);
  }
}

void add_experiments(nb::module_& m) {
  nb::class_<FunctionTraits>(m, "FunctionTraits")
      .def(nb::init<>())
      .def_rw("while_sending", &FunctionTraits::while_sending)
      .def_rw("compute", &FunctionTraits::compute)
      .def_rw("whole_rounds", &FunctionTraits::whole_rounds)
      .def_rw("mean_of_members", &FunctionTraits::mean_of_members)
      .def_rw("reads", &FunctionTraits::reads)
      .def_rw("collective", &FunctionTraits::collective);
  nb::class_<PolicyFunction>(m, "PolicyFunction")
      .def(nb::init<std::string, nb::object, std::string, std::string, FunctionTraits>());
  nb::class_<LoadedExperiment>(m, "Experiment")
      .def("rows", [](const LoadedExperiment& loaded) { return loaded.experiment.points.size(); })
      .def("policy",
           [](const LoadedExperiment& loaded, std::size_t row) { return loaded.experiment.points.at(row).policy; })
      .def("record", [](const LoadedExperiment& loaded) { return to_json(loaded.record); })
      .def("row_record",
           [](const LoadedExperiment& loaded, std::size_t row) { return to_json(loaded.record_of_row(row)); })
      .def("warnings", [](const LoadedExperiment& loaded) { return without_effect(loaded.experiment); });
  m.def(
      "load",
      [](const std::string& file, const std::string& text, const std::vector<std::pair<std::string, std::string>>& keys,
         const std::vector<std::shared_ptr<PolicyFunction>>& functions, const std::string& database, bool any_rows) {
        Said said{
            .file = file, .text = text, .keys = keys, .functions = {}, .database = database, .any_rows = any_rows};
        said.functions.assign(functions.begin(), functions.end());
        return std::const_pointer_cast<LoadedExperiment>(load_watched(std::move(said)));
      },
      nb::arg("file"), nb::arg("text"), nb::arg("keys"), nb::arg("functions"), nb::arg("database"),
      nb::arg("any_rows"));
}

void add_runs(nb::module_& m) {
  nb::class_<RunHandle>(m, "Run")
      .def("__init__",
           [](RunHandle* self, std::shared_ptr<LoadedExperiment> loaded, std::vector<std::size_t> rows,
              std::size_t jobs, bool events,
              bool keep_going) { new (self) RunHandle(std::move(loaded), std::move(rows), jobs, events, keep_going); })
      .def("wait", &RunHandle::wait)
      .def("done", [](const RunHandle& run) { return run.threads->done(); })
      .def("running", [](const RunHandle& run) { return run.threads->running(); })
      .def("first", &RunHandle::first)
      .def("interrupt", [](RunHandle& run) { run.threads->interrupt(); })
      .def("rest", &RunHandle::rest)
      .def("watch", [](RunHandle& run, nb::handle timeout, nb::handle interrupted) {
        run.threads->watch_calls(timeout.ptr(), interrupted.ptr());
      });
}

void add_names(nb::module_& m) {
  m.def("catalogue", [](const std::string& what) -> nb::list {
    if (what == "schedulers") return names_and_summaries(schedulers());
    if (what == "placers") return names_and_summaries(placers());
    if (what == "policies") return names_and_summaries(policies());
    if (what == "devices") return names_and_summaries(devices());
    if (what == "selections") return names_and_summaries(receiver_selections());
    if (what == "sync") return names_and_summaries(sync_schemes());
    refuse("unknown catalogue \"" + what + "\"; known: devices, placers, policies, schedulers, selections, sync");
  });
  m.def("keys", [] {
    nb::list list;
    for (const Key& key : experiment_keys())
      list.append(nb::make_tuple(std::string(key.name), std::string(key.fallback), std::string(key.summary)));
    return list;
  });
  m.def("columns", [] {
    nb::list list;
    for (const Column& column : row_columns()) {
      std::string meaning(column.meaning);
      if (!column.unit.empty()) meaning.append(" [").append(column.unit).append("]");
      list.append(nb::make_tuple(std::string(column.name), meaning));
    }
    return list;
  });
  m.def("picoseconds", [](const std::string& text) { return parse_quantity(text, Dimension::time); });
  m.def("bits_per_second", [](const std::string& text) { return parse_quantity(text, Dimension::rate); });
  m.def("bytes", [](const std::string& text) { return parse_quantity(text, Dimension::size); });
  m.def("version", [] { return environment().version; });
  m.def("data_folder", [] { return environment().data.string(); });
  m.def("program", program);
}

}  // namespace
}  // namespace ocs::python

NB_MODULE(engine, m) {
  using namespace ocs::python;
  nb::set_leak_warnings(false);  // a scheduler that never returns keeps what it was given
  m.doc() = "The C++ engine of lightloop. Use the package lightloop.";
  nb::register_exception_translator(raise, nullptr);
  add_problem(m);
  add_placement_job(m);
  add_selection_problem(m);
  add_gate(m);
  add_collectives(m);
  add_experiments(m);
  add_runs(m);
  add_names(m);
  add_switch(m);
  add_network(m);
}
