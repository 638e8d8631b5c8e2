// Serves a switch's register window through a file (WindowFile), at a pace or in virtual time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/core/device.hpp"
#include "host/device/board/window_file.hpp"

namespace ocs {

/// The switch's interrupt line is the file's; at a pace, time goes on while it is high, as on a board.
class WindowServer {
 public:
  /// @param device a virtual one, driven by nobody else; outlives the server. @param path of the file, which is there
  ///        as long as the server.
  /// @param speed_ppm simulated time per million of wall time; 0: time goes on when the driver says so, and stops at
  ///        events. @throws Error as WindowMapping::make says.
  WindowServer(Device& device, const std::string& path, std::int64_t speed_ppm);

  /// Serves until `stop` says so; it is asked at least every 20 ms. @throws what the device throws; the driver is
  /// told that it failed.
  void serve(const std::function<bool()>& stop);

  std::int64_t accesses() const { return accesses_; }
  Cycles now() { return clock_.now(); }
  std::int64_t interrupts() const { return mapping_->file().interrupts.load(); }

  /// The most simulated time so far by which the switch was behind its pace: the machine was too slow for it.
  Picos behind() const { return behind_; }

 private:
  bool answer();
  void carry_out(WindowFile& cell);
  void begin_again();
  void catch_up();
  Cycles due() const;
  bool has_cause();
  void look_at_line();

  Device& device_;
  FabricClock& clock_;
  std::unique_ptr<WindowMapping> mapping_;
  std::int64_t speed_ppm_;
  std::int64_t started_;       ///< steady clock, ns
  std::uint32_t enabled_ = 0;  ///< IRQ_ENABLE as the driver has written it
  bool high_ = false;          ///< the line
  std::int64_t accesses_ = 0;
  Picos behind_{0};
};

}  // namespace ocs
