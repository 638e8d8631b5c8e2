// A RegisterBus as the C driver wants it: no exception crosses the C code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "firmware/ocs_dev.h"
#include "host/core/device.hpp"

namespace ocs {

/// Remembers what the bus threw while C was on the stack; `check` throws it again on this side.
class DriverBus {
 public:
  explicit DriverBus(RegisterBus& bus) : bus_(bus) {}
  DriverBus(const DriverBus&) = delete;
  DriverBus& operator=(const DriverBus&) = delete;

  /// Points to this object, which must stay where it is.
  ocs_bus c() { return {this, &DriverBus::read, &DriverBus::write}; }

  /// @param status what a function of ocs_dev.h returned. @throws what the bus threw, or Error for the driver's own.
  void check(int status) {
    if (status == OCS_OK) return;
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (status == OCS_E_IDENTITY) throw Error(ErrorKind::run, "no switch answers: the window doesn't begin with OCS1");
    if (status == OCS_E_VERSION)
      throw Error(ErrorKind::run, "the switch's register map is not of the version that this driver knows");
    throw Error(ErrorKind::internal, "the switch driver refused a value (code " + std::to_string(status) + ")");
  }

 private:
  static constexpr int thrown = 1;

  static int read(void* self, std::uint32_t address, std::uint32_t* value) noexcept {
    auto& bus = *static_cast<DriverBus*>(self);
    try {
      *value = bus.bus_.read(address);
      return OCS_OK;
    } catch (...) {
      bus.thrown_ = std::current_exception();
      return thrown;
    }
  }

  static int write(void* self, std::uint32_t address, std::uint32_t value) noexcept {
    auto& bus = *static_cast<DriverBus*>(self);
    try {
      bus.bus_.write(address, value);
      return OCS_OK;
    } catch (...) {
      bus.thrown_ = std::current_exception();
      return thrown;
    }
  }

  RegisterBus& bus_;
  std::exception_ptr thrown_;
};

}  // namespace ocs
