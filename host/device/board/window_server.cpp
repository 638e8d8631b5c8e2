// At a pace the device's own enable is off while the line is high: its clock would stop there.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/window_server.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "host/core/wide.hpp"
#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

constexpr std::uint32_t at_enable = offsetof(ocs_regs_t, IRQ_ENABLE);
constexpr std::uint32_t at_status = offsetof(ocs_regs_t, core) + offsetof(ocs_regs__core_t, IRQ_STATUS);

std::int64_t wall_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

WindowServer::WindowServer(Device& device, const std::string& path, std::int64_t speed_ppm)
    : device_(device),
      clock_(device.clock()),
      mapping_(WindowMapping::make(path)),
      speed_ppm_(speed_ppm),
      started_(wall_ns()) {
  if (clock_.kind() != ClockKind::virtual_time)
    throw Error(ErrorKind::internal, "a switch with a clock of its own has registers of its own");
  WindowFile& file = mapping_->file();
  file.wall_time = speed_ppm != 0 ? 1 : 0;
  file.cycle_ps = clock_.cycle().n;
  file.speed_ppm = speed_ppm;
  std::atomic_thread_fence(std::memory_order_release);
  file.magic = WindowFile::right_magic;
}

void WindowServer::serve(const std::function<bool()>& stop) {
  constexpr std::chrono::microseconds nap(500), long_nap(20'000);
  constexpr int looks = 100;
  WindowFile& file = mapping_->file();
  try {
    while (!stop()) {
      bool busy = false;
      for (int k = 0; k < 1000 && answer(); ++k) busy = true;
      if (speed_ppm_ != 0) catch_up();
      if (!busy) WindowMapping::wait(file.for_server, speed_ppm_ != 0 ? nap : long_nap, looks);
    }
  } catch (...) {
    file.status = WindowFile::Status::failed;
    file.answered.store(file.asked.load());
    ::sem_post(&file.for_driver);
    throw;
  }
}

bool WindowServer::answer() {
  WindowFile& file = mapping_->file();
  const std::uint32_t asked = file.asked.load(std::memory_order_acquire);
  if (asked == file.answered.load(std::memory_order_relaxed)) return false;
  ++accesses_;
  carry_out(file);
  file.answered.store(asked, std::memory_order_release);
  ::sem_post(&file.for_driver);
  return true;
}

void WindowServer::carry_out(WindowFile& cell) {
  const auto address = static_cast<std::uint32_t>(cell.value);
  cell.status = WindowFile::Status::done;
  if (speed_ppm_ != 0) catch_up();
  try {
    switch (cell.what) {
      case WindowFile::What::read:
        cell.answer = address == at_enable && speed_ppm_ != 0 ? enabled_ : device_.bus().read(address);
        break;
      case WindowFile::What::write:
      case WindowFile::What::write_bytes: {
        const Cycles before = clock_.now();
        const auto value = static_cast<std::uint32_t>(cell.operand);
        if (cell.what == WindowFile::What::write)
          device_.bus().write(address, value);
        else
          device_.bus().write_bytes(address, value, static_cast<std::uint8_t>(cell.operand >> WindowFile::strobes_at));
        if (address == at_enable) enabled_ = device_.bus().read(address);
        if (clock_.now() < before) begin_again();
        break;
      }
      case WindowFile::What::run_until:
        if (speed_ppm_ != 0) throw Error(ErrorKind::run, "a driver asked a paced switch to run");
        cell.answer = clock_.run_until({cell.value}).n;
        break;
      case WindowFile::What::edges:
        cell.answer = static_cast<std::int64_t>(clock_.edges());
        break;
      default:
        cell.status = WindowFile::Status::refused;
    }
  } catch (const AccessRefused&) {
    cell.status = WindowFile::Status::refused;
  }
  if (speed_ppm_ != 0) return look_at_line();
  cell.high.store(clock_.interrupt() ? 1 : 0, std::memory_order_relaxed);
  cell.now.store(clock_.now().n, std::memory_order_relaxed);
}

/// The cycle that has begun by now.
Cycles WindowServer::due() const {
  const Wide ps = Wide{wall_ns() - started_} * 1000 * speed_ppm_ / 1'000'000;
  return {static_cast<std::int64_t>(ps / clock_.cycle().n)};
}

/// Begins anew after a reset.
void WindowServer::begin_again() {
  started_ = wall_ns();
  enabled_ = 0;
  high_ = false;
}

void WindowServer::catch_up() {
  const Cycles until = due();
  for (int k = 0; clock_.now() < until; ++k) {
    constexpr Cycles slice{1 << 20};  // answers come in between
    const Cycles to = std::min(until, clock_.now() + slice);
    clock_.run_until(to);
    look_at_line();
    if (k > 0 && mapping_->file().asked.load() != mapping_->file().answered.load()) break;
  }
  behind_ = std::max(behind_, to_picos(until - clock_.now(), clock_.cycle()));
}

bool WindowServer::has_cause() { return (device_.bus().read(at_status) & enabled_) != 0; }

/// When it rises, the driver is woken; while it is high, the device has its enable off, so that time goes on.
void WindowServer::look_at_line() {
  const bool high = enabled_ != 0 && has_cause();
  device_.bus().write(at_enable, high ? 0 : enabled_);
  if (high && !high_) {
    mapping_->file().interrupts.fetch_add(1);
    ::sem_post(&mapping_->file().for_driver);
  }
  high_ = high;
}

}  // namespace ocs
