// Devices `sysc` and `sysc-rtl`: the switch within a SystemC simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/device.hpp"
#include "host/rtl/waveform.hpp"

namespace ocs {

/// The transaction-level model of sysc/, exact to the cycle. `edges()` counts its actions.
///
/// A process can hold one SystemC simulation, and it never begins anew: so there is one device of this file at a time,
/// and each begins, as after power-up, where the simulated time of the one before has ended.
/// @throws Error (input) when the configuration is out of range; Error (run) while another one exists.
std::unique_ptr<Device> make_sysc(const DeviceConfig& config);

/// The compiled RTL behind the same sockets. @throws also Error (run) when it can't be compiled.
std::unique_ptr<Device> make_sysc_rtl(const DeviceConfig& config);

/// The same, recorded by `waveform`, which outlives it.
std::unique_ptr<Device> make_sysc_rtl(const DeviceConfig& config, rtl::Waveform& waveform);

}  // namespace ocs
