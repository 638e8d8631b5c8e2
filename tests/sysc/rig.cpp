// The one simulation of the test program.
// SPDX-License-Identifier: Apache-2.0
#include "tests/sysc/rig.hpp"

#include <stdexcept>

#include "sysc/module/register_access.hpp"
#include "sysc/module/tlm_switch.hpp"
#include "sysc/rtl/rtl_switch.hpp"

namespace ocs::sysc::test {
namespace {

SwitchConfig shape(Timing timing) {
  SwitchConfig config;
  config.ports = 4;
  config.word_bytes = 2;
  config.cycle = sc_core::sc_time(10, sc_core::SC_NS);
  config.timing = timing;
  config.quantum = 100;
  return config;
}

std::unique_ptr<SwitchModule> tlm_switch(const SwitchConfig& config) {
  return std::make_unique<TlmSwitch>("fabric", config);
}
std::unique_ptr<SwitchModule> rtl_switch(const SwitchConfig& config) {
  return std::make_unique<RtlSwitch>("fabric", config);
}

}  // namespace

Rig::Rig(const sc_core::sc_module_name& name, SwitchConfig shape, const Make& make) : sc_module(name), config(shape) {
  fabric = make(config);
  cpu.bind(fabric->regs);
  around.bind(fabric->side);
  fabric->irq.bind(irq);
  sources.init(config.ports);
  sinks.init(config.ports);
  for (std::size_t p = 0; p < config.ports; ++p) {
    sources[p].bind(fabric->words_in[p]);
    fabric->words_out[p].bind(sinks[p]);
    sinks[p].register_b_transport(this, &Rig::sink, static_cast<int>(p));
  }
  SC_HAS_PROCESS(Rig);
  SC_METHOD(rises);
  sensitive << irq.posedge_event();
  dont_initialize();
}

void Rig::begin() {
  begin_ = 0;
  begin_ = cycle();
  fabric->power_up(fabric->name() == std::string("rtl.fabric") ? make_rtl_body(config) : make_tlm_body(config), config);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  arrived.clear();
  irq_rises.clear();
}

void Rig::sink(int output, tlm::tlm_generic_payload& word, sc_core::sc_time& delay) {
  const auto* bytes = reinterpret_cast<const char*>(word.get_data_ptr());
  arrived.push_back({cycle() + delay.value() / config.cycle.value(), static_cast<std::size_t>(output),
                     std::string(bytes, word.get_data_length())});
  word.set_response_status(tlm::TLM_OK_RESPONSE);
}

tlm::tlm_response_status Rig::access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes,
                                     sc_core::sc_time delay) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  cpu->b_transport(payload, delay);
  return payload.get_response_status();
}

std::uint32_t Rig::read(std::uint32_t address) {
  std::uint32_t value = 0;
  if (access(tlm::TLM_READ_COMMAND, address, &value, 4) != tlm::TLM_OK_RESPONSE)
    throw std::runtime_error("a read is refused");
  return value;
}

std::uint32_t Rig::read_aside(std::uint32_t address) {
  std::uint32_t value = 0;
  if (access_register(around, tlm::TLM_READ_COMMAND, address, value) != tlm::TLM_OK_RESPONSE)
    throw std::runtime_error("a read is refused");
  return value;
}

std::string Rig::look(std::uint64_t address, unsigned bytes) {
  std::string shown(bytes, '?');
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(shown.data()));
  payload.set_data_length(bytes);
  shown.resize(cpu->transport_dbg(payload));
  return shown;
}

void Rig::write(std::uint32_t address, std::uint32_t value) {
  if (access(tlm::TLM_WRITE_COMMAND, address, &value, 4) != tlm::TLM_OK_RESPONSE)
    throw std::runtime_error("a write is refused");
}

tlm::tlm_response_status Rig::send(std::size_t input, std::string bytes, sc_core::sc_time* delay) {
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(bytes.data()));
  payload.set_data_length(static_cast<unsigned>(bytes.size()));
  payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  sources[input]->b_transport(payload, delay != nullptr ? *delay : none);
  return payload.get_response_status();
}

void Rig::connect(std::size_t out, std::uint32_t in) {
  write(at(offsetof(ocs_regs_t, port.SHADOW) + 4 * out), OCS_REGS__PORT__SHADOWX__VALID_bm | in);
  write(at(offsetof(ocs_regs_t, core.COMMIT)), 1);
}

struct Platform::Worker : sc_core::sc_module {
  std::function<void()> work;
  sc_core::sc_event go;

  explicit Worker(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Worker);
    SC_THREAD(loop);
  }
  void loop() {
    for (;;) {
      wait(go);
      work();
      work = nullptr;
      sc_core::sc_pause();
    }
  }
};

Platform::Platform()
    : exact("exact", shape(Timing::exact), tlm_switch),
      decoupled("decoupled", shape(Timing::decoupled), tlm_switch),
      rtl("rtl", shape(Timing::exact), rtl_switch),
      worker_(std::make_unique<Worker>("worker")) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

Platform::~Platform() = default;

void Platform::in_thread(std::function<void()> work) {
  worker_->work = std::move(work);
  worker_->go.notify(sc_core::SC_ZERO_TIME);
  while (worker_->work) sc_core::sc_start();
}

Platform& platform() {
  static Platform only;
  return only;
}

}  // namespace ocs::sysc::test
