// Decisions go into the ledger of all schemes one by one, so that a wrong one is refused where it is made.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/function_scheme.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/core/error.hpp"
#include "python/src/numbers.hpp"
#include "testbed/sync/ledger.hpp"

namespace ocs::python {
namespace {

using Json = nlohmann::ordered_json;

/// Every key below [sync], with its value.
Json json_of(const SyncSettings& s) {
  return {{"s", s.s},
          {"s_lo", s.s_lo},
          {"s_up", s.s_up},
          {"r", static_cast<double>(s.r_num) / s.r_den},
          {"strict", s.strict},
          {"batch", s.batch},
          {"batch_min", s.batch_min},
          {"batch_max", s.batch_max},
          {"batch_every", s.batch_every},
          {"ema_shift", s.ema_shift},
          {"p", s.p},
          {"k", s.k ? Json(*s.k) : Json("any")},
          {"quota", s.most_quota},
          {"objective", std::string(name_of(s.objective))},
          {"trend", s.trend},
          {"ahead", s.ahead}};
}

std::string text_of(const std::vector<std::string>& reads, const SyncSettings& settings) {
  const Json all = json_of(settings);
  std::string text;
  for (const std::string& name : reads) {
    const Json& value = all.at(name);
    text += (text.empty() ? "" : " ") + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

nb::dict dict_of(const SyncSettings& settings) {
  const Json all = json_of(settings);
  nb::dict values;
  for (const auto& [name, value] : all.items()) {
    const nb::str key(name.c_str());
    if (value.is_boolean())
      values[key] = value.get<bool>();
    else if (value.is_string())
      values[key] = value.get<std::string>().c_str();
    else if (value.is_number_float())
      values[key] = value.get<double>();
    else
      values[key] = value.get<std::int64_t>();
  }
  return values;
}

/// What the function decides at one event. Python may keep it: between two events it refuses everything.
class OpenGate {
 public:
  OpenGate(Ledger ledger, bool local_steps) : ledger_(std::move(ledger)), local_steps_(local_steps) {}

  void take(GateEvent event) {
    if (local_steps_) event.seen = 0;  // the ledger's is a version; here it counts steps
    ledger_.take(event);
  }
  const Ledger& seen() const { return ledger_; }
  void open(const std::string& function) {
    function_ = function;
    open_ = true;
    actions_ = {};
    broken_.reset();
  }
  GateActions close() {
    open_ = false;
    return std::move(actions_);
  }
  /// The first rule that was broken, whatever the function made of the exception.
  const std::optional<BrokenRule>& broken() const { return broken_; }

  std::uint16_t worker(nb::handle number) const {
    return static_cast<std::uint16_t>(whole(number, "a worker", 0, seen().workers() - 1));
  }
  void grant(nb::handle number, std::int64_t quota, std::int64_t ahead, std::int64_t batch) {
    const std::uint16_t w = worker(number);
    const auto checked = [](const char* name, std::int64_t value, std::int64_t least) {
      if (value < least || value > 0xffff)
        refuse(std::string(name) + " is " + std::to_string(value) + ", but must be from " + std::to_string(least) +
               " to 65535");
      return static_cast<std::uint32_t>(value);
    };
    if (!local_steps_ && (quota != 1 || ahead != 0))
      refuse("quota and ahead count local steps, which only a scheme with compute=\"local_steps\" has");
    const std::uint32_t steps = checked("quota", quota, 1), past = checked("ahead", ahead, 0);
    const std::uint32_t samples = checked("batch", batch, 0);
    decide(PlanRule::grant, [&] { ledger_.grant(actions_, w, steps, past, samples); });
  }
  void apply(nb::handle workers, std::optional<std::int64_t> stale_bound) {
    std::vector<std::uint16_t> members;
    for_each_item(workers, "members", "a list of workers",
                  [&](nb::handle item, const Place&) { members.push_back(worker(item)); });
    if (members.empty()) refuse("members are none, but an update must have one or more");
    const std::uint64_t bound =
        stale_bound ? static_cast<std::uint64_t>(std::max<std::int64_t>(*stale_bound, 0)) : Ledger::no_bound;
    decide(PlanRule::push, [&] { ledger_.apply(actions_, members, bound); });
  }
  void drop(nb::handle number) {
    decide(PlanRule::push, [&, w = worker(number)] { ledger_.drop(actions_, w); });
  }
  void wake_at(std::int64_t at) {
    check_open();
    if (at < ledger_.now().n)
      refuse("the gate is to wake at " + std::to_string(at) + " ps, but it is " + std::to_string(ledger_.now().n));
    actions_.timer = Ticks{at};
  }

 private:
  void check_open() const {
    if (!open_) refuse("a gate decides only while its event is handled, but this one was kept");
  }

  template <class Act>
  void decide(PlanRule rule, const Act& act) {
    check_open();
    try {
      act();
    } catch (const Error& wrong) {
      if (!broken_) broken_.emplace(ErrorKind::run, rule, wrong.what());
      throw BrokenRule(*broken_);
    }
  }

  Ledger ledger_;
  bool local_steps_;
  GateActions actions_;
  bool open_ = false;
  std::string function_;
  std::optional<BrokenRule> broken_;
};

ComputeStart compute_of(const PolicyFunction& function) {
  const std::string& word = function.traits().compute;
  return word == "local_steps" ? ComputeStart::local_steps
         : word == "last_pull" ? ComputeStart::after_last_pull
                               : ComputeStart::after_own_pull;
}

class FunctionScheme final : public SyncScheme {
 public:
  FunctionScheme(std::shared_ptr<const PolicyFunction> function, std::uint16_t workers, const SyncSettings& settings)
      : function_(std::move(function)),
        gate_(std::make_shared<OpenGate>(Ledger("the gate", workers),
                                         compute_of(*function_) == ComputeStart::local_steps)) {
    ask_function(*function_, function_->name(), [&] {
      const nb::dict values = dict_of(settings);
      nb::object made = called(function_->function(), workers, values);
      if (PyCallable_Check(made.ptr()) == 0)
        refuse(function_->name() + " is a " + type_word(made) + ", but must be called with an event and a gate");
      scheme_ = SharedObject(std::move(made));
    });
  }

  GateActions on(const GateEvent& event) override {
    gate_->take(event);
    const std::string where = function_->name() + ", event " + std::to_string(++events_);
    gate_->open(function_->name());
    try {
      ask_function(*function_, where, [&] {
        const nb::object answer = called(scheme_.get(), event, gate_);
        if (!answer.is_none())
          refuse(where + " returned a " + type_word(answer) +
                 ", but must return nothing: decisions are told to the gate");
      });
    } catch (const Error&) {
      gate_->close();
      if (gate_->broken()) throw named(where, *gate_->broken());
      throw;
    }
    GateActions actions = gate_->close();
    if (gate_->broken()) throw named(where, *gate_->broken());
    return actions;
  }

 private:
  std::shared_ptr<const PolicyFunction> function_;
  std::shared_ptr<OpenGate> gate_;
  SharedObject scheme_;
  std::int64_t events_ = 0;  ///< for messages
};

/// An entry, and what it points to.
struct OwnScheme {
  std::vector<std::string> names;
  std::vector<std::string_view> reads;
  SyncEntry entry;
};

const char* kind_text(const GateEvent& event) {
  constexpr std::array names = {"asked", "pushed", "computed", "timer", "left", "finished"};
  return names.at(static_cast<std::size_t>(event.kind));
}

template <class Field>
auto ticks_of(Field GateEvent::*field) {
  return [field](const GateEvent& event) { return (event.*field).n; };
}

void add_event(nb::module_& module) {
  nb::class_<GateEvent>(module, "GateEvent", "What happened to a worker; times are picoseconds.")
      .def_prop_ro(
          "kind", kind_text,
          "\"asked\": it wants to begin an iteration; \"pushed\": its push is at every server; \"computed\": it "
          "has ended a local step; \"finished\", \"left\": it takes no further part; \"timer\": Gate.wake_at() "
          "has come.")
      .def_prop_ro("at", ticks_of(&GateEvent::at), "Now.")
      .def_prop_ro(
          "worker", [](const GateEvent& event) { return event.worker; }, "Number of the worker; 0 of a timer.")
      .def_prop_ro(
          "iteration", [](const GateEvent& event) { return event.iteration; },
          "Iteration that it asks for or pushed; computed: number of the step.")
      .def_prop_ro(
          "seen", [](const GateEvent& event) { return event.seen; },
          "pushed: updates in the model that the push was made from; with local steps: steps in its pushes.")
      .def_prop_ro("compute", ticks_of(&GateEvent::compute),
                   "pushed, computed: how long it computed, or its last step.")
      .def_prop_ro("blocked", ticks_of(&GateEvent::blocked), "How long it waited at the gate before this iteration.")
      .def_prop_ro("net", ticks_of(&GateEvent::net), "How long its last pull took.");
}

/// A question about one worker.
template <class Answer>
auto about(Answer (Ledger::*question)(std::uint16_t) const) {
  return [question](const OpenGate& gate, nb::handle worker) { return (gate.seen().*question)(gate.worker(worker)); };
}
auto time_of(Ticks (Ledger::*question)(std::uint16_t) const) {
  return [question](const OpenGate& gate, nb::handle worker) { return (gate.seen().*question)(gate.worker(worker)).n; };
}

void add_decisions(nb::class_<OpenGate>& gate) {
  gate.def(
          "grant", &OpenGate::grant, nb::arg("worker"), nb::arg("quota") = 1, nb::arg("ahead") = 0,
          nb::arg("batch") = 0,
          "Lets a worker that asks begin its iteration: it pulls, then computes and pushes. With local steps it pushes "
          "when it has ended quota steps (1 or more) since its last push, and takes up to ahead steps more before the "
          "model is there. batch: samples of a step; 0: the experiment's. Raises BrokenRule (grant).")
      .def("apply", &OpenGate::apply, nb::arg("workers"), nb::arg("stale_bound").none() = nb::none(),
           "Applies the pushes of these workers as one update of the model. stale_bound: updates by which a push may "
           "be stale; None: any number. Raises BrokenRule (push).")
      .def("drop", &OpenGate::drop, nb::arg("worker"), "Drops the push of a worker. Raises BrokenRule (push).")
      .def("wake_at", &OpenGate::wake_at, nb::arg("at"), "An event \"timer\" comes then, in picoseconds.");
}

}  // namespace

std::shared_ptr<const SyncEntry> scheme_entry(std::shared_ptr<const PolicyFunction> function) {
  auto own = std::make_shared<OwnScheme>();
  const FunctionTraits& traits = function->traits();
  const Json known = json_of({});
  for (const std::string& name : traits.reads)
    if (!known.contains(name)) refuse(function->name() + " reads sync." + name + ", but there is no such key");
  own->names = traits.reads;
  own->reads.assign(own->names.begin(), own->names.end());
  own->entry.name = function->name();
  own->entry.summary = "of Python";
  own->entry.compute = compute_of(*function);
  own->entry.reads = own->reads;
  own->entry.text = [reads = own->names](const SyncSettings& settings) { return text_of(reads, settings); };
  own->entry.whole_rounds = traits.whole_rounds;
  own->entry.mean_of_members = traits.mean_of_members;
  own->entry.make = [function = std::move(function)](std::uint16_t workers, const SyncSettings& settings) {
    return std::make_unique<FunctionScheme>(function, workers, settings);
  };
  return {own, &own->entry};
}

void add_gate(nb::module_& module) {
  add_event(module);
  nb::class_<OpenGate> gate(module, "Gate",
                            "Where workers wait for a scheme's decisions. Workers are numbered from 0; times are "
                            "picoseconds. It decides only while an event is handled. Raises InputError.");
  gate.def_prop_ro(
          "workers", [](const OpenGate& g) { return g.seen().workers(); }, "How many workers the job has.")
      .def_prop_ro("now", [](const OpenGate& g) { return g.seen().now().n; })
      .def("active", about(&Ledger::active), nb::arg("worker"), "Whether it has neither finished nor left.")
      .def("asking", about(&Ledger::asking), nb::arg("worker"), "Whether it waits to begin an iteration.")
      .def("running", about(&Ledger::running), nb::arg("worker"),
           "Whether it was granted an iteration and hasn't pushed.")
      .def("pushed", about(&Ledger::pushed), nb::arg("worker"),
           "Whether its push is in, and neither applied nor dropped.")
      .def("clock", about(&Ledger::clock), nb::arg("worker"), "How many of its pushes were applied.")
      .def(
          "least_clock", [](const OpenGate& g) { return g.seen().least_clock(); },
          "The least clock of the active workers; 0 without one.")
      .def("asked_at", time_of(&Ledger::asked_at), nb::arg("worker"), "When it asked.")
      .def("interval", time_of(&Ledger::interval), nb::arg("worker"),
           "Time from its last grant to the arrival of its last push.");
  add_decisions(gate);
}

}  // namespace ocs::python
