// A switch with all its sockets bound, for tests that reach into a simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ocs_regs.h"
#include "sysc/module/switch_module.hpp"

namespace ocs::sysc::test {

inline constexpr std::uint32_t at(std::size_t offset) { return static_cast<std::uint32_t>(offset); }

struct Arrived {
  std::uint64_t cycle;
  std::size_t output;
  std::string bytes;
  friend bool operator==(const Arrived&, const Arrived&) = default;
};

/// Its accesses may come from a test (outside of the simulation) or from `thread`.
class Rig : public sc_core::sc_module {
 public:
  std::unique_ptr<SwitchModule> fabric;
  tlm_utils::simple_initiator_socket<Rig> cpu{"cpu"}, around{"around"};  ///< at `regs`, at `side`
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<Rig>> sources{"sources"};
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Rig>> sinks{"sinks"};
  sc_core::sc_signal<bool> irq{"irq"};
  std::vector<Arrived> arrived;
  std::vector<std::uint64_t> irq_rises;  ///< cycles
  SwitchConfig config;

  using Make = std::function<std::unique_ptr<SwitchModule>(const SwitchConfig&)>;
  Rig(const sc_core::sc_module_name& name, SwitchConfig shape, const Make& make);

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes,
                                  sc_core::sc_time delay = sc_core::SC_ZERO_TIME);
  std::uint32_t read(std::uint32_t address);
  std::uint32_t read_aside(std::uint32_t address);  ///< by the other master
  /// What a debug access shows of so many bytes.
  std::string look(std::uint64_t address, unsigned bytes);
  void write(std::uint32_t address, std::uint32_t value);
  tlm::tlm_response_status send(std::size_t input, std::string bytes, sc_core::sc_time* delay = nullptr);
  /// Selects input `in` for output `out` and commits.
  void connect(std::size_t out, std::uint32_t in);
  void run(std::uint64_t cycles) { sc_core::sc_start(config.cycle * static_cast<double>(cycles)); }
  std::uint64_t cycle() const { return sc_core::sc_time_stamp().value() / config.cycle.value() - begin_; }
  /// After power-up, and nothing remembered.
  void begin();

 private:
  void sink(int output, tlm::tlm_generic_payload& word, sc_core::sc_time& delay);
  void rises() { irq_rises.push_back(cycle()); }

  std::uint64_t begin_ = 0;
};

/// What every test uses: elaborated once, before the first one. A process holds one simulation.
struct Platform {
  Rig exact, decoupled, rtl;
  /// Runs `work` in an SC_THREAD until it's done.
  void in_thread(std::function<void()> work);
  Platform();
  ~Platform();

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
};
Platform& platform();

}  // namespace ocs::sysc::test
