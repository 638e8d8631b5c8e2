// One access after another, each answered.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/window_driver.hpp"

#include <cstdio>
#include <fstream>
#include <utility>

#include "host/device/board/board.hpp"
#include "host/device/board/window_file.hpp"

namespace ocs {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using What = WindowFile::What;

/// Asks the server.
class Asking {
 public:
  explicit Asking(const std::string& path) : where_("mapped:" + path), mapping_(WindowMapping::open(path)) {
    await(file().asked.load());  // of a driver that ended in the middle
  }

  WindowFile& file() { return mapping_->file(); }
  const std::string& where() const { return where_; }
  const WindowMapping& mapping() const { return *mapping_; }

  std::int64_t ask(What what, std::int64_t value = 0, std::int64_t operand = 0) {
    WindowFile& cell = file();
    cell.what = what;
    cell.value = value;
    cell.operand = operand;
    const std::uint32_t number = cell.asked.load(std::memory_order_relaxed) + 1;
    cell.asked.store(number, std::memory_order_release);
    ::sem_post(&cell.for_server);
    await(number);
    if (cell.status == WindowFile::Status::refused) refused(what, value);
    if (cell.status == WindowFile::Status::failed)
      throw Error(ErrorKind::run, where_ + ": the served switch failed; its server says why");
    return cell.answer;
  }

  void check_served() const {
    if (!mapping_->served()) throw Error(ErrorKind::run, where_ + ": its server has ended");
  }

 private:
  void await(std::uint32_t number) {
    constexpr int looks = 100;
    while (file().answered.load(std::memory_order_acquire) != number) {
      WindowMapping::wait(file().for_driver, microseconds(100'000), looks);
      if (file().answered.load(std::memory_order_acquire) != number) check_served();
    }
  }

  [[noreturn]] void refused(What what, std::int64_t address) const {
    char hex[16];
    std::snprintf(hex, sizeof hex, "0x%05x", static_cast<unsigned>(address));
    throw AccessRefused("the switch refused a " + std::string(what == What::read ? "read" : "write") + " at address " +
                        hex + " (SLVERR)");
  }

  std::string where_;
  std::unique_ptr<WindowMapping> mapping_;
};

class WindowBus final : public RegisterBus {
 public:
  explicit WindowBus(std::shared_ptr<Asking> asking) : asking_(std::move(asking)) {}
  std::uint32_t read(std::uint32_t address) override {
    return static_cast<std::uint32_t>(asking_->ask(What::read, address));
  }
  void write(std::uint32_t address, std::uint32_t value) override { asking_->ask(What::write, address, value); }
  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    asking_->ask(What::write_bytes, address, std::int64_t{strobes} << WindowFile::strobes_at | value);
  }

 private:
  std::shared_ptr<Asking> asking_;
};

class WindowInterrupt final : public InterruptLine {
 public:
  explicit WindowInterrupt(std::shared_ptr<Asking> asking) : asking_(std::move(asking)) {}
  void arm() override { seen_ = asking_->file().interrupts.load(); }
  void wait(nanoseconds patience) override {
    constexpr int looks = 200;
    if (asking_->file().interrupts.load() != seen_) return;
    WindowMapping::wait(asking_->file().for_driver, std::chrono::duration_cast<microseconds>(patience), looks);
    asking_->check_served();
  }

 private:
  std::shared_ptr<Asking> asking_;
  std::uint32_t seen_ = 0;
};

/// Time stands still but for run_until.
class VirtualWindow final : public Device, public FabricClock {
 public:
  explicit VirtualWindow(std::shared_ptr<Asking> asking) : asking_(std::move(asking)), bus_(asking_) {}
  RegisterBus& bus() override { return bus_; }
  FabricClock& clock() override { return *this; }
  ClockKind kind() const override { return ClockKind::virtual_time; }
  Picos cycle() const override { return {asking_->file().cycle_ps}; }
  Cycles now() override { return {asking_->file().now.load(std::memory_order_relaxed)}; }
  Cycles run_until(Cycles limit) override { return {asking_->ask(What::run_until, limit.n)}; }
  bool interrupt() override { return asking_->file().high.load(std::memory_order_relaxed) != 0; }
  std::uint64_t edges() const override { return static_cast<std::uint64_t>(asking_->ask(What::edges)); }

 private:
  std::shared_ptr<Asking> asking_;
  WindowBus bus_;
};

}  // namespace

bool is_window_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::uint64_t magic = 0;
  return in.read(reinterpret_cast<char*>(&magic), sizeof magic) && magic == WindowFile::right_magic;
}

std::unique_ptr<Device> make_window_driver(const DeviceConfig& config) {
  auto asking = std::make_shared<Asking>(config.place);
  auto bus = std::make_unique<WindowBus>(asking);
  if (asking->file().wall_time != 0)
    return make_board(asking->where(), std::move(bus), std::make_unique<WindowInterrupt>(asking), config);
  take_board(asking->where(), *bus, config);
  return std::make_unique<VirtualWindow>(asking);
}

}  // namespace ocs
