// Executes programs, operation by operation, and watches what must hold in each of them.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/runner.hpp"

#include <algorithm>
#include <numeric>

#include "host/conformance/access.hpp"
#include "host/conformance/snapshot.hpp"
#include "ocs_regs.h"

namespace ocs::conformance {
namespace {

constexpr auto core = static_cast<std::uint32_t>(offsetof(ocs_regs_t, core));
constexpr auto irq_enable = static_cast<std::uint32_t>(offsetof(ocs_regs_t, IRQ_ENABLE));
constexpr auto ctrl = static_cast<std::uint32_t>(offsetof(ocs_regs_t, CTRL));
constexpr std::uint32_t time_address = core + offsetof(ocs_regs__core_t, TIME);
constexpr std::uint32_t error_address = core + offsetof(ocs_regs__core_t, ERROR);
constexpr std::uint32_t irq_status = core + offsetof(ocs_regs__core_t, IRQ_STATUS);

class ProgramRun {
 public:
  ProgramRun(Device& device, int ports, int fifo_depth, const RunOptions& options)
      : bus_(device.bus()),
        clock_(device.clock()),
        ports_(ports),
        most_events_(static_cast<std::size_t>(fifo_depth) * (3 + 2 * static_cast<std::size_t>(ports)) + 1),
        options_(options),
        live_(ports, false) {}

  Observation finish(std::span<const Op> program) {
    for (; op_ < program.size(); ++op_) carry_out(program[op_]);
    SnapshotPlan all(ports_, true);
    out_.last = all.take(bus_);
    drain();
    out_.time = read_wide(bus_, time_address);
    if (out_.time != static_cast<std::uint64_t>(clock_.now().n)) breach("TIME isn't the clock's now()");
    read_counters();
    check_words();
    if ((bus_.read(error_address) & OCS_REGS__CORE__ERROR__STEP_ERROR_bm) != 0) breach("STEP_ERROR is set");
    return std::move(out_);
  }

 private:
  void carry_out(const Op& op) {
    switch (op.kind) {
      case Op::Kind::write:
        if (!write_register(bus_, ports_, op)) out_.reads.push_back({"refused", op_});
        if (op.reg->name == "CTRL.MULTICAST" && op.value != 0) multicast_seen_ = true;
        if (op.reg->name == "SOFT_RESET" && (op.value & 1) != 0 && op.strobes == Op::all_bytes) last_stamp_ = 0;
        return;
      case Op::Kind::read: {
        const auto value = read_register(bus_, ports_, op);
        out_.reads.push_back({value ? *value : nlohmann::json("refused"), op_});
        return;
      }
      case Op::Kind::advance:
        advance(op.value);
        return;
      case Op::Kind::advance_irq:
        advance_irq(op.value);
        return;
      case Op::Kind::pop: {
        const auto event = take();
        out_.reads.push_back({event ? to_json(*event) : nlohmann::json(nullptr), op_});
        return;
      }
      case Op::Kind::drain:
        drain();
        return;
    }
  }

  /// `irq` ends the clock's runs, so it is disabled meanwhile: bus edges cost no fabric time, and IRQ_STATUS shows the
  /// sources whether enabled or not.
  void advance(std::uint64_t cycles) {
    const std::uint32_t enabled = bus_.read(irq_enable);
    if (enabled != 0) bus_.write(irq_enable, 0);
    const Cycles target = clock_.now() + Cycles{static_cast<std::int64_t>(cycles)};
    if (cycles <= options_.single_up_to)
      while (clock_.now() < target) {
        run_to(clock_.now() + Cycles{1});
        trace();
      }
    else
      run_to(target);
    if (clock_.now() != target) breach("advance ended in cycle " + std::to_string(clock_.now().n));
    if (enabled != 0) bus_.write(irq_enable, enabled);
    if (cycles > options_.single_up_to || cycles == 0) trace();
  }

  void advance_irq(std::uint64_t limit) {
    const Cycles before = clock_.now(), until{static_cast<std::int64_t>(limit)};
    const bool high = irq();
    const Cycles after = run_to(until);
    if (after > std::max(before, until)) breach("advance_irq went beyond its limit");
    if (high && after != before) breach("advance_irq moved though irq was high");
    if (after < until && !irq()) breach("advance_irq ended early without irq");
    trace();
  }

  Cycles run_to(Cycles limit) {
    const Cycles before = clock_.now(), after = clock_.run_until(limit);
    if (after != clock_.now()) breach("run_until doesn't return now()");
    if (after < before || (after == before && before < limit && !irq()))
      throw Error(ErrorKind::run, "the clock doesn't move on from cycle " + std::to_string(before.n));
    out_.cycles += static_cast<std::uint64_t>((after - before).n);
    return after;
  }

  bool irq() { return (bus_.read(irq_status) & bus_.read(irq_enable)) != 0; }

  void trace() {
    if (options_.trace) out_.trace.push_back({live_.take(bus_), op_});
  }

  std::optional<LoggedEvent> take() {
    const Taken taken = take_event(bus_);
    if (!taken.well_formed) breach("NEW_STAMP is wrong, or an empty FIFO gave something");
    if (!taken.event) return std::nullopt;
    if (taken.event->stamp < last_stamp_) breach("stamps fall");
    if (taken.event->stamp > static_cast<std::uint64_t>(clock_.now().n)) breach("an event lies in the future");
    last_stamp_ = taken.event->stamp;
    return taken.event;
  }

  void drain() {
    for (std::size_t n = 0; n < most_events_; ++n) {
      const auto event = take();
      if (!event) return;
      out_.events.push_back({*event, op_});
    }
    throw Error(ErrorKind::run, "the event FIFO gave " + std::to_string(most_events_) + " events and isn't empty");
  }

  void read_counters() {
    for (const std::string_view name : counter_names) {
      const Register* reg = find_register(name);
      std::vector<std::uint64_t>& values = out_.counters.emplace_back();
      const int entries = reg->indices() == 0 ? 1 : ports_;
      for (int p = 0; p < entries; ++p)
        values.push_back(read_wide(bus_, reg->address + 8U * static_cast<std::uint32_t>(p)));
    }
  }

  /// Section 7: every word sent was passed, lost or unrouted; several outputs may have got it with MULTICAST alone.
  void check_words() {
    const auto sum = [&](std::size_t k) {
      return std::accumulate(out_.counters[k].begin(), out_.counters[k].end(), std::uint64_t{0});
    };
    const std::uint64_t fates = sum(0) + sum(1) + sum(6), sent = sum(5);
    const bool multicast = multicast_seen_ || (bus_.read(ctrl) & OCS_REGS__CTRL__MULTICAST_bm) != 0;
    if (fates < sent || (!multicast && fates != sent))
      breach(std::to_string(sent) + " words were sent, " + std::to_string(fates) + " passed, lost or unrouted");
  }

  void breach(const std::string& what) { out_.breaches.push_back("op " + std::to_string(op_) + ": " + what); }

  RegisterBus& bus_;
  FabricClock& clock_;
  int ports_;
  std::size_t most_events_;
  RunOptions options_;
  SnapshotPlan live_;
  Observation out_;
  std::size_t op_ = 0;
  std::uint64_t last_stamp_ = 0;
  bool multicast_seen_ = false;
};

}  // namespace

Observation run_program(Device& device, int ports, int fifo_depth, std::span<const Op> program,
                        const RunOptions& options) {
  return ProgramRun(device, ports, fifo_depth, options).finish(program);
}

}  // namespace ocs::conformance
