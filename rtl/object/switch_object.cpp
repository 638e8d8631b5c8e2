// Turns the class that Verilator made of a top module (Vocs) into the shared object of switch_abi.h.
//
// It is compiled with the generated code by host/rtl, never by CMake. VM_COVERAGE and VM_TRACE_FST say what is in it.
// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "Vocs.h"
#include "Vocs___024root.h"
#include "switch_abi.h"
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif
#if VM_COVERAGE
#include "Vocs__Syms.h"
#include "coverage_sum.hpp"
#endif

namespace {

constexpr std::size_t most_pins = 64;

/// Collects those of the named members that this top module has.
struct PinTable {
  std::array<lightloop_pin, most_pins> pins{};
  std::size_t count = 0;
  template <class T>
  void add(const char* name, T& member) {
    pins.at(count++) = {name, &member, sizeof member};
  }
};

#define LIGHTLOOP_PIN(name) \
  if constexpr (requires { top.name; }) table.add(#name, top.name)
#define LIGHTLOOP_LAST_VALUE(name)                                  \
  if constexpr (requires { top.rootp->__Vtrigrprev__TOP__##name; }) \
  table.add("last_" #name, top.rootp->__Vtrigrprev__TOP__##name)

template <class Top>
void add_switch_pins(PinTable& table, Top& top) {
  LIGHTLOOP_PIN(clk_i);
  LIGHTLOOP_PIN(bus_clk_i);
  LIGHTLOOP_PIN(rst_ni);
  LIGHTLOOP_PIN(step_i);
  LIGHTLOOP_PIN(horizon_o);
  LIGHTLOOP_PIN(lag_o);
  LIGHTLOOP_PIN(time_o);
  LIGHTLOOP_PIN(irq_o);
  LIGHTLOOP_PIN(valid_i);
  LIGHTLOOP_PIN(word_bytes_i);
  LIGHTLOOP_PIN(cycle_ps_i);
  LIGHTLOOP_PIN(awvalid_i);
  LIGHTLOOP_PIN(awready_o);
  LIGHTLOOP_PIN(awaddr_i);
  LIGHTLOOP_PIN(wvalid_i);
  LIGHTLOOP_PIN(wready_o);
  LIGHTLOOP_PIN(wdata_i);
  LIGHTLOOP_PIN(wstrb_i);
  LIGHTLOOP_PIN(bvalid_o);
  LIGHTLOOP_PIN(bready_i);
  LIGHTLOOP_PIN(bresp_o);
  LIGHTLOOP_PIN(arvalid_i);
  LIGHTLOOP_PIN(arready_o);
  LIGHTLOOP_PIN(araddr_i);
  LIGHTLOOP_PIN(rvalid_o);
  LIGHTLOOP_PIN(rready_i);
  LIGHTLOOP_PIN(rdata_o);
  LIGHTLOOP_PIN(rresp_o);
  LIGHTLOOP_LAST_VALUE(clk_i);
  LIGHTLOOP_LAST_VALUE(bus_clk_i);
}

/// Words that cross: ocs_fast_top with lanes.
template <class Top>
void add_word_pins(PinTable& table, Top& top) {
  LIGHTLOOP_PIN(offer_o);
  LIGHTLOOP_PIN(index_o);
  LIGHTLOOP_PIN(tag_o);
  LIGHTLOOP_PIN(word_i);
  LIGHTLOOP_PIN(up_o);
  LIGHTLOOP_PIN(input_o);
  LIGHTLOOP_PIN(word_valid_o);
  LIGHTLOOP_PIN(word_o);
}

/// The soft core's clock, loader, mailbox and console: ocs_soc.
template <class Top>
void add_core_pins(PinTable& table, Top& top) {
  LIGHTLOOP_PIN(core_clk_i);
  LIGHTLOOP_PIN(core_rst_ni);
  LIGHTLOOP_PIN(ahead_i);
  LIGHTLOOP_PIN(fabric_horizon_o);
  LIGHTLOOP_PIN(still_o);
  LIGHTLOOP_PIN(wake_o);
  LIGHTLOOP_PIN(busy_o);
  LIGHTLOOP_PIN(host_takes_events_i);
  LIGHTLOOP_PIN(command_i);
  LIGHTLOOP_PIN(head_i);
  LIGHTLOOP_PIN(tail_i);
  LIGHTLOOP_PIN(answer_addr_i);
  LIGHTLOOP_PIN(mailbox_o);
  LIGHTLOOP_PIN(load_i);
  LIGHTLOOP_PIN(boot_o);
  LIGHTLOOP_PIN(bite_o);
  LIGHTLOOP_PIN(console_o);
  LIGHTLOOP_PIN(fetch_o);
  LIGHTLOOP_LAST_VALUE(core_clk_i);
}

#undef LIGHTLOOP_PIN
#undef LIGHTLOOP_LAST_VALUE

/// A switch of its own context. The base comes first, so that a pointer to it is one to all of it.
struct Switch : lightloop_switch {
  VerilatedContext context;
  Vocs top{&context};
  PinTable table;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> waveform;
#endif

  Switch() : lightloop_switch{} {
    context.errorLimit(std::numeric_limits<int>::max());  // a check that fails does not end the program
    add_switch_pins(table, top);
    add_word_pins(table, top);
    add_core_pins(table, top);
    pins = table.pins.data();
    pin_count = table.count;
    eval = [](lightloop_switch* self) { of(self).top.eval(); };
    destroy = [](lightloop_switch* self) { delete &of(self); };
    failed = [](const lightloop_switch* self) {
      return static_cast<int>(static_cast<const Switch*>(self)->context.errorCount() != 0);
    };
#if VM_TRACE_FST
    open_waveform = [](lightloop_switch* self, const char* file) { of(self).open(file); };
    dump_waveform = [](lightloop_switch* self, std::uint64_t step) { of(self).waveform->dump(step); };
    flush_waveform = [](lightloop_switch* self) { of(self).waveform->flush(); };
#endif
  }
  Switch(const Switch&) = delete;
  Switch& operator=(const Switch&) = delete;
  ~Switch() {
    top.final();
#if VM_COVERAGE
    CoverageSum<Vocs>::instance().name(LIGHTLOOP_OBJECT_NAME);
    CoverageSum<Vocs>::instance().add(top);
#endif
    Verilated::threadContextp(&context);  // the module, which goes next, takes its scopes out of the current context
  }

  static Switch& of(lightloop_switch* self) { return *static_cast<Switch*>(self); }

#if VM_TRACE_FST
  void open(const char* file) {
    constexpr int all_levels = 99;
    context.traceEverOn(true);
    waveform = std::make_unique<VerilatedFstC>();
    top.trace(waveform.get(), all_levels);
    waveform->open(file);
  }
#endif
};

}  // namespace

extern "C" __attribute__((visibility("default"))) lightloop_switch* lightloop_make_switch(std::uint32_t abi) {
  if (abi != LIGHTLOOP_SWITCH_ABI) return nullptr;
  return new Switch;
}
