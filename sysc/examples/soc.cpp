// The parts of the example platform.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/examples/soc.hpp"

#include <cstring>

#include "sysc/module/register_access.hpp"

namespace ocs::sysc::example {
namespace {

/// A register at `address` alone, or nothing.
bool is_word(tlm::tlm_generic_payload& payload) {
  const bool right = payload.get_data_length() == 4 && payload.get_address() % 4 == 0 &&
                     payload.get_byte_enable_ptr() == nullptr && (payload.is_read() || payload.is_write());
  payload.set_response_status(right ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  return right;
}

}  // namespace

Memory::Memory(const sc_core::sc_module_name& name, std::size_t bytes) : sc_module(name), words(bytes / 4) {
  bus.register_b_transport(this, &Memory::access);
}

void Memory::access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  if (!is_word(payload)) return;
  if (payload.get_address() / 4 >= words.size()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  std::uint32_t& word = words[payload.get_address() / 4];
  if (payload.is_read())
    std::memcpy(payload.get_data_ptr(), &word, sizeof word);
  else
    std::memcpy(&word, payload.get_data_ptr(), sizeof word);
}

Timer::Timer(const sc_core::sc_module_name& name) : sc_module(name) {
  bus.register_b_transport(this, &Timer::access);
  SC_HAS_PROCESS(Timer);
  SC_METHOD(tick);
  sensitive << tick_;
  dont_initialize();
  SC_METHOD(drive);
  sensitive << drive_;
}

void Timer::access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  if (!is_word(payload) || payload.is_read()) return;
  if (payload.get_address() == 0) {
    std::memcpy(&period_ns_, payload.get_data_ptr(), sizeof period_ns_);
    tick_.cancel();
    if (period_ns_ != 0) tick_.notify(period_ns_, sc_core::SC_NS);
  } else {
    pending_ = false;
    drive_.notify(sc_core::SC_ZERO_TIME);
  }
}

void Timer::tick() {
  pending_ = true;
  drive_.notify(sc_core::SC_ZERO_TIME);
  tick_.notify(period_ns_, sc_core::SC_NS);
}

Interrupts::Interrupts(const sc_core::sc_module_name& name) : sc_module(name) {
  bus.register_b_transport(this, &Interrupts::access);
  SC_HAS_PROCESS(Interrupts);
  SC_METHOD(combine);
  sensitive << timer << fabric;
}

void Interrupts::access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  if (!is_word(payload) || payload.is_write()) return;
  const std::uint32_t pending = (timer.read() ? 1U : 0U) | (fabric.read() ? 2U : 0U);
  std::memcpy(payload.get_data_ptr(), &pending, sizeof pending);
}

Bus::Bus(const sc_core::sc_module_name& name) : sc_module(name) { processor.register_b_transport(this, &Bus::access); }

void Bus::access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  constexpr std::uint64_t in_window = 0x7FFF'FFFF, in_page = 0xFFFF;
  const std::uint64_t address = payload.get_address();
  if ((address & ~in_window) == (std::uint64_t{static_cast<std::uint32_t>(ROTOR_SWITCH)})) {
    payload.set_address(address & in_window);
    fabric->b_transport(payload, delay);
  } else {
    payload.set_address(address & in_page);
    if (address >> 16 == ROTOR_MEMORY >> 16)
      memory->b_transport(payload, delay);
    else if (address >> 16 == ROTOR_TIMER_PERIOD >> 16)
      timer->b_transport(payload, delay);
    else if (address >> 16 == ROTOR_INTERRUPTS >> 16)
      interrupts->b_transport(payload, delay);
    else
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  payload.set_address(address);
}

Processor::Processor(const sc_core::sc_module_name& name, std::uint32_t period_ns, int turns)
    : sc_module(name), period_ns_(period_ns), turns_(turns) {
  SC_HAS_PROCESS(Processor);
  SC_THREAD(run);
}

void Processor::run() {
  RotorPlatform platform{};
  platform.context = this;
  platform.read = [](void* self, std::uint32_t address, std::uint32_t* value) {
    return static_cast<Processor*>(self)->access(tlm::TLM_READ_COMMAND, address, *value);
  };
  platform.write = [](void* self, std::uint32_t address, std::uint32_t value) {
    return static_cast<Processor*>(self)->access(tlm::TLM_WRITE_COMMAND, address, value);
  };
  platform.wait_for_interrupt = [](void* self) {
    auto& processor = *static_cast<Processor*>(self);
    if (!processor.irq.read()) processor.wait(processor.irq.posedge_event());
  };
  result = rotor_run(&platform, period_ns_, turns_);
  sc_core::sc_stop();
}

int Processor::access(tlm::tlm_command command, std::uint32_t address, std::uint32_t& value) {
  sc_core::sc_time taken(10, sc_core::SC_NS);
  const tlm::tlm_response_status response = access_register(bus, command, address, value, taken);
  wait(taken);
  return response == tlm::TLM_OK_RESPONSE ? 0 : 1;
}

}  // namespace ocs::sysc::example
