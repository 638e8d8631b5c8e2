// The virtual platform: says what its software saw. Argument "rtl": the switch is its RTL.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <memory>

#include "sysc/examples/soc.hpp"
#include "sysc/module/tlm_switch.hpp"
#include "sysc/rtl/rtl_switch.hpp"

int sc_main(int argc, char** argv) {
  using namespace ocs::sysc;
  constexpr std::uint32_t period_ns = 20'000;
  constexpr int turns = 3;
  const SwitchConfig config;
  std::unique_ptr<SwitchModule> fabric;  // the one word that differs:
  if (argc > 1 && std::strcmp(argv[1], "rtl") == 0)
    fabric = std::make_unique<RtlSwitch>("fabric", config);
  else
    fabric = std::make_unique<TlmSwitch>("fabric", config);

  example::Memory memory("memory", 0x10000);
  example::Timer timer("timer");
  example::Interrupts interrupts("interrupts");
  example::Bus bus("bus");
  example::Processor processor("processor", period_ns, turns);
  sc_core::sc_signal<bool> timer_irq("timer_irq"), fabric_irq("fabric_irq"), irq("irq");

  processor.bus.bind(bus.processor);
  bus.memory.bind(memory.bus);
  bus.timer.bind(timer.bus);
  bus.interrupts.bind(interrupts.bus);
  bus.fabric.bind(fabric->regs);
  timer.irq.bind(timer_irq);
  fabric->irq.bind(fabric_irq);
  interrupts.timer.bind(timer_irq);
  interrupts.fabric.bind(fabric_irq);
  interrupts.irq.bind(irq);
  processor.irq.bind(irq);

  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);  // that sc_stop() was called
  sc_core::sc_start(1, sc_core::SC_MS);
  if (processor.result <= 0) {
    std::fprintf(stderr, "platform: the software ended with %d, after %s\n", processor.result,
                 sc_core::sc_time_stamp().to_string().c_str());
    return 1;
  }
  constexpr const char* states[] = {"IDLE", "TUNING", "LOCKING", "UP", "HELD", "FAILED"};
  for (int k = 0; k < processor.result; ++k) {
    const auto place = 2 * static_cast<std::size_t>(k);
    const std::uint32_t what = memory.words[place + 1];
    std::printf("cycle %6u  output %u  %s\n", memory.words[place], what & 0xFFFF, states[what >> 16]);
  }
  std::printf("%d events of outputs in %s\n", processor.result, sc_core::sc_time_stamp().to_string().c_str());
  return 0;
}
