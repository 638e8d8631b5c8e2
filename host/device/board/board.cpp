// Identity first; then time as the switch says it.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/board.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "firmware/ocs_dev.h"
#include "host/device/registers/register_switch_bus.hpp"
#include "host/device/registers/switch_requests.hpp"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

using std::chrono::nanoseconds;

class NoInterrupt final : public InterruptLine {
 public:
  explicit NoInterrupt(nanoseconds longest) : longest_(longest) {}
  void wait(nanoseconds patience) override { std::this_thread::sleep_for(std::min(patience, longest_)); }

 private:
  nanoseconds longest_;
};

constexpr std::uint64_t latest = std::uint64_t{1} << 61;  // cycle; far more than a century

class Board final : public Device, public FabricClock {
 public:
  Board(std::string where, std::unique_ptr<RegisterBus> bus, std::unique_ptr<InterruptLine> interrupt)
      : where_(std::move(where)), bus_(std::move(bus)), interrupt_(std::move(interrupt)), driver_(*bus_) {
    driver_.check(ocs_probe(&dev_, driver_.c()));
  }

  RegisterBus& bus() override { return *bus_; }
  FabricClock& clock() override { return *this; }

  ClockKind kind() const override { return ClockKind::wall_time; }
  Picos cycle() const override { return {dev_.cycle_ps}; }
  std::uint64_t edges() const override { return 0; }

  Cycles now() override {
    std::uint64_t time = 0;
    driver_.check(ocs_time(&dev_, &time));
    if (time > latest)
      throw Error(ErrorKind::run, where_ + ": the switch says that it is cycle " + std::to_string(time) +
                                      ", which no switch lives to see");
    return {static_cast<std::int64_t>(time)};
  }

  Cycles run_until(Cycles limit) override {
    constexpr nanoseconds longest = std::chrono::milliseconds(50);
    constexpr std::chrono::seconds still = std::chrono::seconds(2);
    Cycles before{-1};
    auto moved = std::chrono::steady_clock::now();
    for (;;) {
      interrupt_->arm();
      const Cycles at = now();
      std::uint32_t sources = 0;
      driver_.check(ocs_irq_status(&dev_, &sources));
      if (sources != 0 || at >= limit) return at;
      const auto host = std::chrono::steady_clock::now();
      if (at != before) moved = host;
      if (host - moved > still)
        throw Error(ErrorKind::run, where_ + ": the switch's clock stands still in cycle " + std::to_string(at.n));
      before = at;
      const std::int64_t left = std::min<std::int64_t>((limit - at).n, longest.count() * 1000 / cycle().n + 1);
      interrupt_->wait(nanoseconds(left * cycle().n / 1000));
    }
  }

 private:
  std::string where_;
  std::unique_ptr<RegisterBus> bus_;
  std::unique_ptr<InterruptLine> interrupt_;
  DriverBus driver_;
  ocs_dev dev_{};
};

std::string count(std::int64_t n, const char* what) { return std::to_string(n) + " " + what; }

/// @throws Error (input) if it is another switch.
void hold_against(const std::string& where, const ocs_dev& dev, const DeviceConfig& config) {
  const auto refuse = [&](const std::string& has, const std::string& asked, const std::string& instead) {
    throw Error(ErrorKind::input, where + ": the switch has " + has + ", but " + asked + " asked for; " + instead);
  };
  if (dev.ports != config.ports)
    refuse(count(dev.ports, "ports"), count(config.ports, "are"), "ports must be " + std::to_string(dev.ports));
  if (dev.word_bytes != config.word_bytes)
    refuse("words of " + count(dev.word_bytes, "B"), count(config.word_bytes, "B are"),
           "the word must be " + count(dev.word_bytes, "B"));
  if (dev.cycle_ps != config.cycle.n)
    refuse("a cycle of " + count(dev.cycle_ps, "ps"), count(config.cycle.n, "ps are"),
           "the rate must be one word a cycle: " +
               count(std::int64_t{dev.word_bytes} * 8'000'000'000'000 / dev.cycle_ps, "bit/s"));
}

}  // namespace

std::unique_ptr<InterruptLine> make_no_interrupt(nanoseconds longest) { return std::make_unique<NoInterrupt>(longest); }

void take_board(const std::string& where, RegisterBus& bus, const DeviceConfig& config) {
  DriverBus driver(bus);
  ocs_dev dev{};
  try {
    dev = probed(driver);
  } catch (const Error& failure) {
    throw Error(failure.kind(), where + ": " + failure.what());
  }
  if (dev.cycle_ps == 0) throw Error(ErrorKind::run, where + ": the switch says that its cycle takes no time");
  if (config.ports == 0) return;
  hold_against(where, dev, config);
  driver.check(ocs_soft_reset(&dev));
  if ((dev.options & OCS_REGS__CAP_OPTIONS__PAIR_bm) == 0) return;
  for (std::uint16_t o = 0; o < dev.ports; ++o)  // a memory: it keeps its contents in a reset
    for (std::uint16_t i = 0; i < dev.ports; ++i) driver.check(ocs_set_pair(&dev, o, i, 0));
}

std::unique_ptr<Device> make_board(const std::string& where, std::unique_ptr<RegisterBus> bus,
                                   std::unique_ptr<InterruptLine> interrupt, const DeviceConfig& config) {
  take_board(where, *bus, config);
  return std::make_unique<Board>(where, std::move(bus), std::move(interrupt));
}

}  // namespace ocs
