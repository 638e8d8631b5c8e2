// Commits, bursts, time and registers of one switch, by the driver that every run uses.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/hand_switch.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"
#include "python/src/event_kinds.hpp"
#include "python/src/experiment.hpp"
#include "testbed/console/register_values.hpp"
#include "testbed/run/circuits.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::python {
namespace {

constexpr Cycles slice{std::int64_t{1} << 22};  ///< Ctrl-C is looked for between two

void throw_if_refused(const std::optional<Refusal>& refusal, const char* what) {
  if (refusal) throw Error(ErrorKind::input, std::string(what) + " is refused: " + refusal->why);
}

class HandSwitch {
 public:
  using Keys = std::vector<std::pair<std::string, std::string>>;

  HandSwitch(const Keys& keys, bool multicast) {
    const Point point = point_of_fabric(keys);
    if (point.fabric.planes != 1) refuse("fabric.planes is " + std::to_string(point.fabric.planes) + ", but must be 1");
    spec_ = fabric_spec(point);
    spec_.plane.multicast = multicast;
    make(nullptr);
  }
  HandSwitch(const HandSwitch&) = delete;
  HandSwitch& operator=(const HandSwitch&) = delete;
  ~HandSwitch() {
    try {
      end_waves();
    } catch (const Error& failure) {
      std::cerr << std::string("lightloop: ") + failure.what() + "\n";
    }
  }

  /// Records from now on, or from `from`, to `to` (picoseconds). Only a switch that nothing was asked of can be
  /// exchanged for one that can be recorded.
  void waves(const std::string& file, std::optional<std::int64_t> from, std::optional<std::int64_t> to) {
    check_has_waveform(spec_.device, "waves()");
    if (!waveform_ && touched_)
      refuse(
          "waves() must be called before anything else is asked of the switch: one that was made without them "
          "can't be recorded");
    rtl::WaveWindow window;
    window.from = from ? Picos{*from} : to_picos(switch_->clock().now(), switch_->clock().cycle());
    if (to) window.to = Picos{*to};
    if (waveform_ && waveform_->is_recording()) waveform_->end();
    auto recorder = waveform_ ? nullptr : std::make_unique<rtl::Waveform>();
    (recorder ? *recorder : *waveform_).begin(file, window);
    if (!recorder) return;
    const nb::gil_scoped_release release;  // it may have to be compiled
    switch_.reset();
    device_.reset();
    waveform_ = std::move(recorder);
    try {
      make(waveform_.get());
    } catch (const Error&) {
      device_.reset();
      waveform_.reset();
      make(nullptr);  // as it was
      throw;
    }
  }

  /// Ends the file; without one, nothing happens.
  void end_waves() {
    if (waveform_ && waveform_->is_recording()) waveform_->end();
  }

  std::int64_t now() { return switch_->clock().now().n; }
  std::int64_t cycle_ps() { return switch_->clock().cycle().n; }
  int ports() const { return ports_; }
  int word_bytes() { return switch_->constants().word_bytes; }

  void commit(const std::vector<std::pair<int, std::optional<int>>>& change, std::optional<std::int64_t> at) {
    Commit commit{.at = cycle(at), .change = {}};
    for (const auto& [out, in] : change) {
      Select select{.out = Output{port(out, "an output")}, .in = {}};
      if (in) select.in = Input{port(*in, "an input")};
      commit.change.push_back(select);
    }
    touched_ = true;
    throw_if_refused(switch_->commit(commit), "the map");
  }

  std::uint32_t send(int in, std::int64_t words, bool gated, std::optional<std::int64_t> at, std::int64_t word) {
    if (words < 0 || words > 0xffffffff)
      refuse("words is " + std::to_string(words) + ", but must be from 0 to 2^32 - 1");
    const Burst burst{.id = Id{bursts_ + 1},
                      .in = Input{port(in, "an input")},
                      .length = {words},
                      .not_before = cycle(at),
                      .gated = gated,
                      .word = {word}};
    touched_ = true;
    throw_if_refused(switch_->start(burst), "the burst");
    return ++bursts_;
  }

  void stop(std::uint32_t burst) { throw_if_refused(switch_->stop(Id{burst}), "the stop"); }
  void set_dead(int number, bool dead) {
    touched_ = true;
    throw_if_refused(switch_->set_dead(port(number, "a port"), dead), "the fault");
  }

