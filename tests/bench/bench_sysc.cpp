// What a SystemC simulation of the switch costs, and what decoupled timing loses: one program of software, run on the RTL,
// on the model exact, and on the model decoupled with several quanta. Prints JSON, a line a run.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "ocs_regs.h"
#include "sysc/module/register_access.hpp"
#include "sysc/module/tlm_switch.hpp"
#include "sysc/optics/optics.hpp"
#include "sysc/rtl/rtl_switch.hpp"

namespace ocs::sysc {
namespace {

constexpr std::uint32_t at(std::size_t offset) { return static_cast<std::uint32_t>(offset); }
constexpr std::uint32_t up = 3;

/// Software that rotates the map: it commits, takes every event until all outputs are up, lets every input send a
/// burst, takes every event until all are done, and so on. An access costs it one cycle.
class Software : public sc_core::sc_module {
 public:
  std::unique_ptr<SwitchModule> fabric;
  tlm_utils::simple_initiator_socket<Software> bus{"bus"};
  sc_core::sc_signal<bool> irq{"irq"};
  sc_core::sc_event go;
  SwitchConfig config;
  int rounds = 0;
  std::uint64_t finished = 0, accesses = 0, events = 0, event_lag = 0;

  Software(const sc_core::sc_module_name& name, const SwitchConfig& shape, bool rtl, bool with_optics = false)
      : sc_module(name), config(shape) {
    if (rtl)
      fabric = std::make_unique<RtlSwitch>("fabric", config);
    else
      fabric = std::make_unique<TlmSwitch>("fabric", config);
    bus.bind(fabric->regs);
    fabric->irq.bind(irq);
    if (with_optics) {  // constant: the switch's own delays stay, and there is light everywhere
      OpticsParameters constant;
      constant.tuning = {Picos{0}};
      optics_ = std::make_unique<Optics>("optics", *fabric, config, constant);
      optics_->side.bind(fabric->side);
    }
    SC_HAS_PROCESS(Software);
    SC_THREAD(loop);
  }

 private:
  void loop() {
    for (;;) {
      wait(go);
      begin_ = sc_core::sc_time_stamp();
      local_ = sc_core::SC_ZERO_TIME;
      run();
      finished = now();
      sync();
      sc_core::sc_pause();
    }
  }

  void sync() {
    if (local_ != sc_core::SC_ZERO_TIME) wait(local_);
    local_ = sc_core::SC_ZERO_TIME;
  }

  std::uint64_t now() const { return (sc_core::sc_time_stamp() + local_ - begin_).value() / config.cycle.value(); }

  std::uint32_t access(tlm::tlm_command command, std::uint32_t address, std::uint32_t value) {
    sc_core::sc_time delay = local_ + config.cycle;
    const auto response = access_register(bus, command, address, value, delay);
    if (response != tlm::TLM_OK_RESPONSE) std::abort();
    local_ = delay;
    if (local_ >= config.cycle * static_cast<double>(config.quantum)) sync();
    ++accesses;
    return value;
  }
  void write(std::size_t address, std::uint32_t value) { access(tlm::TLM_WRITE_COMMAND, at(address), value); }
  std::uint32_t read(std::size_t address) { return access(tlm::TLM_READ_COMMAND, at(address), 0); }

  /// Takes events until `count` of this class and kind have come.
  void take(std::size_t count, std::uint32_t wanted_class, std::uint32_t wanted_kind) {
    while (count > 0) {
      const std::uint32_t event = read(offsetof(ocs_regs_t, core.EVENT));
      if (event == 0) {
        sync();
        if (!irq.read()) wait(irq.posedge_event());
        continue;
      }
      if ((event & OCS_REGS__CORE__EVENT__NEW_STAMP_bm) != 0) stamp_ = read(offsetof(ocs_regs_t, core.EVENT_TIME));
      ++events;
      event_lag += now() - stamp_;
      const std::uint32_t cls = (event & OCS_REGS__CORE__EVENT__CLASS_bm) >> OCS_REGS__CORE__EVENT__CLASS_bp;
      if (cls == wanted_class && (event & OCS_REGS__CORE__EVENT__KIND_bm) == wanted_kind) --count;
    }
  }

