// Prints what a register program does, cycle by cycle, as JSON: tools/timing-waves draws it.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "host/conformance/access.hpp"
#include "host/conformance/program.hpp"
#include "host/conformance/registers.hpp"
#include "tests/conformance/devices.hpp"

namespace ocs::conformance {
namespace {

/// What is recorded of every cycle, by the names of the format; `irq` comes with them.
constexpr std::array<std::string_view, 10> recorded{"TIME",   "STATUS", "STATE",  "CAUSE", "ACTIVE",
                                                    "ENGINE", "SENT",   "PASSED", "LOST",  "UNROUTED"};
constexpr std::uint64_t most_cycles = 1000;

class Tracer {
 public:
  Tracer(Device& device, int ports) : bus_(device.bus()), clock_(device.clock()), ports_(ports) {}

  nlohmann::json run(const Case& program) {
    record();
    for (const Op& op : program.program) carry_out(op);
    drain();
    return {{"name", program.name}, {"rule", program.rule}, {"ports", ports_},
            {"cycles", cycles_},    {"writes", writes_},    {"events", events_}};
  }

 private:
  void carry_out(const Op& op) {
    switch (op.kind) {
      case Op::Kind::write:
        if (!write_register(bus_, ports_, op)) throw Error(ErrorKind::input, "a write is refused");
        writes_.push_back({clock_.now().n, to_json(op)});
        cycles_.back() = snapshot();  // a write at a bus edge is in force in the present cycle
        return;
      case Op::Kind::advance:
        return advance(op.value, false);
      case Op::Kind::advance_irq:
        return advance(op.value, true);
      case Op::Kind::drain:
        return drain();
      case Op::Kind::pop:
      case Op::Kind::read:
        return;
    }
  }

  /// Cycle by cycle: `value` cycles, or up to the first one with irq or number `value`.
  void advance(std::uint64_t value, bool irq_ends) {
    const auto until = static_cast<std::int64_t>(value) + (irq_ends ? 0 : clock_.now().n);
    if (until > static_cast<std::int64_t>(most_cycles)) throw Error(ErrorKind::input, "too many cycles to be drawn");
    while (clock_.now().n < until && !(irq_ends && clock_.interrupt())) {
      // irq would end the run at once: enabled sources are put aside for the step, on bus edges.
      const Register* enable = find_register("IRQ_ENABLE");
      const std::uint32_t enabled = bus_.read(enable->address);
      bus_.write(enable->address, 0);
      clock_.run_until(clock_.now() + Cycles{1});
      bus_.write(enable->address, enabled);
      record();
    }
  }

  void record() { cycles_.push_back(snapshot()); }

  nlohmann::json snapshot() {
    nlohmann::json out{{"irq", clock_.interrupt()}};
    for (const std::string_view name : recorded) {
      Op op;
      op.kind = Op::Kind::read;
      op.reg = find_register(name);
      if (op.reg->indices() == 0) {
        out[std::string(name)] = *read_register(bus_, ports_, op);
        continue;
      }
      auto& values = out[std::string(name)] = nlohmann::json::array();
      for (int p = 0; p < ports_; ++p) {
        op.index[0] = static_cast<std::uint32_t>(p);
        values.push_back(*read_register(bus_, ports_, op));
      }
    }
    return out;
  }

  void drain() {
    while (const auto event = take_event(bus_).event) events_.push_back(to_json(*event));
  }

  RegisterBus& bus_;
  FabricClock& clock_;
  int ports_;
  nlohmann::json cycles_ = nlohmann::json::array(), writes_ = nlohmann::json::array(),
                 events_ = nlohmann::json::array();
};

const Body& body_named(std::string_view name) {
  std::string known;
  for (const Body& body : bodies()) {
    if (body.name == name) return body;
    known += (known.empty() ? "" : ", ") + std::string(body.name);
  }
  throw Error(ErrorKind::input, "there is no device \"" + std::string(name) + "\"; known: " + known);
}

int trace(int argc, char** argv) {
  if (argc < 3) throw Error(ErrorKind::input, "usage: trace_program DEVICE FILE.json...");
  nlohmann::json all = nlohmann::json::object();
  for (int k = 2; k < argc; ++k) {
    std::ifstream in(argv[k]);
    if (!in) throw Error(ErrorKind::input, std::string(argv[k]) + " can't be read");
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    for (const Case& program : parse_cases(text, argv[k])) {
      const auto device = make_device(body_named(argv[1]), modes()[0], program.ports, program.fifo_depth);
      all[program.name] = Tracer(*device, program.ports).run(program);
    }
  }
  std::cout << all.dump() << "\n";
  return 0;
}

}  // namespace
}  // namespace ocs::conformance

int main(int argc, char** argv) {
  try {
    return ocs::conformance::trace(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "trace_program: " << e.what() << "\n";
    return 1;
  }
}