  /// @return whether it got there; else `check` has to be asked whether to go on.
  void advance(std::int64_t cycles) {
    if (cycles < 0) refuse("time is to advance by " + std::to_string(cycles) + " cycles, but must be 0 or more");
    touched_ = true;
    FabricClock& clock = switch_->clock();
    const Cycles end = clock.now() + Cycles{cycles};
    while (clock.now() < end) {
      {
        const nb::gil_scoped_release release;
        const Cycles until = std::min(end, clock.now() + slice);
        while (clock.now() < until) {
          clock.run_until(until);
          switch_->take_events(events_);
        }
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    switch_->take_events(events_);
  }

  nb::list events() {
    switch_->take_events(events_);
    nb::list list;
    for (const Event& event : events_)
      list.append(nb::make_tuple(event.at.n, event_kinds[static_cast<std::size_t>(event.kind)], event.port,
                                 index(event.burst), event.words.first.n, event.words.count.n));
    events_.clear();
    return list;
  }

  nb::dict counters(int number) {
    const Counters counted = switch_->counters(port(number, "a port"));
    nb::dict fields;
    fields["passed"] = counted.passed.n;
    fields["lost"] = counted.lost.n;
    fields["unrouted"] = counted.unrouted.n;
    fields["dark"] = counted.dark.n;
    fields["reconfigurations"] = counted.reconfigurations;
    return fields;
  }

  std::vector<std::uint64_t> read(const std::string& name) {
    const console::RegisterName wanted = console::parse_register_name(name, ports_);
    console::check_readable(*wanted.reg);
    std::vector<std::uint64_t> values;
    values.reserve(wanted.entries.size());
    for (const std::uint32_t entry : wanted.entries)
      values.push_back(console::read_value(bus(), *wanted.reg, wanted.field, entry));
    return values;
  }

  void write(const std::string& name, std::uint64_t value) {
    const console::RegisterName wanted = console::parse_register_name(name, ports_);
    touched_ = true;
    for (const std::uint32_t entry : wanted.entries)
      console::write_value(bus(), *wanted.reg, wanted.field, entry, value);
  }

  static std::vector<std::string> registers() {
    std::vector<std::string> names;
    for (const console::RegisterInfo& one : console::register_map()) names.emplace_back(one.name);
    return names;
  }

 private:
  RegisterBus& bus() { return device_->bus(); }
  Cycles cycle(std::optional<std::int64_t> at) { return at ? Cycles{*at} : switch_->clock().now(); }
  std::uint16_t port(int number, const char* what) const {
    if (number < 0 || number >= ports_)
      refuse(std::string(what) + " is " + std::to_string(number) + ", but must be from 0 to " +
             std::to_string(ports_ - 1));
    return static_cast<std::uint16_t>(number);
  }

  void make(rtl::Waveform* waveform) {
    device_ = make_device(spec_.device, spec_.config, waveform);
    switch_ = make_switch(*device_, spec_.plane);
    ports_ = switch_->constants().ports;
    if (waveform != nullptr)
      waveform->count_from(to_picos(device_->clock().now() - switch_->clock().now(), switch_->clock().cycle()));
  }

  FabricSpec spec_;
  bool touched_ = false;  ///< something was asked of the switch
  std::unique_ptr<rtl::Waveform> waveform_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Switch> switch_;
  std::vector<Event> events_;
  std::uint32_t bursts_ = 0;
  int ports_ = 0;
};

}  // namespace

void add_switch(nb::module_& m) {
  nb::class_<HandSwitch>(m, "Switch")
      .def(nb::init<const HandSwitch::Keys&, bool>())
      .def_prop_ro("now", &HandSwitch::now)
      .def_prop_ro("cycle_ps", &HandSwitch::cycle_ps)
      .def_prop_ro("ports", &HandSwitch::ports)
      .def_prop_ro("word_bytes", &HandSwitch::word_bytes)
      .def("commit", &HandSwitch::commit, nb::arg("change"), nb::arg("at").none())
      .def("send", &HandSwitch::send, nb::arg("input"), nb::arg("words"), nb::arg("gated"), nb::arg("at").none(),
           nb::arg("word"))
      .def("stop", &HandSwitch::stop)
      .def("set_dead", &HandSwitch::set_dead)
      .def("advance", &HandSwitch::advance)
      .def("events", &HandSwitch::events)
      .def("counters", &HandSwitch::counters)
      .def("waves", &HandSwitch::waves, nb::arg("file"), nb::arg("from_ps").none(), nb::arg("to_ps").none())
      .def("end_waves", &HandSwitch::end_waves)
      .def("read", &HandSwitch::read)
      .def("write", &HandSwitch::write)
      .def_static("registers", &HandSwitch::registers);
}

}  // namespace ocs::python
