// A small system on a chip around the switch: memory, timer, interrupts, a bus, and a processor that runs C code
// compiled for the host.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "sysc/examples/rotor.h"

namespace ocs::sysc::example {

/// 32-bit words at multiples of 4.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> bus{"bus"};
  std::vector<std::uint32_t> words;

  Memory(const sc_core::sc_module_name& name, std::size_t bytes);

 private:
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
};

/// Ticks every period; `irq` is high from a tick until it's taken back.
class Timer : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Timer> bus{"bus"};
  sc_core::sc_out<bool> irq{"irq"};

  explicit Timer(const sc_core::sc_module_name& name);

 private:
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void tick();
  void drive() { irq.write(pending_); }

  std::uint32_t period_ns_ = 0;
  bool pending_ = false;
  sc_core::sc_event tick_, drive_;
};

/// Both interrupt lines in one register, and one line to the processor.
class Interrupts : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Interrupts> bus{"bus"};
  sc_core::sc_in<bool> timer{"timer"}, fabric{"fabric"};
  sc_core::sc_out<bool> irq{"irq"};

  explicit Interrupts(const sc_core::sc_module_name& name);

 private:
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void combine() { irq.write(timer.read() || fabric.read()); }
};

/// Sends an access on by its highest address bits, with the address within the target.
class Bus : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Bus> processor{"processor"};
  tlm_utils::simple_initiator_socket<Bus> memory{"memory"}, timer{"timer"}, interrupts{"interrupts"}, fabric{"fabric"};

  explicit Bus(const sc_core::sc_module_name& name);

 private:
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
};

/// Runs rotor_run(); an access takes it 10 ns.
class Processor : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Processor> bus{"bus"};
  sc_core::sc_in<bool> irq{"irq"};
  int result = 0;

  Processor(const sc_core::sc_module_name& name, std::uint32_t period_ns, int turns);

 private:
  void run();
  int access(tlm::tlm_command command, std::uint32_t address, std::uint32_t& value);

  std::uint32_t period_ns_;
  int turns_;
};

}  // namespace ocs::sysc::example
