// What is set of a simulated `lightloop serve`, and how its scenarios are drawn.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "testbed/apps/serve/service.hpp"
#include "testbed/sim/scenario.hpp"

namespace ocs::sim {

struct ServeSettings {
  std::int64_t clients = 2, steps = 4;
  bool logins = false, log = false;
  std::int64_t connections = 6;     ///< most of a dialect
  std::int64_t unsent = 2048;       ///< bytes of answers, beyond which no command of a client is executed
  std::int64_t buffer = 4096;       ///< bytes that a socket holds
  std::int64_t piece = 1400;        ///< bytes that arrive at once, at most
  std::int64_t idle_ms = 1'000;     ///< as --idle
  std::int64_t login_ms = 1'000;    ///< until a client has logged in
  std::int64_t speed = 1;           ///< as --speed
  std::int64_t tuning_cycles = 50;  ///< of every pair; locking takes a fifth of it
};

/// @throws Error (input): a key isn't one of these, or its value isn't in its range.
ServeSettings serve_settings(const std::vector<std::string>& settings);

/// The scenario of a seed.
Scenario draw_serve(std::uint64_t seed);

ServiceOptions service_options(const ServeSettings& settings);

}  // namespace ocs::sim
