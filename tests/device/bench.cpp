// A model switch on the bench.
// SPDX-License-Identifier: Apache-2.0
#include "tests/device/bench.hpp"

#include <array>
#include <bit>

#include "host/device/model/model.hpp"

namespace ocs::test {
namespace {

constexpr std::array state_names = {"IDLE", "TUNING", "LOCKING", "UP", "HELD", "FAILED"};
constexpr std::array device_names = {"commit", "refused", "wrap"};

std::uint32_t field(std::uint32_t value, std::uint32_t mask) { return (value & mask) >> std::countr_zero(mask); }

DeviceConfig of_ports(int ports) {
  DeviceConfig config;
  config.ports = ports;
  return config;
}

}  // namespace

Bench::Bench(const DeviceConfig& config) : device_(make_model(config)) {}
Bench::Bench(int ports) : Bench(of_ports(ports)) {}

std::uint64_t Bench::read64(std::uint32_t address) {
  const std::uint64_t low = read(address);
  return low | std::uint64_t{read(address + 4)} << 32;
}

void Bench::write64(std::uint32_t address, std::uint64_t value) {
  write(address, static_cast<std::uint32_t>(value));
  write(address + 4, static_cast<std::uint32_t>(value >> 32));
}

void Bench::delays(std::size_t o, std::uint32_t tuning, std::uint32_t locking) {
  set(REG(port.BASE), o, tuning);
  set(REG(port.LOCK), o, locking);
}

void Bench::burst(std::size_t i, std::uint32_t length, std::uint32_t gap, std::uint32_t repeat, bool gated,
                  std::uint32_t tag) {
  set(REG(port.LEN), i, length);
  set(REG(port.GAP), i, gap);
  set(REG(port.REPEAT), i, repeat);
  set(REG(port.BURST), i, tag | (gated ? OCS_REGS__PORT__BURSTX__GATED_bm : 0));
  start(i);
}

void Bench::store(std::uint32_t entry, std::uint32_t offset) {
  write(REG(SEQ_OFFSET), offset);
  write(REG(core.SEQ_STORE), entry);
}

void Bench::go(std::uint64_t base, std::uint32_t length, std::uint32_t period) {
  write64(REG(core.SEQ_BASE), base);
  write(REG(SEQ_LEN), length);
  write(REG(SEQ_PERIOD), period);
  write(REG(core.SEQ_GO), 1);
}

std::string Bench::state(std::size_t o) {
  return state_names.at(field(get(REG(port.STATE), o), OCS_REGS__PORT__STATEX__STATE_bm));
}

std::uint32_t Bench::cause(std::size_t o) { return field(get(REG(port.STATE), o), OCS_REGS__PORT__STATEX__CAUSE_bm); }

std::vector<std::string> Bench::trace(std::vector<std::size_t> outputs, int cycles) {
  std::vector<std::string> traces(outputs.size());
  for (int c = 0; c < cycles; ++c, run(1))
    for (std::size_t k = 0; k < outputs.size(); ++k) traces[k] += state(outputs[k]).front();
  return traces;
}

std::string Bench::offered(std::size_t i, int cycles) {
  std::string digits;
  for (int c = 0; c < cycles; ++c) {
    const std::uint64_t before = counter(REG(port.SENT), i);
    run(1);
    digits += static_cast<char>('0' + counter(REG(port.SENT), i) - before);
  }
  return digits;
}

Texts Bench::events() {
  Texts texts;
  while (true) {
    const std::uint32_t event = read(REG(core.EVENT));
    if ((event & OCS_REGS__CORE__EVENT__VALID_bm) == 0) return texts;
    const std::uint32_t kind = field(event, OCS_REGS__CORE__EVENT__KIND_bm);
    const std::string port = std::to_string(field(event, OCS_REGS__CORE__EVENT__PORT_bm));
    std::string text = std::to_string(read64(REG(core.EVENT_TIME))) + " ";
    switch (field(event, OCS_REGS__CORE__EVENT__CLASS_bm)) {
      case 0:
        text += device_names.at(kind) + (" " + port);
        break;
      case 1:
        text += "o" + port + " " + state_names.at(kind);
        break;
      default:
        text += "i" + port + (kind == 0 ? " DONE" : " ?");
        break;
    }
    texts.push_back(text);
  }
}

std::string Bench::segment(std::size_t o) {
  const std::uint32_t seg = get(REG(port.SEG), o);
  return "i" + std::to_string(field(seg, OCS_REGS__PORT__SEGX__INPUT_bm)) + " tag " +
         std::to_string(field(seg, OCS_REGS__PORT__SEGX__TAG_bm)) + " words " +
         std::to_string(get(REG(port.SEG_FIRST), o)) + "+" + std::to_string(get(REG(port.SEG_COUNT), o));
}

}  // namespace ocs::test