  void run() {
    const std::size_t n = config.ports;
    write(offsetof(ocs_regs_t, IRQ_ENABLE), OCS_REGS__IRQ_ENABLE__EVENT_bm);
    for (std::size_t p = 0; p < n; ++p) {
      write(offsetof(ocs_regs_t, port.BASE) + 4 * p, static_cast<std::uint32_t>(2000 + 37 * p));
      write(offsetof(ocs_regs_t, port.LOCK) + 4 * p, static_cast<std::uint32_t>(100 + 11 * p));
      write(offsetof(ocs_regs_t, port.LEN) + 4 * p, static_cast<std::uint32_t>(3000 + 41 * p));
    }
    for (int round = 1; round <= rounds; ++round) {
      for (std::size_t o = 0; o < n; ++o)
        write(
            offsetof(ocs_regs_t, port.SHADOW) + 4 * o,
            OCS_REGS__PORT__SHADOWX__VALID_bm | static_cast<std::uint32_t>((o + static_cast<std::size_t>(round)) % n));
      write(offsetof(ocs_regs_t, core.COMMIT), 1);
      take(n, 1, up);
      for (std::size_t k = 0; k < n; k += 32)
        write(offsetof(ocs_regs_t, core.START) + k / 8, n - k >= 32 ? ~0U : (1U << (n - k)) - 1);
      take(n, 2, 0);
    }
  }

  sc_core::sc_time local_;  ///< how far the software has run ahead of simulated time
  sc_core::sc_time begin_;
  std::uint32_t stamp_ = 0;
  std::unique_ptr<Optics> optics_;
};

struct Measurement {
  std::string name;
  std::unique_ptr<Software> software;
  bool rtl = false;
  double seconds = 1e9;  ///< the shortest
};

void measure(Measurement& run, int rounds) {
  Software& software = *run.software;
  software.rounds = rounds;
  software.accesses = software.events = software.event_lag = 0;
  software.fabric->power_up(run.rtl ? make_rtl_body(software.config) : make_tlm_body(software.config), software.config);
  software.go.notify(sc_core::SC_ZERO_TIME);
  const auto before = std::chrono::steady_clock::now();
  sc_core::sc_start();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  run.seconds = std::min(run.seconds, seconds);
}

}  // namespace

int bench(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  SwitchConfig config;
  config.ports = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 16;
  std::vector<Measurement> runs;
  runs.push_back({"rtl", std::make_unique<Software>("rtl", config, true), true});
  runs.push_back({"rtl_optics", std::make_unique<Software>("rtl_optics", config, true, true), true});
  runs.push_back({"exact", std::make_unique<Software>("exact", config, false)});
  runs.push_back({"exact_optics", std::make_unique<Software>("exact_optics", config, false, true)});
  config.timing = Timing::decoupled;
  for (const std::uint64_t quantum : {1, 10, 30, 100, 300, 1000, 3000, 10000, 30000}) {
    config.quantum = quantum;
    const std::string name = "decoupled_" + std::to_string(quantum);
    runs.push_back({name, std::make_unique<Software>(name.c_str(), config, false)});
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  constexpr int repetitions = 7;  // in turn, so that what else the machine does hits all alike
  for (int k = 0; k < repetitions; ++k)
    for (Measurement& run : runs) measure(run, rounds);
  for (Measurement& run : runs) {
    const Software& software = *run.software;
    std::printf(
        "{\"timing\": \"%s\", \"ports\": %zu, \"rounds\": %d, \"cycles\": %llu, \"accesses\": %llu, \"events\": %llu, "
        "\"mean_lag\": %.2f, \"quantum\": %llu, \"cycles_per_second\": %.4g, \"times_rtl\": %.2f}\n",
        run.name.c_str(), config.ports, rounds, static_cast<unsigned long long>(software.finished),
        static_cast<unsigned long long>(software.accesses), static_cast<unsigned long long>(software.events),
        static_cast<double>(software.event_lag) / static_cast<double>(software.events),
        static_cast<unsigned long long>(software.config.timing == Timing::decoupled ? software.config.quantum : 0),
        static_cast<double>(software.finished) / run.seconds, runs.front().seconds / run.seconds);
  }
  return 0;
}

}  // namespace ocs::sysc

int main(int argc, char** argv) { return ocs::sysc::bench(argc, argv); }
